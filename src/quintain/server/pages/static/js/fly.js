// Cards fly from their old place to the new one (the FLIP technique): this file notes all places before htmx swaps the
// table, and animates the cards after it, at their own size. Only pieces fly: they say so by `data-flies`. It recognises an open card by its face and owner, then by its face alone, since
// a gift changes the owner. A back has no face, only a place. A card that appears comes from where its owner's last card
// has gone, or from a stack that has become smaller.
(() => {
  const durations = {slow: 600, usual: 300, fast: 150};
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let before = null;

  function shown() {
    const pieces = [...document.querySelectorAll("#table-body [data-flies]:not([data-flies=''])")].map((piece) => {
      const [face, owner] = piece.dataset.flies.split("@");
      const stacked = Boolean(piece.closest(".zone.stack"));
      return {piece, face, owner, stacked, key: piece.dataset.flies, place: `${piece.id} ${piece.dataset.flies}`, box: piece.getBoundingClientRect()};
    });
    const stacks = [...document.querySelectorAll("#table-body .zone.stack")].map((zone) => (
      {id: zone.id, size: Number(zone.dataset.size), box: (zone.querySelector(".piece") ?? zone).getBoundingClientRect()}
    ));
    return {pieces, stacks};
  }

  // Pair each piece with the one that it was before: in the same place, else the only one of its key, else of its face.
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

  // Find for each piece that has appeared a place that it comes from.
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
      const from = pairs.has(is) ? null : drawn.shift() ?? gone.shift() ?? plate(is.owner);
      if (from) pairs.set(is, from);
    }
  }

  // A hand that is not drawn is as good as at its owner's plate.
  function plate(seat) {
    const found = seat && document.getElementById(`seat.${seat}`);
    return found && {box: found.getBoundingClientRect()};
  }

  function fly(piece, from, to, duration) {
    const x = from.x + from.width / 2 - to.x - to.width / 2, y = from.y + from.height / 2 - to.y - to.height / 2;
    if (Math.hypot(x, y) < 4) return;
    piece.animate(
      [{zIndex: 9, transform: `translate(${x}px, ${y}px)`}, {zIndex: 9, transform: "none"}],
      {duration, easing: "cubic-bezier(.2, .7, .2, 1)"},
    );
  }

  document.addEventListener("htmx:before:swap", () => { before = still.matches ? null : shown(); });
  document.addEventListener("htmx:after:swap", () => {
    if (!before?.pieces.length) return;
    const duration = durations[document.getElementById("table-body").dataset.speed];
    document.querySelectorAll("#table-body [data-flies]").forEach((piece) => piece.getAnimations().forEach((flight) => flight.cancel()));
    const now = shown();
    const pairs = paired(before.pieces, now.pieces);
    trace(pairs, before, now);
    for (const is of now.pieces) {
      const was = pairs.get(is);
      // Whatever lies where it lay has only moved with the page around it.
      if (was && was.place !== is.place) fly(is.piece, was.box, is.box, duration);
      if (!was) is.piece.animate([{opacity: 0}, {opacity: 1}], {duration});
    }
  });
})();
