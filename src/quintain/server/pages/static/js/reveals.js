// Commits to a random number of the player's own when they sit down, and reveals it when the page asks for it, so that nobody
// can choose the cards. A form that seats the player has a field `commitment`; without this script it stays empty.
// `sha256` comes from vendor/sha256.min.js: on plain http, at home, pages have no crypto.subtle.
(() => {
  const KEY = "quintain-random-numbers";
  const MOST = 50; // numbers that are kept, for tables that have not begun

  // By commitment, the oldest first. Private windows may refuse storage; then the player does not commit.
  const kept = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } };
  function keep(numbers) {
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(numbers).slice(-MOST))));
      return true;
    } catch { return false; }
  }
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  document.addEventListener("submit", ({target}) => {
    const field = target.elements.commitment;
    if (!field) return;
    const number = crypto.getRandomValues(new Uint8Array(32));
    const commitment = sha256(number);
    field.value = keep({...kept(), [commitment]: hex(number)}) ? commitment : "";
  }, true);

  const sent = new Set();
  async function reveal() {
    const {reveal: path, commitment} = document.querySelector("[data-reveal]")?.dataset ?? {};
    const revealed = kept()[commitment];
    if (!revealed || sent.has(commitment)) return;
    sent.add(commitment);
    try {
      await fetch(path, {method: "POST", body: new URLSearchParams({csrf: document.querySelector("[name=csrf]").value, revealed})});
      const {[commitment]: _, ...others} = kept();
      keep(others);
    } catch {
      sent.delete(commitment); // the page asks again once it is connected again
    }
  }
  reveal();
  document.addEventListener("htmx:after:swap", reveal);
})();
