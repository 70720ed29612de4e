// A Python in this worker, with Quintain in it.
import {loadPyodide} from "./runtime/pyodide.mjs";

const folder = new URL(".", import.meta.url);
const PLACE = "/lib/python3.14/site-packages";

export async function python() {
  const archive = fetch(new URL("app.zip", folder)).then((response) => response.arrayBuffer());
  const made = await loadPyodide({indexURL: new URL("runtime/", folder).href, fullStdLib: false, packages: []});
  made.unpackArchive(await archive, "zip", {extractDir: PLACE});
  return made;
}

// A library of a game's search is there before the first bot asks for it.
export async function bring(made, path) {
  const name = `${PLACE}/quintain/${path}`;
  if (made.FS.analyzePath(name).exists) return;
  const bytes = new Uint8Array(await (await fetch(new URL(path, folder))).arrayBuffer());
  made.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
  made.FS.writeFile(name, bytes);
}
