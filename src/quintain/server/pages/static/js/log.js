// The log keeps to its end, as its lines are drawn from the foot. Whoever has scrolled up reads on in peace: a button
// below tells how many lines are new, and goes there.
(() => {
  const byId = (id) => document.getElementById(id);
  const count = () => document.querySelectorAll("#log li:not(.heading)").length;
  const isAtEnd = () => byId("log").scrollTop > -20; // it is negative above the end
  let seen = 0;

  function show() {
    const button = byId("log-news");
    if (!button) return;
    if (isAtEnd()) seen = count();
    button.hidden = count() <= seen;
    button.textContent = `${count() - seen} new below`;
  }

  document.addEventListener("scroll", (event) => { if (event.target.id === "log") show(); }, true);
  document.addEventListener("click", (event) => { if (event.target.closest("#log-news")) byId("log").scrollTo({top: 0}); });
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("DOMContentLoaded", show);
})();
