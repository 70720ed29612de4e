// Small services of a table's page: it shows whether the connection works, what was not sent, and why a move is not legal;
// it copies addresses, and closes open menus.
(() => {
  let online = null;

  // What changes is spoken, and only that: that a page has connected, as every page does, is nothing new.
  function connected(on) {
    const link = document.getElementById("link");
    const spoken = document.getElementById("spoken");
    const changes = online !== null && on !== online;
    online = on;
    if (!link || on === null) return;
    link.className = `link ${on ? "on" : "off"}`;
    link.querySelector("span").textContent = on ? "Connected" : "Connecting again";
    if (changes && spoken) spoken.textContent = on ? "Connected" : "Connecting again";
    document.body.classList.toggle("away", !on);
  }
  let connection = null;
  document.addEventListener("htmx:ws:before:connection", ({detail}) => { connection = detail.connection; });
  for (const event of ["htmx:ws:after:connection", "htmx:ws:after:message:incoming"]) document.addEventListener(event, () => connected(true));
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
  addEventListener("online", () => { if (connection?.socket?.readyState === WebSocket.OPEN) connected(true); });
  // A page to which Back leads may be one that the browser has kept. htmx has closed its socket, and not every browser
  // says so: this tells htmx that it is closed, which opens another, and that brings the table as it is now.
  addEventListener("pageshow", (event) => {
    if (!event.persisted || !connection?.socket || connection.attempt) return; // or it tries already
    connection.socket.dispatchEvent(new CloseEvent("close", {code: 1006}));
    connection.abortController.abort();
  });
  document.addEventListener("htmx:after:swap", () => connected(online));

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
