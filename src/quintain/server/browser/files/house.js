// The worker that is the house: its Python has the tables and makes the pages. It hears questions on a channel, from the
// service worker and from the sockets of all tabs, and keeps what is written in IndexedDB.
import {keepWarm, python} from "./python.js";

const folder = new URL(".", import.meta.url);
const channel = new BroadcastChannel(`quintain ${folder.pathname}`);
const HOUSE = crypto.randomUUID(); // tells this house from the one that was in another tab
const CALM = 5000; // milliseconds after which the first page is there
const FULL = "The storage of this browser is full, or refused: the last step was not kept. Make room, then load this page again.";
const GONE = "This browser has taken away what Quintain had kept, the games too. Load this page again to begin anew.";

// ---- what is kept ----
const done = (request) => new Promise((go, fail) => {
  request.onsuccess = () => go(request.result);
  request.onerror = () => fail(request.error);
});
async function opened() {
  const request = indexedDB.open(`quintain ${folder.pathname}`, 2);
  request.onupgradeneeded = ({oldVersion}) => {
    if (oldVersion < 1) {
      request.result.createObjectStore("entries", {keyPath: ["table", "seq"]});
      request.result.createObjectStore("tables", {keyPath: "row.id"});
      request.result.createObjectStore("settings");
    }
    request.result.createObjectStore("documents");
  };
  return done(request);
}
const written = (transaction) => new Promise((go, fail) => {
  transaction.oncomplete = () => go(true);
  transaction.onabort = () => (transaction.error?.name === "ConstraintError" ? go(false) : fail(transaction.error));
});
async function keeper() {
  const database = await opened();
  database.onclose = () => channel.postMessage({say: GONE});
  const refuse = (error) => { self.postMessage({full: FULL}); channel.postMessage({say: FULL}); throw error; };
  return {
    load: async () => {
      const reading = database.transaction(["tables", "settings"]);
      const [tables, settings] = await Promise.all([
        done(reading.objectStore("tables").getAll()), done(reading.objectStore("settings").get("all")),
      ]);
      return JSON.stringify({tables, settings: settings ?? {}});
    },
    read: async (table) => {
      const range = IDBKeyRange.bound([table, 0], [table, Infinity]);
      const found = await done(database.transaction("entries").objectStore("entries").getAll(range));
      return JSON.stringify(found.map(({entry}) => entry));
    },
    write: async (entries, rows) => {
      const writing = database.transaction(["entries", "tables"], "readwrite");
      for (const entry of JSON.parse(entries)) writing.objectStore("entries").add({table: entry[0], seq: entry[1], entry});
      for (const row of JSON.parse(rows)) writing.objectStore("tables").put(row);
      return written(writing).catch(refuse);
    },
    keep: async (settings) => {
      const writing = database.transaction("settings", "readwrite");
      writing.objectStore("settings").put(JSON.parse(settings), "all");
      await written(writing).catch(refuse);
    },
    documents: async (kind) => {
      const range = IDBKeyRange.bound([kind, ""], [kind, []]);
      return JSON.stringify(await done(database.transaction("documents").objectStore("documents").getAll(range)));
    },
    document: async (kind, id) => await done(database.transaction("documents").objectStore("documents").get([kind, id])) ?? "",
    put: async (kind, id, text) => {
      const writing = database.transaction("documents", "readwrite");
      if (text) writing.objectStore("documents").put(text, [kind, id]);
      else writing.objectStore("documents").delete([kind, id]);
      await written(writing).catch(refuse);
    },
  };
}

// ---- who thinks ----
const waiting = new Map();
let bots = null, next = 0;
function think(files, question) {
  if (!bots) {
    bots = new Worker(new URL("bots.js", folder), {type: "module"});
    bots.addEventListener("message", ({data: {id, answer, error}}) => {
      const {go, fail} = waiting.get(id);
      waiting.delete(id);
      if (error) fail(new Error(error));
      else go(answer);
    });
  }
  return new Promise((go, fail) => {
    next += 1;
    waiting.set(next, {go, fail});
    bots.postMessage({id: next, files, question});
  });
}

// ---- the house ----
async function start() {
  const [{made, isWarm}, kept, assets] = await Promise.all([
    python(), keeper(), fetch(new URL("assets.json", folder)).then((response) => response.text()),
  ]);
  made._api.on_fatal = (error) => self.postMessage({dead: String(error).slice(-600)});
  const open = made.runPython(`
from pyodide.ffi import to_js
from quintain.server.browser.start import start
def opened(keeper, think, base_url, folder, assets):
    async def ask(files, question):
        return (await think(to_js(files), to_js(question))).to_bytes()
    return start(keeper, ask, base_url, folder, assets)
opened
`);
  const base = folder.pathname.replace(/\/$/, "");
  const begun = await open(kept, think, folder.origin + base, base, assets);
  if (!isWarm) setTimeout(() => keepWarm(made), CALM);
  return begun;
}

// A question may come twice, since it is asked again until somebody takes it: each is answered once. Sockets that ask too
// early ask again when they hear of the new house.
const taken = new Set();
const early = [];
let isOpen = false;
const house = start();
house.then(() => {
  isOpen = true;
  channel.postMessage({ready: true, isNew: true, house: HOUSE});
  for (const data of early.splice(0)) answer(data);
}, (error) => self.postMessage({error: String(error).slice(-600)}));

function hear({data}) {
  if (data.isReady && isOpen) channel.postMessage({ready: true});
  if (data.ask) {
    channel.postMessage({taken: data.ask, house: HOUSE});
    if (taken.has(data.ask)) return;
    taken.add(data.ask);
  }
  if (data.ask && !isOpen) early.push(data);
  else if (isOpen) answer(data);
}

async function answer({ask, connect, disconnect, ...data}) {
  const begun = await house;
  if (connect) {
    const send = (html) => channel.postMessage({socket: connect, html});
    begun.connect(connect, data.path, send, () => channel.postMessage({socket: connect, isOver: true}));
    channel.postMessage({socket: connect, open: true});
  } else if (disconnect) {
    begun.disconnect(disconnect);
  } else if (ask) {
    const {method, address, headers, body} = data;
    const found = await begun.answer(method, address, JSON.stringify(headers), body).catch((error) => {
      self.postMessage({error: String(error).slice(-600)});
      return JSON.stringify({status: 500, text: "Something went wrong.", headers: {"content-type": "text/plain; charset=utf-8"}});
    });
    channel.postMessage({answer: ask, found: JSON.parse(found)});
  }
}
channel.addEventListener("message", hear);
