// The keyboard: arrows move from card to card, digits choose from the menu, and the focus finds a new place when its card
// is played.
(() => {
  const legal = "button[name=action]";
  const touchable = `${legal}, a.barred`;
  const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
  let place = null;

  const typing = (target) => target.closest("input, select, textarea, [contenteditable]");
  const group = (piece) => piece.closest("section, .choices, table");

  function step(event, by) {
    const here = event.target.closest(touchable);
    if (!here || !group(here)) return;
    const all = [...group(here).querySelectorAll(touchable)];
    all[(all.indexOf(here) + by + all.length) % all.length].focus();
    event.preventDefault();
  }

  document.addEventListener("keydown", (event) => {
    if (typing(event.target) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) step(event, steps[event.key]);
    else if (/^[1-9]$/.test(event.key)) document.querySelector(`[data-digit="${event.key}"]`)?.click();
    else if (event.key === "Escape") document.querySelectorAll("details.menu[open]").forEach((menu) => { menu.open = false; });
  });

  // A played card takes the focus with it. If another card of its zone can be chosen, the focus goes to the card that is
  // now in its place; else to the next thing that can be touched; else to the question, where a screen reader reads on.
  document.addEventListener("htmx:before:swap", () => {
    const here = document.activeElement?.closest?.("#table-body *");
    place = here && {zone: group(here)?.id, index: [...(group(here)?.querySelectorAll(touchable) ?? [])].indexOf(here)};
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!place || document.activeElement?.closest("#table-body *")) return;
    const zone = document.getElementById(place.zone);
    const all = [...(zone?.querySelectorAll(touchable) ?? [])];
    const there = all[Math.min(place.index, all.length - 1)];
    const next = zone?.querySelector(legal) ? there : document.querySelector(`#moves ${legal}`) ?? there;
    (next ?? document.getElementById("question"))?.focus({preventScroll: true});
  });
})();
