// A Python in this worker, with Quintain in it.
import {loadPyodide} from "./runtime/pyodide.mjs";

const folder = new URL(".", import.meta.url);
const PLACE = "/lib/python3.14/site-packages";

// Later starts find what `keepWarm` has left, with bytecode, and take half as long.
export async function python() {
  const warm = await fetch(new URL("warm/packages", folder));
  const isWarm = warm.status === 200;
  const packages = (isWarm ? warm : await fetch(new URL("app.zip", folder))).arrayBuffer();
  const library = isWarm ? {stdLibURL: new URL("warm/python_stdlib.zip", folder).href} : {};
  const made = await loadPyodide({indexURL: new URL("runtime/", folder).href, fullStdLib: false, packages: [], ...library});
  if (isWarm) unpack(made, new Uint8Array(await packages));
  else made.unpackArchive(await packages, "zip", {extractDir: PLACE});
  return {made, isWarm};
}

// Write files whose names and sizes stand in the first line.
function unpack(made, bytes) {
  let at = bytes.indexOf(10) + 1;
  const folders = new Set();
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)))) {
    const path = `${PLACE}/${name}`, within = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(within)) made.FS.mkdirTree(within);
    folders.add(within);
    made.FS.writeFile(path, bytes.subarray(at, at += size), {canOwn: true}); // a view, no copy
  }
  made.runPython("import importlib; importlib.invalidate_caches()");
}

// Compile all modules, in small steps, and let the service worker keep the result for later starts.
export async function keepWarm(made) {
  const [library, packages] = made.runPython(`
from pyodide.ffi import to_js
from quintain.server.browser.bytecode import warm_library, warm_packages
async def library():
    return to_js(await warm_library())
async def packages(take):
    async for name, data in warm_packages():
        take(name, to_js(data))
to_js([library, packages])
`);
  const names = [], parts = []; // JavaScript unpacks them faster than Python unpacks an archive
  await packages((name, data) => { names.push([name, data.length]); parts.push(new Blob([data])); });
  // The packages come last: where they are kept, a later start takes both.
  await kept("python_stdlib.zip", await library()) && await kept("packages", new Blob([JSON.stringify(names), "\n", ...parts]));
}

// Let the service worker keep a file for later starts; tell whether there was room. Without, each takes as long as the first.
async function kept(name, body) {
  return (await fetch(new URL(`warm/${name}`, folder), {method: "PUT", body})).ok;
}

// A file of the package, such as the library of a game's search, is there before the first bot asks for it. One that cannot
// be had now is missing: the bot says so, or thinks slowly.
export async function bring(made, path) {
  const name = `${PLACE}/quintain/${path}`;
  if (made.FS.analyzePath(name).exists) return;
  const response = await fetch(new URL(path, folder)).catch(() => null);
  if (!response?.ok) return;
  made.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
  made.FS.writeFile(name, new Uint8Array(await response.arrayBuffer()));
}
