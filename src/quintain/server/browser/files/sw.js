// Keeps every file of this version, and hands what pages ask to the house. `VERSION` and `FILES` stand above: `quintain site`
// writes them. A file is fetched packed, unpacked, and kept only if its hash is the one that is listed. Files that are marked
// `later` are kept once the first page is there.
const FOLDER = new URL(".", self.location).pathname;
const KEPT = `quintain ${FOLDER} `;
const channel = new BroadcastChannel(`quintain ${FOLDER}`);
const LATER = Object.keys(FILES).filter((path) => FILES[path].later);
const WARM = "warm/";
const SHELL = "index.html";
const AGAIN = 2000; // milliseconds after which a question that nobody has taken is asked again
const CUT_OFF = "What keeps the games was closed, or had to begin anew, before it answered. See whether what you sent was done, and send it again if not.";
const POLICY = "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'; object-src 'none'";
const WORKERS = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'";
const TYPES = {html: "text/html; charset=utf-8", js: "text/javascript", mjs: "text/javascript", css: "text/css", svg: "image/svg+xml", json: "application/json", wasm: "application/wasm", webmanifest: "application/manifest+json", woff2: "font/woff2", zip: "application/zip"};

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const hashed = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));

async function load(path, {hash, packed}) {
  const response = await fetch(`${FOLDER}${path}${packed ? ".gz" : ""}?${hash.slice(0, 8)}`, {cache: "no-cache"});
  if (!response.ok) throw new Error(path);
  let bytes = await response.arrayBuffer();
  // Some hosts unpack what ends in .gz themselves, or say so to the browser, which then does.
  const isPacked = packed && new Uint8Array(bytes, 0, 2).join() === "31,139";
  if (isPacked) bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  if (await hashed(bytes) !== hash) throw new Error(path);
  const type = TYPES[path.split(".").pop()] ?? "application/octet-stream";
  const headers = {"content-type": type, "x-content-type-options": "nosniff", "x-hash": hash};
  if (/^(house|bots)\.js$/.test(path)) headers["content-security-policy"] = WORKERS;
  return new Response(bytes, {headers});
}

// What an older version has kept already is not fetched again.
async function known(path, hash) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(KEPT)) continue;
    const found = await (await caches.open(name)).match(FOLDER + path);
    if (found?.headers.get("x-hash") === hash) return found;
  }
  return null;
}

async function install() {
  const cache = await caches.open(KEPT + VERSION);
  const paths = Object.keys(FILES).filter((path) => !FILES[path].later);
  let done = 0;
  const keep = async (path) => {
    try {
      await cache.put(FOLDER + path, await known(path, FILES[path].hash) ?? await load(path, FILES[path]));
    } catch (error) {
      channel.postMessage({failed: path});
      throw error;
    }
    done += FILES[path].size;
    channel.postMessage({loaded: done / paths.reduce((sum, each) => sum + FILES[each].size, 0)});
  };
  const next = paths.slice();
  await Promise.all(Array.from({length: 6}, async () => { while (next.length) await keep(next.shift()); }));
  for (const path of LATER) {
    const found = await known(path, FILES[path].hash);
    if (found) await cache.put(FOLDER + path, found);
  }
}

async function keepRest() {
  for (const path of LATER) await kept(path).catch(() => {}); // it is fetched when it is needed
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(KEPT) && name !== KEPT + VERSION) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener("message", (event) => {
  const {data} = event;
  if (data.take) self.skipWaiting();
  if (data.claim) self.clients.claim();
  if (data.rest) event.waitUntil(keepRest());
});

self.addEventListener("fetch", (event) => {
  const {request} = event, url = new URL(request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(FOLDER)) return;
  const path = url.pathname.slice(FOLDER.length);
  if (FILES[path]) event.respondWith(kept(path));
  else if (path.startsWith(WARM)) event.respondWith(warm(request, url.pathname));
  else if (request.mode === "navigate" && request.destination === "document") event.respondWith(shell());
  else event.respondWith(answer(request, url));
});

// The page around all pages, for any address: what it names lies in the folder of the site.
async function shell() {
  const html = await (await kept(SHELL)).text();
  const headers = {"content-type": TYPES.html, "cache-control": "no-store"};
  return new Response(html.replace("<head>", `<head>\n<base href="${FOLDER}">`), {headers});
}

async function kept(path) {
  const cache = await caches.open(KEPT + VERSION);
  const found = await cache.match(FOLDER + path);
  if (found) return found;
  const response = await load(path, FILES[path]);
  await cache.put(FOLDER + path, response.clone()).catch(() => {}); // no room
  return response;
}

// What the house makes for later starts of this version; nothing, as long as it has not.
async function warm(request, address) {
  const cache = await caches.open(KEPT + VERSION);
  if (request.method !== "PUT") return await cache.match(address) ?? new Response(null, {status: 204});
  const response = new Response(await request.arrayBuffer());
  return cache.put(address, response).then(() => new Response(null, {status: 204}), () => new Response(null, {status: 507}));
}

// A form as text, files in it too: Python gets it as a form without files.
async function posted(request) {
  if (request.method !== "POST") return {body: "", type: ""};
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("multipart/")) return {body: await request.text(), type};
  const fields = new URLSearchParams();
  for (const [name, value] of await request.formData()) {
    const text = typeof value === "string" ? value : await value.text();
    if (text || !fields.has(name)) fields.append(name, text);
    if (text && fields.getAll(name).includes("")) fields.set(name, text);
  }
  return {body: fields.toString(), type: "application/x-www-form-urlencoded"};
}

async function answer(request, url) {
  const {body, type} = await posted(request);
  const headers = {...Object.fromEntries(request.headers), "content-type": type};
  let found = await ask({method: request.method, address: url.pathname + url.search, headers, body});
  while (found.status === 303 && request.mode !== "navigate") {
    const {"content-type": _, ...others} = headers;
    found = await ask({method: "GET", address: found.headers.location, headers: others, body: ""});
  }
  if (found.status === 303) return Response.redirect(new URL(found.headers.location, url), 303);
  const more = {"content-security-policy": POLICY, "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "same-origin"};
  return new Response(found.status === 204 ? null : found.text, {status: found.status, headers: {...found.headers, ...more}});
}

// Whether a question does no harm if it is asked twice: one for a page, or a move, which a table takes only once.
const isRepeatable = ({method, address}) => method === "GET" || address.endsWith("/moves");

// What a page gets instead of an answer that a house took with it when its tab was closed, or its Python died.
function cutOff({headers}) {
  if (headers.accept?.includes("json")) return {status: 503, text: JSON.stringify({error: CUT_OFF, status: 503}), headers: {"content-type": TYPES.json}};
  const notice = `<p class="notice" id="notice" role="alert">${CUT_OFF}</p>`;
  if (headers["hx-request"]) return {status: 503, text: notice, headers: {"content-type": TYPES.html, "hx-retarget": "#notice", "hx-reswap": "outerHTML"}};
  return {status: 503, text: `<!doctype html><title>Quintain</title>${notice}<p><a href="${FOLDER}">Quintain</a></p>`, headers: {"content-type": TYPES.html}};
}

// Ask the house, in whichever tab it is. It says at once that it has the question; if nobody does, the tab with the house
// may be closing, and the next one will have it. If the house that took it is closed before it answers, the next house is
// asked, unless that might do the same twice. It answers a move that the first house had made as it answers any old one.
function ask(question) {
  const id = crypto.randomUUID();
  return new Promise((go) => {
    let taker = null;
    const send = () => { if (!taker) channel.postMessage({ask: id, ...question}); };
    const timer = setInterval(send, AGAIN);
    const end = (found) => {
      clearInterval(timer);
      channel.removeEventListener("message", hear);
      go(found);
    };
    const hear = ({data}) => {
      if (data.taken === id) taker = data.house ?? "an older version";
      if (data.answer === id) end(data.found);
      if (!data.isNew || !taker || taker === data.house) return;
      if (!isRepeatable(question)) { end(cutOff(question)); return; }
      taker = null;
      send();
    };
    channel.addEventListener("message", hear);
    send();
  });
}
