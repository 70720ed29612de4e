// The workshop: each change posts in the background, and the page that comes back takes the place of the old one. Without
// script the same forms and links load whole pages.
(() => {
  const TYPED = 400; // milliseconds after the last letter until a change is posted
  const AGAIN = 3000; // milliseconds until a change that could not be sent is tried again
  const page = () => document.getElementById("workshop");
  const waiting = [];
  let isSending = false;
  let typed;

  function say(words) {
    const line = document.getElementById("ws-saved");
    if (line) line.textContent = words;
  }

  // The state that a form shows is that of the page, which may be newer than when somebody began to type.
  function sentBy(form, submitter) {
    const sent = new FormData(form, submitter?.name ? submitter : undefined);
    if (sent.has("change")) sent.set("change", page().dataset.workshop);
    return new URLSearchParams(sent);
  }

  // A field in which somebody goes on typing keeps what they have typed, and is posted again. `before` has the values of
  // the fields when the change was sent.
  async function show(text, before) {
    if (!text.includes('id="workshop"')) { location.reload(); return; }
    const focused = document.activeElement;
    const at = focused?.matches("input:not([type=checkbox])") ? [focused.selectionStart, focused.selectionEnd] : null;
    const typed = fields().filter((field) => before.has(field.id) && before.get(field.id) !== field.value);
    const kept = typed.map((field) => [field.id, field.value]);
    await htmx.swap({sourceElement: page(), target: "#workshop", swap: "outerMorph", text, transition: false});
    for (const each of page().querySelectorAll("input, select, textarea")) settle(each);
    for (const [id, value] of kept) {
      const field = document.getElementById(id);
      if (field) { field.value = value; later(field.form); }
    }
    const again = focused?.id && document.getElementById(focused.id);
    if (again && document.activeElement !== again) again.focus({preventScroll: true});
    if (again && at) again.setSelectionRange(...at);
  }
  const fields = () => [...document.querySelectorAll("[data-workshop-form] input:not([type=checkbox], [type=hidden])")];

  // What the server says stands in the field, also where somebody has changed it before.
  function settle(field) {
    if (field.type === "checkbox") field.checked = field.defaultChecked;
    else if (field.matches("select")) for (const option of field.options) option.selected = option.defaultSelected;
    else if (field.type !== "file") field.value = field.defaultValue;
  }

  async function send() {
    if (isSending) return;
    isSending = true;
    while (waiting.length) {
      const {url, form, submitter, moves} = waiting[0];
      const sent = form ? sentBy(form, submitter) : null;
      const before = new Map(fields().map((field) => [field.id, field.value]));
      const body = sent && {method: "POST", body: sent};
      try {
        const answer = await fetch(url, {...body, headers: {"hx-request": "true", accept: "text/html"}});
        waiting.shift();
        await show(await answer.text(), before);
        if (moves) history.replaceState(history.state, "", url);
        if (!waiting.length) document.dispatchEvent(new Event("workshop"));
      } catch {
        say("Not saved: no connection. Your change waits here");
        await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
      }
    }
    isSending = false;
  }

  function ask(asked) { waiting.push(asked); send(); }

  function post(form, submitter) {
    clearTimeout(typed);
    ask({url: form.action, form, submitter});
  }

  function later(form) {
    clearTimeout(typed);
    typed = setTimeout(() => { if (form.isConnected) post(form); }, TYPED);
  }

  const formOf = (field) => field.form?.matches("[data-workshop-form]") && field.form;
  document.addEventListener("submit", (event) => {
    if (!page() || !event.target.matches("[data-workshop-form]")) return;
    event.preventDefault();
    post(event.target, event.submitter);
  });
  document.addEventListener("input", (event) => { if (page() && formOf(event.target)) later(event.target.form); });
  document.addEventListener("change", (event) => {
    if (page() && formOf(event.target) && event.target.matches("select, [type=checkbox]")) post(event.target.form);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-workshop-link]");
    if (!link || !page() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask({url: link.href.split("#")[0], moves: true});
  });

  // Keys: Ctrl Enter saves, Alt with an arrow goes to the card before or after, Ctrl Z takes back, and with Shift
  // does again.
  function meant(event) {
    const held = event.ctrlKey || event.metaKey;
    if (held && event.key === "Enter") return "save";
    if (held && event.key.toLowerCase() === "z") return event.shiftKey ? "again" : "back";
    if (event.altKey && !held) return {ArrowUp: "card-before", ArrowDown: "card-after"}[event.key];
    return undefined;
  }
  window.addEventListener("keydown", (event) => {
    const key = page() && !event.target.matches("textarea, #set-title") && meant(event);
    if (!key) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.querySelector(`#workshop [data-key="${key}"]:not([aria-disabled])`)?.click();
  }, true);
})();
