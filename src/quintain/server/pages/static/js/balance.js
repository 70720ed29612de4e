// The games that bots play with a set or a deck: they begin two seconds after the last valid change of a set, the figures
// grow in sight, and the key B reads the verdict. Without script the same forms load whole pages.
(() => {
  const GAP = 500; // milliseconds between two times that the figures move
  const CALM = 2000; // milliseconds after the last change until the games begin
  const panel = () => document.getElementById("balance");
  let changedAt = null, beginning = null, heard = "", asked = 0, shown = 0;

  // Each part that has changed becomes the new one; what stays, such as Stop, is not drawn anew, and keeps the focus.
  async function show(text) {
    const fresh = document.createElement("template");
    fresh.innerHTML = text;
    for (const part of [...fresh.content.children]) {
      const old = part.id && document.getElementById(part.id);
      if (!old || old.outerHTML === part.outerHTML) continue;
      const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
      await htmx.swap({sourceElement: old, target: `#${part.id}`, swap: "outerMorph", text: part.outerHTML, transition: false});
      if (focused && document.activeElement?.id !== focused) (document.getElementById(focused) ?? panel()?.querySelector("button"))?.focus({preventScroll: true});
    }
    tell();
    follow();
  }

  async function ask(url, options = {}) {
    const number = ++asked;
    const answer = await fetch(url, {...options, headers: {"hx-request": "true", accept: "text/html"}}).catch(() => null);
    const text = await answer?.text();
    // While a button is held down nothing moves, so that it stays under the finger.
    while (panel()?.querySelector("button:active")) await new Promise((done) => setTimeout(done, 100));
    if (text?.includes("data-balance=")) {
      // What was asked after it is shown already, but may have been answered before it: how is it now?
      if (number < shown) await ask(panel().dataset.balance);
      else {
        shown = number;
        await show(text);
      }
    }
    return Boolean(answer?.ok);
  }

  const listen = following(() => panel() && ask(panel().dataset.balance), GAP);
  function follow() {
    if (panel()?.dataset.state === "working") listen(panel().dataset.socket);
  }

  // Readers of screens hear a verdict when the games end, and whenever they ask for it, but not each number on the way.
  const words = () => panel()?.querySelector(".bal-verdict p")?.textContent.trim() ?? "";
  function say(text) {
    const line = document.getElementById("bal-heard");
    if (!line) return;
    line.textContent = "";
    setTimeout(() => { line.textContent = text; }, 50);
  }
  function tell() {
    if (panel()?.dataset.state !== "finished" || words() === heard) return;
    heard = words();
    say(heard);
  }

  function post(form, submitter) {
    const sent = new URLSearchParams(new FormData(form, submitter?.name ? submitter : undefined));
    return ask(form.action, {method: "POST", body: sent});
  }
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-balance-form]")) return;
    event.preventDefault();
    post(event.target, event.submitter);
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "bal-level") event.target.form.requestSubmit();
  });

  // A change counts from the key or the button; workshop.js says when the server has taken it.
  function changes(event) {
    if (event.target.closest?.("[data-workshop-form]")) { changedAt = Date.now(); clearTimeout(beginning); }
  }
  for (const kind of ["input", "change", "submit"]) document.addEventListener(kind, changes, true);
  document.addEventListener("workshop", () => {
    clearTimeout(beginning);
    if (changedAt && ["empty", "stopped"].includes(panel()?.dataset.state)) {
      beginning = setTimeout(begin, Math.max(0, changedAt + CALM - Date.now()));
    }
    follow();
  });
  function begin() {
    const form = panel()?.querySelector(".bal-begin");
    changedAt = null;
    if (form) post(form);
  }

  document.addEventListener("keydown", (event) => {
    if (!panel() || event.key.toLowerCase() !== "b" || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea") || localStorage.getItem("quintain-letters") === "off") return;
    event.preventDefault();
    say(words() || "Not run yet.");
  });
  document.addEventListener("DOMContentLoaded", follow);
})();
