// Small services of a table: the state of the connection and what could not be sent, reasons shown in place, clocks, copying, one open menu.
(() => {
  const DOUBLE_CLICK = 500; // milliseconds
  const link = document.getElementById("link");
  if (link) link.hidden = false;

  function connected(on) {
    if (!link) return;
    link.className = `link ${on ? "on" : "off"}`;
    link.querySelector("span").textContent = on ? "Connected" : "Connecting again";
    document.body.classList.toggle("away", !on);
  }
  document.addEventListener("htmx:ws:after:connection", () => connected(true));
  document.addEventListener("htmx:ws:after:message:incoming", () => connected(true));
  document.addEventListener("htmx:ws:close", () => connected(false));
  addEventListener("offline", () => connected(false));

  // The second click of a double click would answer what has been answered.
  let sent = {};
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "moves") return;
    if (asked() === sent.decision && event.timeStamp - sent.at < DOUBLE_CLICK) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      sent = {decision: asked(), at: event.timeStamp};
    }
  }, true);

  // What could not be sent is not sent later; the next view takes the line away.
  document.addEventListener("htmx:error", ({detail: {ctx}}) => {
    const notice = document.getElementById("notice");
    if (!notice || !ctx || ctx.response) return;
    notice.textContent = "The server cannot be reached just now: what you chose was not sent.";
    notice.hidden = false;
  });

  // Why something cannot be done is shown where the question stands; without script the link leads to a page.
  document.addEventListener("click", (event) => {
    const barred = event.target.closest("a.barred");
    if (barred && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      htmx.ajax("GET", barred.href, {target: "#why", swap: "innerHTML"});
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) copied(copy, document.getElementById(copy.dataset.copy));
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });

  // What has been said stays until something else is asked, whatever else is new.
  const asked = () => document.querySelector("#moves > [name=decision]")?.value;
  const why = () => document.getElementById("why");
  let said = null;
  document.addEventListener("htmx:before:swap", () => { said = {decision: asked(), html: why()?.innerHTML}; });
  document.addEventListener("htmx:after:swap", () => {
    if (said?.html && why()?.innerHTML === "" && asked() === said.decision) why().innerHTML = said.html;
  });

  // The clipboard needs a secure context; at home, on plain http, the address is selected to be copied by hand.
  async function copied(button, field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Now copy it";
    }
  }

  // Clocks run down here: a view says when each runs out, and the server says no more until something else is new.
  const GRACE = 30; // seconds after that until a bot plays on
  function timeLeft(seconds) {
    if (seconds < 0) return `time is up: a bot plays on in ${Math.max(0, seconds + GRACE)} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min left`;
  }
  function countDown() {
    for (const clock of document.querySelectorAll("[data-deadline]")) {
      clock.textContent = timeLeft(Math.round((Number(clock.dataset.deadline) - Date.now()) / 1000));
    }
  }
  countDown();
  setInterval(countDown, 1000);
  document.addEventListener("htmx:after:swap", countDown);
})();
