// The inspector shows one card in full: the one under the pointer or in focus, else the chosen one. On a phone a long
// press opens it, and so does a touch of a seat. The server has drawn every card's page; this file only shows one of them.
(() => {
  const DELAY = 120, LONG = 400; // milliseconds
  const byId = (id) => document.getElementById(id);
  let [pointed, chosen, timer, press, held] = ["", document.querySelector(".piece.chosen")?.id ?? "", 0, 0, false];

  function show() {
    const inspector = byId("inspector");
    const look = [pointed, chosen].map((id) => id && byId(`look.${id}`)).find(Boolean);
    if (!inspector) return;
    if (!look) return inspector.replaceChildren();
    const copy = look.cloneNode(true);
    copy.removeAttribute("id");
    inspector.replaceChildren(copy);
  }

  const explained = (event) => {
    for (let place = event.target.closest?.("[id]"); place; place = place.parentElement?.closest("[id]")) {
      if (byId(`look.${place.id}`)) return place.id;
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
  document.addEventListener("chosen", (event) => { chosen = event.detail; show(); });

  // A long press opens the sheet. The click that ends it is none, wherever the sheet has put what lies under the finger.
  document.addEventListener("pointerdown", (event) => {
    const id = event.pointerType === "mouse" ? "" : explained(event);
    held = false;
    clearTimeout(press);
    if (id) press = setTimeout(() => { held = true; pointed = id; show(); open(true); }, LONG);
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
  document.addEventListener("htmx:after:swap", () => { byId("rail")?.classList.toggle("open", wasOpen); show(); });
  document.addEventListener("DOMContentLoaded", show);
})();
