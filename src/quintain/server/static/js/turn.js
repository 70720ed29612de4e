// "Your turn" where it is seen from another tab: in the title and the favicon; bell.js is told, too.
(() => {
  const title = document.title;
  const favicon = document.getElementById("favicon");
  const quiet = favicon?.href;
  let mine = document.getElementById("table-body")?.dataset.turn === "yes";
  let over = Boolean(document.getElementById("result"));

  function tell() {
    const now = document.getElementById("table-body")?.dataset.turn === "yes";
    document.title = now ? `● Your turn: ${title}` : title;
    if (favicon) favicon.href = now ? favicon.dataset.turn : quiet;
    if (now && !mine) document.dispatchEvent(new CustomEvent("your-turn", {detail: title}));
    mine = now;
    // The result comes in above what was looked at last.
    const result = document.getElementById("result");
    if (result && !over) result.scrollIntoView({block: "start"});
    over = Boolean(result);
  }

  tell();
  document.addEventListener("htmx:after:swap", tell);
})();
