// A lesson: the bubble's point touches what is meant, and what is meant is scrolled into sight.
(() => {
  const shown = (element) => element.getClientRects().length > 0;

  function point() {
    document.querySelector(".lesson-steps [aria-current]")?.scrollIntoView({block: "nearest"});
    const coach = document.getElementById("coach");
    if (!coach) return;
    coach.classList.remove("points-up", "points-down");
    const find = (kind) => [...document.querySelectorAll(`.pointing :is(.hand, .board) ${kind}`)].find(shown);
    const spot = find(".is-to-reach.target") ?? find(".is-to-touch:not(.chosen)") ?? find(".is-spot");
    if (!spot) return;
    spot.scrollIntoView({block: "nearest", inline: "nearest"});
    const [from, to] = [coach.getBoundingClientRect(), spot.getBoundingClientRect()];
    const at = Math.min(Math.max(to.left + to.width / 2 - from.left, 20), from.width - 20);
    coach.style.setProperty("--point", `${at}px`);
    coach.classList.add(to.top >= from.bottom ? "points-down" : "points-up");
  }

  document.addEventListener("htmx:after:swap", point);
  document.addEventListener("chosen", point);
  window.addEventListener("resize", point);
  document.addEventListener("DOMContentLoaded", point);
})();
