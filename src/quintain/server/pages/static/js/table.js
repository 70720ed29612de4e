// Small services of a table's page: it shows whether the connection works, what was not sent, and why a move is not legal;
// it copies addresses, and closes open menus.
(() => {
  const DOUBLE_CLICK = 500; // milliseconds
  let online = null;

  function connected(on) {
    const link = document.getElementById("link");
    online = on;
    if (!link || on === null) return;
    link.className = `link ${on ? "on" : "off"}`;
    link.querySelector("span").textContent = on ? "Connected" : "Connecting again";
    document.body.classList.toggle("away", !on);
  }
  let socket = null;
  document.addEventListener("htmx:ws:after:connection", ({detail}) => {
    socket = detail.connection.socket;
    connected(true);
  });
  document.addEventListener("htmx:ws:after:message:incoming", () => connected(true));
  // When the player has signed out everywhere else, the page becomes that of a stranger; when new rules have ended the
  // game, that of an old game. On the device that stays signed
  // in, the new cookie must have arrived before its other pages are loaded again: else they would get a stranger's.
  const LOAD_AGAIN = 4401;
  const COOKIE_ARRIVES = 2000; // milliseconds
  document.addEventListener("htmx:ws:close", ({detail}) => {
    connected(false);
    if (detail.code === LOAD_AGAIN) setTimeout(() => location.reload(), COOKIE_ARRIVES);
  });
  addEventListener("offline", () => connected(false));
  // The socket may have survived a short cut. A page that is still up to date only has to say so.
  addEventListener("online", () => { if (socket?.readyState === WebSocket.OPEN) connected(true); });
  document.addEventListener("htmx:after:swap", () => connected(online));

  // Ignore the second click of a double click: it would answer the same question again.
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

  // A move that could not be sent is not sent later. The next view removes the notice.
  document.addEventListener("htmx:error", ({detail: {ctx}}) => {
    const notice = document.getElementById("notice");
    if (!notice || !ctx || ctx.response) return;
    notice.textContent = "The server cannot be reached just now: what you chose was not sent.";
    notice.hidden = false;
  });

  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) copied(copy, document.getElementById(copy.dataset.copy));
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });

  // The reason stays until the player has another question, even if something else changes.
  const asked = () => document.querySelector("#moves > [name=decision]")?.value;
  const why = () => document.getElementById("why");
  let said = null;
  document.addEventListener("htmx:before:swap", () => { said = {decision: asked(), html: why()?.innerHTML}; });
  document.addEventListener("htmx:after:swap", () => {
    if (said?.html && why()?.innerHTML === "" && asked() === said.decision) why().innerHTML = said.html;
  });

  // The menu, where somebody may have given up, does not stay open over what follows.
  const isOver = () => Boolean(document.getElementById("result"));
  const closeMenu = () => document.querySelectorAll("#menu[open], #menu .resign[open]").forEach((each) => { each.open = false; });
  let wasOver = isOver();
  document.addEventListener("submit", (event) => { if (event.target.matches("#resign, #skip")) closeMenu(); });
  document.addEventListener("htmx:after:swap", () => {
    if (isOver() && !wasOver) closeMenu();
    wasOver = isOver();
  });

  // Whoever has agreed to play again is taken to the new table as soon as all have. A page that is loaded later stays.
  const next = () => document.getElementById("table-body")?.dataset.next;
  const known = next();
  document.addEventListener("htmx:after:swap", () => { if (next() && next() !== known) location.assign(next()); });

  // The clipboard needs a secure context. At home, on plain http, the address is only selected, and people copy it.
  async function copied(button, field) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Now copy it";
    }
  }
})();
