// In the lobby: rings and shows a notification when a new table opens, if the player wants that. Without script, or on a
// page that is not the lobby, nothing happens.
(() => {
  const line = () => document.getElementById("notify");
  const button = () => document.getElementById("notify-me");
  const KEY = "quintain-notify";
  const store = (value) => { try { localStorage.setItem(KEY, value); } catch { /* the choice lasts as long as the page */ } };
  const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const tables = () => new Map([...document.querySelectorAll("[data-table]")].map((row) => [row.dataset.table, row]));
  let wanted = stored() === "on", known = new Set(tables().keys());

  // Notifications need a secure context. At home, on plain http, only the bell rings.
  const notifies = () => isSecureContext && "Notification" in window;

  function show() {
    if (!line()) return;
    line().hidden = false;
    button().setAttribute("aria-pressed", wanted);
  }
  show();
  document.addEventListener("htmx:after:swap", () => {
    show();
    const fresh = [...tables()].filter(([id]) => !known.has(id));
    known = new Set(tables().keys());
    if (!wanted || !fresh.length) return;
    document.dispatchEvent(new Event("ring"));
    if (document.hidden && notifies() && Notification.permission === "granted") {
      const words = fresh[0][1].querySelector("h3").textContent;
      new Notification(`A table is open: ${words}`, {tag: "quintain-lobby"});
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#notify-me")) return;
    wanted = !wanted;
    store(wanted ? "on" : "off");
    show();
    if (wanted) document.dispatchEvent(new Event("ring"));
    if (wanted && notifies()) Notification.requestPermission();
  });
})();
