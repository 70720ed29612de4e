// The inspector shows one card in full: the one under the pointer or in focus, else the chosen one. On a phone a long
// press opens it, and so does a touch of a seat. A table comes without its cards in full: whoever first points at a piece
// asks the server for all of them, which then lie in #looks until the table changes. A replay has them from the start.
(() => {
  const DELAY = 120, LONG = 400; // milliseconds
  const byId = (id) => document.getElementById(id);
  let [pointed, chosen, timer, press, held] = ["", document.querySelector(".piece.chosen")?.id ?? "", 0, 0, false];
  let [loading, shown] = [null, {id: "", copy: null}];

  // What the table shows: cards in full that were asked for before it changed are not shown after it.
  const stamp = () => `${document.querySelector("#moves > [name=decision]")?.value} ${byId("table-body")?.dataset.told}`;
  // Ask for the cards in full, unless they are here; tell whether they are still to come.
  function load() {
    const [looks, before] = [byId("looks"), stamp()];
    if (!looks?.dataset.from) return false;
    loading ??= fetch(looks.dataset.from, {headers: {"HX-Request": "true"}})
      .then((answer) => (answer.ok ? answer.text() : null), () => null)
      .then((html) => {
        loading = null;
        if (html === null || !looks.isConnected) return;
        if (before !== stamp()) return void load();
        delete looks.dataset.from;
        looks.insertAdjacentHTML("beforeend", html);
        show();
        document.dispatchEvent(new CustomEvent("looks"));
      });
    return true;
  }

  function show() {
    const [inspector, ids] = [byId("inspector"), [pointed, chosen].filter(Boolean)];
    const look = ids.map((id) => byId(`look.${id}`)).find(Boolean);
    if (look) {
      shown = {id: look.id.slice(5), copy: look.cloneNode(true)};
      shown.copy.removeAttribute("id");
    } else if (!byId("looks")?.dataset.from || !ids.includes(shown.id)) {
      shown = {id: "", copy: null}; // else the card stays as it was until somebody points again
    }
    inspector?.replaceChildren(...(shown.copy ? [shown.copy] : []));
  }

  const explained = (event) => {
    const isToCome = load();
    for (let place = event.target.closest?.("[id]"); place; place = place.parentElement?.closest("[id]")) {
      if (byId(`look.${place.id}`) || (isToCome && place.matches(".piece"))) return place.id;
    }
    const line = event.target.closest?.("#log li")?.textContent;
    return line ? named(line) : "";
  };
  // The card with the longest name in a line of the log.
  function named(line) {
    const looks = [...document.querySelectorAll("#looks .look")].map((look) => [look.querySelector("h3").textContent, look.id.slice(5)]);
    const found = looks.filter(([name]) => name.length > 2 && line.includes(name)).sort(([one], [two]) => two.length - one.length);
    return found[0]?.[1] ?? "";
  }
  function point(id, after) {
    clearTimeout(timer);
    timer = setTimeout(() => { pointed = id; show(); }, after);
  }
  function open(on) {
    byId("rail")?.classList.toggle("open", on);
    if (on) byId("rail").querySelector(".close")?.focus({preventScroll: true});
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && event.target.closest("#board, #dock, #seats, #log")) point(explained(event), DELAY);
  });
  document.addEventListener("focusin", (event) => {
    const id = event.target.closest("#board, #dock, #seats, #log") && explained(event);
    if (id && !held) point(id, 0);
  });
  document.addEventListener("chosen", (event) => {
    if (event.detail && event.detail !== chosen) load();
    chosen = event.detail;
    show();
  });

  // A long press opens the sheet. The click that ends it is none, wherever the sheet has put what lies under the finger.
  document.addEventListener("pointerdown", (event) => {
    const id = event.pointerType === "mouse" ? "" : explained(event);
    held = false;
    clearTimeout(press);
    const isShown = () => Boolean(byId(`look.${id}`)) || load();
    if (id) press = setTimeout(() => { if (isShown()) { held = true; pointed = id; show(); open(true); } }, LONG);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    document.addEventListener(end, (event) => { if (end !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) clearTimeout(press); });
  }
  document.addEventListener("contextmenu", (event) => { if (held) event.preventDefault(); });
  document.addEventListener("click", (event) => {
    if (held) {
      event.preventDefault();
      event.stopImmediatePropagation();
      held = false;
    } else if (event.target.closest(".score")) {
      event.preventDefault();
      [pointed, held] = [explained(event), false];
      show();
      open(true);
    } else if (event.target.closest("#open-rail")) {
      event.preventDefault();
      open(!byId("rail").classList.contains("open"));
    } else if (event.target.closest(".rail .close")) {
      event.preventDefault();
      open(false);
      byId("open-rail")?.focus({preventScroll: true});
    } else if (!event.target.closest("#rail")) {
      open(false);
    }
  }, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") open(false); });
  document.addEventListener("open-rail", () => open(!byId("rail")?.classList.contains("open")));
  // htmx draws the rail anew without the class of an open sheet.
  let wasOpen = false;
  document.addEventListener("htmx:before:swap", () => { wasOpen = Boolean(byId("rail")?.classList.contains("open")); });
  // Who has no mouse to point with sees a card when they choose it: on their turn the cards come at once.
  const prepare = () => { if (byId("table-body")?.dataset.turn === "yes" && matchMedia("(pointer: coarse)").matches) load(); };
  document.addEventListener("htmx:after:swap", () => { byId("rail")?.classList.toggle("open", wasOpen); show(); prepare(); });
  document.addEventListener("DOMContentLoaded", () => { show(); prepare(); });
})();
