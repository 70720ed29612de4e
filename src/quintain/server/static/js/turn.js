// "Your turn" where it is seen from another tab: in the title and the favicon; bell.js is told, too. And what can be
// touched is brought into sight.
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

  // A long table may have all that is lit out of sight, or behind the dock: then it is moved, once for each decision.
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
    // The result comes in above what was looked at last.
    const result = document.getElementById("result");
    if (result && !over) result.scrollIntoView({block: "start"});
    over = Boolean(result);
  }

  tell();
  document.addEventListener("htmx:after:swap", tell);
})();
