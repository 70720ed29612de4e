// Rings and shows a notification when it is the player's turn or a game begins, and in the lobby when a table opens, if the
// player wants that. The bell is made of three tones here, so it needs no file. turn.js sends the event "your-turn".
//
// Browsers let a page ring only once somebody has touched it, and again after each load. Until then the button shows that
// the bell sleeps, and the first touch or key wakes it. On phones only a worker may show notifications.
(() => {
  const WORKER = new URL("worker.js", document.currentScript.src);
  const switches = [
    {button: () => document.getElementById("bell"), line: () => null, key: "quintain-bell"},
    {button: () => document.getElementById("notify-me"), line: () => document.getElementById("notify"), key: "quintain-notify"},
  ];
  // Private windows may refuse storage; then the choice lasts as long as the page.
  const stored = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const store = (key, value) => { try { localStorage.setItem(key, value); } catch { /* see above */ } };
  for (const one of switches) one.on = stored(one.key) === "on";
  const [turns, tables] = switches;

  let sound = null;
  const isAwake = () => sound?.state === "running";
  const wasTouched = () => navigator.userActivation?.hasBeenActive ?? false;
  async function wake() {
    if (isAwake() || !switches.some((one) => one.on)) return;
    sound ??= new AudioContext();
    sound.onstatechange = show;
    try { await sound.resume(); } catch { /* it sleeps on */ }
    show();
  }

  const LATE = 2000; // milliseconds after which a bell that was woken no longer rings for what has been
  function ring() {
    const due = performance.now();
    if (!isAwake()) return void wake().then(() => { if (isAwake() && performance.now() - due < LATE) ring(); });
    const end = sound.currentTime + 1.2;
    for (const [pitch, loudness] of [[880, .12], [1318, .06], [1760, .03]]) {
      const tone = new OscillatorNode(sound, {frequency: pitch});
      const gain = new GainNode(sound, {gain: loudness});
      gain.gain.exponentialRampToValueAtTime(.0001, end);
      tone.connect(gain).connect(sound.destination);
      tone.start();
      tone.stop(end);
    }
    if (wasTouched()) navigator.vibrate?.(200);
  }

  // Notifications need a secure context. At home, on plain http, only the bell rings.
  const notifies = () => isSecureContext && "Notification" in window && "serviceWorker" in navigator;
  const mayNotify = () => notifies() && Notification.permission === "granted";
  // Only a worker that is active shows notifications; the first time it must be installed before.
  async function worker() {
    const registration = await navigator.serviceWorker.register(WORKER);
    const coming = registration.installing ?? registration.waiting;
    if (!registration.active) await new Promise((go) => coming.addEventListener("statechange", () => {
      if (coming.state === "activated" || coming.state === "redundant") go();
    }));
    return registration;
  }
  async function tell(news, tag) {
    ring();
    if (!document.hidden || !mayNotify()) return;
    const data = {href: location.href};
    try { await (await worker()).showNotification(news, {tag, data}); } catch { /* a private window may have no workers */ }
  }

  function words() {
    const silent = isAwake() ? "" : "Touch the page once, then it can ring. ";
    if (!notifies()) return `${silent}It rings as long as this page is open; here, your browser shows no notifications.`;
    if (Notification.permission === "denied") return `${silent}It rings; notifications from here are blocked in your browser.`;
    return `${silent}It rings, and shows a notification if this page is open behind others.`;
  }

  let said = null;
  function say() {
    said ??= Object.assign(document.createElement("p"), {className: "bell-words", role: "status"});
    document.body.append(said);
    said.textContent = words();
    said.hidden = false;
    clearTimeout(say.ends);
    say.ends = setTimeout(() => { said.hidden = true; }, 6000);
  }

  function show() {
    for (const one of switches) {
      const button = one.button();
      if (!button) continue;
      if (one.line()) one.line().hidden = false;
      one.asked ??= button.title;
      button.hidden = false;
      button.setAttribute("aria-pressed", one.on);
      button.classList.toggle("asleep", one.on && !isAwake());
      button.title = one.on ? words() : one.asked;
    }
  }

  document.addEventListener("your-turn", (event) => { if (turns.on) tell(`Your turn: ${event.detail}`, location.pathname); });

  const waits = () => Boolean(document.querySelector("#table-body.is-waiting"));
  const open = () => new Map([...document.querySelectorAll("[data-table]")].map((row) => [row.dataset.table, row]));
  let wasWaiting = waits(), known = new Set(open().keys());
  document.addEventListener("htmx:after:swap", () => {
    show();
    if (wasWaiting && !waits() && turns.on) tell(`The game begins: ${document.title}`, location.pathname);
    wasWaiting = waits();
    const fresh = [...open()].filter(([id]) => !known.has(id));
    known = new Set(open().keys());
    if (tables.on && fresh.length) tell(`A table is open: ${fresh[0][1].querySelector("h3").textContent}`, "quintain-lobby");
  });

  document.addEventListener("click", async (event) => {
    const one = switches.find((each) => each.button()?.contains(event.target));
    if (!one) return;
    one.on = !one.on;
    store(one.key, one.on ? "on" : "off");
    show();
    if (!one.on) return;
    await wake();
    ring();
    if (notifies()) {
      await Notification.requestPermission();
      if (mayNotify()) worker().catch(() => { /* see above */ });
    }
    say();
    show();
  });

  for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, wake, true);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && sound) wake(); });
  if (navigator.getAutoplayPolicy?.("audiocontext") === "allowed") wake();
  show();
})();
