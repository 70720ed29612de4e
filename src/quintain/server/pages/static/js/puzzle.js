// Puzzles by keyboard: digits choose the cards of the hand, Enter answers with the chosen one, H takes wrong moves away, N
// goes on to the next puzzle, P plays on. While something is being judged, the page loads itself again.
(() => {
  const RELOADS = 4000; // milliseconds
  const SOON = 700; // milliseconds in which Enter belongs to the page before: it answered there
  const page = () => document.querySelector("[data-puzzle]");
  const byKey = (key) => document.querySelector(`[data-puzzle] [data-key="${key}"]`);
  const shown = (element) => element.getClientRects().length > 0;

  function answer(event) {
    const acts = [...document.querySelectorAll("#acts .group:not(.free) .act")].filter(shown);
    if (acts.length !== 1 || event.target.closest("button, summary, a:not(.piece)")) return false;
    acts[0].click();
    return true;
  }

  function choose(digit) {
    const held = [...document.querySelectorAll(".puzzle.asked .hand .piece")].filter(shown);
    const card = held[digit - 1];
    if (!card) return held.length > 0;
    card.click();
    card.focus();
    return true;
  }

  function press(key) {
    const button = byKey(key.toUpperCase());
    button?.click();
    return Boolean(button);
  }

  // Before keys.js, which means something else by some of these keys.
  window.addEventListener("keydown", (event) => {
    if (!page() || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
    const letters = localStorage.getItem("quintain-letters") !== "off";
    const isDone = /^[1-9]$/.test(event.key) ? choose(Number(event.key))
      : event.key === "Enter" ? (document.querySelector(".puzzle.answered") && performance.now() < SOON) || answer(event)
      : letters && /^[hnp]$/i.test(event.key) ? press(event.key)
      : false;
    if (isDone) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  document.addEventListener("DOMContentLoaded", () => {
    if (document.querySelector("[data-reloads]")) setTimeout(() => location.reload(), RELOADS);
  });
})();
