// Shows "Your turn" where people see it from another tab, in the title and the icon of the page, and sends the event
// "your-turn" to bell.js. Scrolls to the first piece that can be touched, if none is in sight.
(() => {
  const title = document.title;
  const favicon = document.getElementById("favicon");
  const quiet = favicon?.href;
  let mine = document.getElementById("table-body")?.dataset.turn === "yes";
  let over = Boolean(document.getElementById("result"));
  let asked = null;

  function isInSight(piece) {
    const [box, dock, zone] = [piece, document.getElementById("dock"), piece.closest("section")].map((part) => part?.getBoundingClientRect());
    const wide = !zone || (box.left >= zone.left && box.right <= zone.right);
    return wide && box.top >= 0 && box.bottom <= Math.min(innerHeight, dock.top);
  }

  // On a long table all pieces that can be touched may be out of sight or behind the dock. Then scroll, once a decision.
  function show() {
    const decision = mine ? document.querySelector("#moves > [name=decision]").value : null;
    if (decision === asked) return;
    asked = decision;
    const lit = [...document.querySelectorAll("#board button[name=action]")];
    if (!mine || !lit.length || lit.some(isInSight)) return;
    lit[0].closest("section")?.scrollIntoView({block: "start"});
    if (!isInSight(lit[0])) lit[0].scrollIntoView({block: "start"});
  }

  function tell() {
    const now = document.getElementById("table-body")?.dataset.turn === "yes";
    document.title = now ? `● Your turn: ${title}` : title;
    if (favicon) favicon.href = now ? favicon.dataset.turn : quiet;
    if (now && !mine) document.dispatchEvent(new CustomEvent("your-turn", {detail: title}));
    mine = now;
    show();
    // The result appears above the place where the player looked last.
    const result = document.getElementById("result");
    if (result && !over) result.scrollIntoView({block: "start"});
    over = Boolean(result);
  }

  tell();
  document.addEventListener("htmx:after:swap", tell);
})();
