// Cards fly from where they were to where they are: FLIP, by the events around every swap.
// A card whose face is known is followed by its face and owner, then by its face alone (a gift changes its owner); a back
// has no identity, and its id is a place, so backs stay where they are.
(() => {
  const durations = {slow: 900, usual: 450, normal: 450, fast: 150};
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let before = new Map();

  const shown = () => [...document.querySelectorAll("#table-body .piece[data-key]")].filter((piece) => piece.dataset.key);

  function places() {
    const found = new Map();
    for (const piece of shown()) {
      const box = piece.getBoundingClientRect();
      const face = piece.dataset.key.split("@")[0];
      found.set(piece.dataset.key, box);
      // A face that lies in two places says nothing about which of them moved.
      found.set(face, found.has(face) ? null : box);
    }
    return found;
  }

  function fly(piece, from, duration) {
    const to = piece.getBoundingClientRect();
    const [x, y, scale] = [from.x - to.x, from.y - to.y, from.width / (to.width || 1)];
    if (Math.hypot(x, y) < 4) return;
    piece.animate(
      [{transformOrigin: "0 0", zIndex: 9, transform: `translate(${x}px, ${y}px) scale(${scale})`}, {transformOrigin: "0 0", zIndex: 9, transform: "none"}],
      {duration, easing: "cubic-bezier(.2, .7, .2, 1)"},
    );
  }

  document.addEventListener("htmx:before:swap", () => { before = still.matches ? new Map() : places(); });
  document.addEventListener("htmx:after:swap", () => {
    if (!before.size) return;
    const duration = durations[document.getElementById("table-body")?.dataset.speed] ?? 450;
    for (const piece of shown()) {
      const from = before.get(piece.dataset.key) ?? before.get(piece.dataset.key.split("@")[0]);
      if (from) fly(piece, from, duration);
      else piece.animate([{opacity: 0}, {opacity: 1}], {duration});
    }
  });
})();
