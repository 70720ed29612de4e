// The page around all pages. It installs the service worker, which keeps every file; then one of the tabs that are open runs
// the house, a worker with Python in it, and each tab shows the pages in a frame. So the house stays while pages come and go.
const say = (words) => { document.getElementById("say").textContent = words; };
const frame = document.getElementById("page");
const folder = new URL(".", import.meta.url);
// The address changes with the page in the frame, and what this page names still lies in the folder of the site.
if (!document.querySelector("base")) document.head.prepend(Object.assign(document.createElement("base"), {href: folder.href}));
const HOUSE = `quintain-house ${folder.pathname}`;
const channel = new BroadcastChannel(`quintain ${folder.pathname}`);
const TOO_OLD = "This browser is too old for Quintain. It needs a newer one: Chrome or Edge 113, Firefox 121, Safari 17.4, or later.";
const PRIVATE = "Quintain cannot work here: this browser refuses to keep files. In a private window, or with storage switched off, it has no place for your games.";

const MOST_DEAD = 3; // houses that may die in a tab

// What Python in the browser needs: exceptions and numbers of 64 bits in WebAssembly, locks, and streams that unpack.
const isNewEnough = () => {
  const exceptions = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11]);
  return typeof WebAssembly === "object" && WebAssembly.validate(exceptions) && typeof BigInt64Array === "function"
    && "locks" in navigator && "DecompressionStream" in window;
};

async function installed() {
  if (!("serviceWorker" in navigator)) throw new Error(isSecureContext ? PRIVATE : "Quintain needs an address that begins with https.");
  channel.addEventListener("message", ({data}) => {
    if (data.say) {
      document.getElementById("coming").hidden = false;
      frame.hidden = true;
      say(data.say);
    }
    if (data.loaded !== undefined) document.getElementById("progress").value = data.loaded;
    if (data.failed) say(`A file of Quintain could not be loaded (${data.failed}). Check the network, and load this page again.`);
  });
  const registration = await navigator.serviceWorker.register(new URL("sw.js", folder), {type: "classic"}).catch(() => { throw new Error(PRIVATE); });
  if (!navigator.serviceWorker.controller) {
    const controlled = new Promise((go) => navigator.serviceWorker.addEventListener("controllerchange", go, {once: true}));
    if (registration.active) registration.active.postMessage({claim: true}); // after a reload that goes around it
    await controlled;
  }
  return registration;
}

// A new version waits until the player takes it, or until no tab of the old one is open.
function offer(registration) {
  const show = () => { if (registration.waiting) document.getElementById("offer").hidden = false; };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", show));
  show();
  document.getElementById("later").addEventListener("click", () => { document.getElementById("offer").hidden = true; });
  document.getElementById("take").addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {once: true});
    registration.waiting?.postMessage({take: true});
  });
}

// The tab that gets the lock runs the house until it is closed; then the next tab does. A house whose Python has died, as one
// without memory does, is followed by a new one in the same tab, unless the same kills that one, too.
function keepHouse() {
  navigator.locks.request(HOUSE, () => new Promise((_, fail) => {
    let worker = null, dead = 0;
    const begin = () => {
      const begun = worker = new Worker(new URL("house.js", folder), {type: "module"});
      worker.addEventListener("message", ({data}) => {
        if (data.error) failed(data.error);
        if (!data.dead || worker !== begun) return;
        begun.terminate();
        dead += 1;
        if (dead < MOST_DEAD) begin();
        else failed(data.dead);
      });
      worker.addEventListener("error", (event) => { failed(event.message || "the worker cannot start"); });
    };
    addEventListener("pagehide", (event) => { if (!event.persisted) { worker.terminate(); fail(new Error("closed")); } });
    begin();
  })).catch(() => { /* the tab is closed */ });
}

function failed(words) {
  document.getElementById("coming").hidden = false;
  frame.hidden = true;
  say(`Something went wrong: ${words}`);
}

// The house is ready when it answers; whoever asks earlier waits.
const ready = () => new Promise((go) => {
  const ask = () => channel.postMessage({isReady: true});
  const timer = setInterval(ask, 200);
  channel.addEventListener("message", function hear({data}) {
    if (!data.ready) return;
    clearInterval(timer);
    channel.removeEventListener("message", hear);
    go();
  });
  ask();
});

// The address and the title of the tab are those of the page in the frame.
function follow() {
  const inside = frame.contentWindow;
  if (inside.location.href === "about:blank") return;
  history.replaceState(null, "", inside.location.href);
  const title = () => { document.title = inside.document.title || "Quintain"; };
  title();
  const head = inside.document.querySelector("title");
  if (head) new MutationObserver(title).observe(head, {childList: true});
  document.getElementById("coming").hidden = true;
  frame.hidden = false;
}

// A file, such as a record, is downloaded by a frame of its own; in sight is the page that it belongs to.
function show(wanted) {
  const isFile = /\.\w+$/.test(wanted.pathname);
  if (isFile) document.body.append(Object.assign(document.createElement("iframe"), {hidden: true, src: wanted.href}));
  frame.src = isFile ? new URL(".", wanted).href.replace(/(?<=.)\/$/, "") : wanted.href;
}

try {
  if (!isNewEnough()) throw new Error(TOO_OLD);
  const registration = await installed();
  offer(registration);
  keepHouse();
  say("The cards are being laid out.");
  document.getElementById("progress").removeAttribute("value");
  await ready();
  navigator.storage?.persist?.();
  navigator.serviceWorker.controller.postMessage({rest: true});
  frame.addEventListener("load", follow);
  // A page elsewhere links to one of ours by the part after #: no host has a file for it before the first visit.
  const here = location.pathname === `${folder.pathname}index.html` ? folder.href : location.href;
  show(new URL(location.hash.startsWith("#/") ? folder.href + location.hash.slice(2) : here));
} catch (error) {
  document.getElementById("progress").hidden = true;
  say(error.message);
}
