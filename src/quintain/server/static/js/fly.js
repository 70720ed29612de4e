// Cards fly from where they were to where they are: FLIP, by the events around every swap.
// A card whose face is known is followed by its face and owner, then by its face alone (a gift changes its owner). A back
// has no identity, its id is a place: what appears where nothing was, comes from where something has gone, or from a stack
// that has become smaller.
(() => {
  const durations = {slow: 900, usual: 450, normal: 450, fast: 150};
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const flying = "#table-body .piece[data-key]:not([data-key='']), #table-body .piece:has(> .back)";
  let before = null;

  function places() {
    const pieces = [...document.querySelectorAll(flying)].map((piece) => {
      const key = piece.dataset.key || piece.id;
      return {piece, key, face: key.split("@")[0], box: piece.getBoundingClientRect(), stacked: Boolean(piece.closest(".zone.stack"))};
    });
    const stacks = [...document.querySelectorAll("#table-body .zone.stack")].map((zone) => ({
      id: zone.id, size: Number(zone.querySelector("small").textContent), box: (zone.querySelector(".piece") ?? zone).getBoundingClientRect(),
    }));
    return {pieces, stacks};
  }

  function fly(piece, from, to, duration) {
    const [x, y, scale] = [from.x - to.x, from.y - to.y, from.width / (to.width || 1)];
    if (Math.hypot(x, y) < 4) return;
    piece.animate(
      [{transformOrigin: "0 0", zIndex: 9, transform: `translate(${x}px, ${y}px) scale(${scale})`}, {transformOrigin: "0 0", zIndex: 9, transform: "none"}],
      {duration, easing: "cubic-bezier(.2, .7, .2, 1)"},
    );
  }

  // Pair what is there now with what was there: by key, then by a face of which there is one.
  function paired(then, now) {
    const pairs = new Map();
    for (const part of ["key", "face"]) {
      const taken = new Set(pairs.values());
      const left = then.filter((was) => !taken.has(was));
      for (const is of now) {
        const same = left.filter((was) => was[part] === is[part]);
        if (!pairs.has(is) && same.length === 1) pairs.set(is, same[0]);
      }
    }
    return pairs;
  }

  document.addEventListener("htmx:before:swap", () => { before = still.matches ? null : places(); });
  document.addEventListener("htmx:after:swap", () => {
    if (!before?.pieces.length) return;
    const duration = durations[document.getElementById("table-body")?.dataset.speed] ?? 450;
    const now = places();
    const pairs = paired(before.pieces, now.pieces);
    const stayed = new Set(pairs.values());
    const origins = before.pieces.filter((was) => !stayed.has(was) && !was.stacked).map((was) => was.box);
    for (const was of before.stacks) {
      const size = now.stacks.find((stack) => stack.id === was.id)?.size ?? 0;
      for (let gone = size; gone < was.size; gone++) origins.push(was.box);
    }
    for (const is of now.pieces) {
      const from = pairs.has(is) ? pairs.get(is).box : origins.shift();
      if (from) fly(is.piece, from, is.box, duration);
      else is.piece.animate([{opacity: 0}, {opacity: 1}], {duration});
    }
  });
})();
