// Rings a bell and shows a notification when it is the player's turn, if the player wants that. turn.js sends the event
// "your-turn". The bell is made of three tones here, so it needs no file.
(() => {
  const button = () => document.getElementById("bell");
  const KEY = "quintain-bell";

  // Private windows may refuse storage; then the choice lasts as long as the page.
  const store = (value) => { try { localStorage.setItem(KEY, value); } catch { /* see above */ } };
  const stored = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  let rings = stored() === "on";

  function ring() {
    const context = new AudioContext();
    const end = context.currentTime + 1.2;
    for (const [pitch, loudness] of [[880, .12], [1318, .06], [1760, .03]]) {
      const tone = new OscillatorNode(context, {frequency: pitch});
      const gain = new GainNode(context, {gain: loudness});
      gain.gain.exponentialRampToValueAtTime(.0001, end);
      tone.connect(gain).connect(context.destination);
      tone.start();
      tone.stop(end);
    }
    setTimeout(() => context.close(), 1500);
  }

  document.addEventListener("ring", ring);

  // Notifications need a secure context. At home, on plain http, only the bell rings.
  const notifies = () => isSecureContext && "Notification" in window;

  document.addEventListener("your-turn", (event) => {
    if (!rings) return;
    ring();
    if (document.hidden && notifies() && Notification.permission === "granted") {
      new Notification(`Your turn: ${event.detail}`, {tag: location.pathname});
    }
  });

  function show() {
    if (!button()) return;
    button().hidden = false;
    button().setAttribute("aria-pressed", rings);
  }
  show();
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#bell")) return;
    rings = !rings;
    store(rings ? "on" : "off");
    show();
    if (rings) ring();
    if (rings && notifies()) Notification.requestPermission();
  });
})();
