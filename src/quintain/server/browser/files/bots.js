// The worker in which bots think: a Python of its own, with the search of each game as a library in WebAssembly.
import {bring, python} from "./python.js";

const made = python().then(({made: started}) => {
  const answered = started.runPython(`
from pyodide.ffi import to_js
from quintain.server.browser.added import register_added
from quintain.server.browser.minds import answered
register_added()
lambda question: to_js(answered(question.to_bytes()))
`);
  return {started, answered};
});

self.addEventListener("message", async ({data: {id, files, question}}) => {
  try {
    const {started, answered} = await made;
    for (const path of files) await bring(started, path);
    self.postMessage({id, answer: answered(question)});
  } catch (error) {
    self.postMessage({id, error: String(error)});
  }
});
