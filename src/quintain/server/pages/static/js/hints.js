// A hint takes seconds: the page says at once that the search thinks, and a screen reader hears what it has found. The
// words for that are in the button. The page that the socket brings shows the rest.
(() => {
  const tool = () => document.querySelector(".tool[form=hint]");
  const help = () => document.getElementById("help");
  let [thinks, before] = [false, ""];

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "hint") return;
    if (tool()?.getAttribute("aria-busy") === "true") {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    tool()?.setAttribute("aria-busy", "true");
    before = help()?.textContent ?? "";
    if (help()) help().textContent = tool()?.dataset.thinks ?? "";
    say(tool()?.dataset.thinks ?? "");
    thinks = true;
  }, true);

  // A request that the server refuses or never hears of is no hint: the button works again.
  for (const event of ["htmx:error", "htmx:response:error"]) document.addEventListener(event, ({detail: {ctx}}) => {
    if (ctx?.sourceElement?.id !== "hint") return;
    thinks = false;
    tool()?.removeAttribute("aria-busy");
    if (help()) help().textContent = before;
  });

  // In a narrow window the moves lie over what may be touched next: a touch on one of them, or beside them, folds them.
  document.addEventListener("click", (event) => {
    const moves = document.getElementById("hints-over");
    if (moves?.open && moves.getClientRects().length && !event.target.closest("summary")) moves.open = false;
  }, true);

  function say(words) {
    const place = document.getElementById("spoken");
    if (place) place.textContent = words;
  }
  // What the server has drawn meanwhile counts: the search may still think, or have found something.
  document.addEventListener("htmx:after:swap", () => {
    if (!thinks || tool()?.getAttribute("aria-busy") === "true") return;
    thinks = false;
    if (tool()?.getAttribute("aria-pressed") === "true") say(help()?.textContent ?? "");
  });
})();
