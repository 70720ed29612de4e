// Talk: a mark tells how many lines have come that were not in sight; words that were sent leave the field.
(() => {
  const byId = (id) => document.getElementById(id);
  const ids = () => [...document.querySelectorAll("#talk-lines li[id]")].map((line) => Number(line.id.slice("talk.".length)));
  let seen = null;

  function show() {
    const talk = byId("talk");
    if (!talk) return;
    const inSight = talk.open && talk.checkVisibility({visibilityProperty: true});
    if (seen === null || inSight) seen = Math.max(0, ...ids());
    const news = ids().filter((id) => id > seen).length;
    byId("talk-news").hidden = news === 0;
    byId("talk-news").textContent = `${news} new`;
    for (const way of [byId("open-rail"), byId("talk-link")]) way?.toggleAttribute("data-news", news > 0);
  }

  document.addEventListener("submit", (event) => {
    if (event.target.id === "talk-ready" || event.target.id === "talk-report") {
      document.querySelectorAll(".ready[open], .line-menu[open]").forEach((menu) => { menu.open = false; });
    }
  });
  document.addEventListener("htmx:after:request", ({detail: {ctx}}) => {
    if (ctx?.sourceElement?.id === "talk-form" && ctx.response?.status < 400) byId("say-text").value = "";
  });
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll(".ready[open]")) if (!menu.contains(event.target)) menu.open = false;
    if (event.target.closest("#open-rail, #talk-link")) setTimeout(show);
    // On a phone the address keeps the sheet open to which the link at the end leads.
    const stays = event.target.closest("#rail") && !event.target.closest(".rail .close");
    if (location.hash === "#talk-lines" && !stays) location.hash = "#table-open";
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && byId("ready")) byId("ready").open = false; });
  document.addEventListener("toggle", show, true);
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("DOMContentLoaded", show);
})();
