// Shows "Your turn" where people see it from another tab, in the title and the icon of the page, and sends the event
// "your-turn" to bell.js.
(() => {
  const title = document.title;
  const favicon = document.getElementById("favicon");
  const quiet = favicon?.href;
  const isMine = () => document.getElementById("table-body")?.dataset.turn === "yes";
  let mine = isMine();

  function tell() {
    const now = isMine();
    document.title = now ? `● Your turn: ${title}` : title;
    if (favicon) favicon.href = now ? favicon.dataset.turn : quiet;
    if (now && !mine) document.dispatchEvent(new CustomEvent("your-turn", {detail: title}));
    mine = now;
  }

  tell();
  document.addEventListener("htmx:after:swap", tell);
})();
