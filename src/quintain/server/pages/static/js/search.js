// On the page of a table that waits for players: counts how long it has waited. The page says what the server's clock showed
// when it was made, since the clock of this device may be wrong.
(() => {
  const begun = performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
  const ahead = Date.now() - Number(document.body.dataset.now) - (performance.now() - begun);
  function words(seconds) {
    if (seconds < 3600) return `for ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const hours = Math.floor(seconds / 3600);
    return hours < 48 ? `for ${hours} h` : `for ${Math.floor(hours / 24)} days`;
  }
  function count() {
    for (const place of document.querySelectorAll("[data-since]")) {
      place.textContent = words(Math.max(0, Math.round((Date.now() - ahead - Number(place.dataset.since)) / 1000)));
    }
  }
  count();
  setInterval(count, 1000);
  document.addEventListener("htmx:after:swap", count);
})();
