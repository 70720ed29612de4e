// The keyboard: arrows move from piece to piece, Tab from zone to zone, digits choose from the bar, letters do the rest.
(() => {
  const LETTERS = "quintain-letters";
  const spots = "a.piece, button.piece, #acts .act, .score";
  const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
  const byId = (id) => document.getElementById(id);
  const shown = (element) => element.offsetParent !== null || element.getClientRects().length > 0;
  const group = (spot) => spot.closest(".hand, .zone, [data-zone], #acts, .scene, #board, #seats");
  const stored = () => { try { return localStorage.getItem(LETTERS) !== "off"; } catch { return true; } };
  let letters = stored();
  let place = null;

  const all = (around) => [...around.querySelectorAll(spots)].filter((spot) => shown(spot) && group(spot) === around);
  function step(event, by) {
    const here = event.target.closest(spots);
    const around = here && group(here);
    if (!around) return;
    const there = all(around);
    there[(there.indexOf(here) + by + there.length) % there.length].focus();
    event.preventDefault();
  }

  // Each zone is one stop of Tab: the piece in focus, else a place that the chosen piece leads to, else the chosen piece,
  // else the first that can be used, else the first.
  function stops() {
    const zones = new Map();
    for (const spot of document.querySelectorAll(":is(#board, .hand) :is(a, button).piece, .score")) {
      const around = group(spot);
      zones.set(around, [...(zones.get(around) ?? []), spot]);
    }
    for (const pieces of zones.values()) {
      const first = (kind) => pieces.find((piece) => piece.matches(kind));
      const stop = pieces.find((piece) => piece === document.activeElement) ?? first(".target") ?? first(".chosen") ?? first(".lit") ?? pieces[0];
      for (const piece of pieces) piece.tabIndex = piece === stop ? 0 : -1;
    }
    // What scrolls and holds nothing to touch is a stop, too, so that the arrows can scroll it.
    for (const area of document.querySelectorAll("#table-body [data-scrolls]")) {
      const scrolls = area.scrollHeight > area.clientHeight || area.scrollWidth > area.clientWidth;
      if (scrolls && ![...area.querySelectorAll("a, button, summary")].some(shown)) area.tabIndex = 0;
    }
  }

  // A place of its own says the words, so that they are said again though they have not changed.
  function say(part) {
    const words = part?.matches("#seats") ? [...part.querySelectorAll(".score")].map((score) => score.ariaLabel).join(". ") : part?.innerText;
    byId("spoken").textContent = "";
    setTimeout(() => { byId("spoken").textContent = words ?? ""; }, 50);
  }

  const press = (selector) => document.querySelector(selector)?.click();
  const deeds = {
    h: () => press(".tool[form=hint]"),
    s: () => press("#hurry-button"),
    z: () => press(".tool[form=undo]"),
    r: () => press("#ribbon [data-key=R]"),
    i: () => document.dispatchEvent(new CustomEvent("open-rail")),
    l: () => { document.dispatchEvent(new CustomEvent("open-rail")); byId("log")?.focus(); },
    q: () => say(byId("question")),
    c: () => say(byId("seats")),
    "?": () => byId("keys").showModal(),
  };

  const body = () => document.querySelector("#table-body.frame");

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) step(event, steps[event.key]);
    else if (/^[1-9]$/.test(event.key)) document.querySelector(`[data-digit="${event.key}"]`)?.click();
    else if (letters && body() && deeds[event.key.toLowerCase()]) { event.preventDefault(); deeds[event.key.toLowerCase()](); }
    else if (event.key === "Escape") document.querySelectorAll("details.menu[open]").forEach((menu) => { menu.open = false; });
  });
  // Letters can be switched off in the menu, for people whose devices send them by accident.
  function setting() {
    const row = byId("letters-setting");
    if (!row) return;
    row.hidden = false;
    for (const button of row.querySelectorAll("button")) button.setAttribute("aria-pressed", (button.dataset.letters === "on") === letters);
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keys]")) byId("keys").showModal();
    const button = event.target.closest("[data-letters]");
    if (!button) return;
    letters = button.dataset.letters === "on";
    try { localStorage.setItem(LETTERS, button.dataset.letters); } catch { /* private windows may refuse storage */ }
    setting();
  });
  document.addEventListener("focusin", stops);
  window.addEventListener("resize", stops);

  // A played card takes the focus with it. If it is the viewer's turn, the focus goes to the card that is now in its place,
  // or to the question, where a screen reader reads on.
  document.addEventListener("htmx:before:swap", () => {
    const here = document.activeElement?.closest?.("#table-body *");
    const around = here && group(here);
    place = here && {zone: around?.id, index: around ? all(around).indexOf(here) : 0};
  });
  document.addEventListener("htmx:after:swap", () => {
    setting();
    stops();
    if (!place || document.activeElement?.closest("#table-body *")) return;
    const zone = byId(place.zone);
    const there = zone ? all(zone) : [];
    (there[Math.min(place.index, there.length - 1)] ?? byId("question"))?.focus({preventScroll: true});
  });
  document.addEventListener("DOMContentLoaded", () => { setting(); stops(); });
})();
