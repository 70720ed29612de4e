// Cards fly from where they were to where they are: FLIP, by the events around every swap.
// A card whose face is known is followed by its face and owner, then by its face alone (a gift changes its owner). A back
// has no identity, its id is a place. What appears comes from where something of its owner has gone, or from a stack that
// has become smaller.
(() => {
  const durations = {slow: 900, usual: 450, fast: 150};
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;

  function shown() {
    const pieces = [...document.querySelectorAll("#table-body .piece[data-key]:not([data-key=''])")].map((piece) => {
      const [face, owner] = piece.dataset.key.split("@");
      const stacked = Boolean(piece.closest(".zone.stack"));
      return {piece, face, owner, stacked, key: piece.dataset.key, place: `${piece.id} ${piece.dataset.key}`, box: piece.getBoundingClientRect()};
    });
    const stacks = [...document.querySelectorAll("#table-body .zone.stack")].map((zone) => (
      {id: zone.id, size: Number(zone.dataset.size), box: (zone.querySelector(".piece") ?? zone).getBoundingClientRect()}
    ));
    return {pieces, stacks};
  }

  // Pair what is there now with what it was: what is still in its place, then the only one of its key, or of its face.
  function paired(then, now) {
    const pairs = new Map();
    for (const part of ["place", "key", "face"]) {
      const taken = new Set(pairs.values());
      const left = then.filter((was) => !taken.has(was) && (was.face || part === "place"));
      for (const is of now) {
        const same = left.filter((was) => was[part] === is[part]);
        if (!pairs.has(is) && same.length === 1) pairs.set(is, same[0]);
      }
    }
    return pairs;
  }

  // Give what has appeared a place from which it comes.
  function trace(pairs, then, now) {
    const stayed = new Set(pairs.values());
    const gone = then.pieces.filter((was) => !stayed.has(was) && !was.stacked);
    const drawn = then.stacks.flatMap((was) => {
      const size = now.stacks.find((stack) => stack.id === was.id)?.size ?? 0;
      return Array(Math.max(0, was.size - size)).fill(was);
    });
    const appeared = now.pieces.filter((is) => !pairs.has(is));
    for (const is of appeared.filter((each) => each.face)) {
      const theirs = gone.findIndex((was) => was.owner === is.owner);
      if (theirs >= 0) pairs.set(is, gone.splice(theirs, 1)[0]);
    }
    for (const is of appeared) {
      const from = pairs.has(is) ? null : drawn.shift() ?? gone.shift();
      if (from) pairs.set(is, from);
    }
  }

  function fly(piece, from, to, duration) {
    const [x, y, scale] = [from.x - to.x, from.y - to.y, from.width / (to.width || 1)];
    if (Math.hypot(x, y) < 4) return;
    piece.animate(
      [{transformOrigin: "0 0", zIndex: 9, transform: `translate(${x}px, ${y}px) scale(${scale})`}, {transformOrigin: "0 0", zIndex: 9, transform: "none"}],
      {duration, easing: "cubic-bezier(.2, .7, .2, 1)"},
    );
  }

  document.addEventListener("htmx:before:swap", () => { before = still.matches ? null : shown(); });
  document.addEventListener("htmx:after:swap", () => {
    if (!before?.pieces.length) return;
    const duration = durations[document.getElementById("table-body").dataset.speed];
    document.querySelectorAll("#table-body .piece").forEach((piece) => piece.getAnimations().forEach((flight) => flight.cancel()));
    const now = shown();
    const pairs = paired(before.pieces, now.pieces);
    trace(pairs, before, now);
    for (const is of now.pieces) {
      if (pairs.has(is)) fly(is.piece, pairs.get(is).box, is.box, duration);
      else is.piece.animate([{opacity: 0}, {opacity: 1}], {duration});
    }
  });
})();
