// The builders of decks and of sets: touches post in the background, one after another, and the page that comes back takes the place of the
// old one. What could not be sent waits here, and the page says so. Without script the same forms and links load whole pages.
(() => {
  const AGAIN = 3000; // milliseconds until a touch that could not be sent is tried again
  const page = () => document.querySelector("[data-deck-page]");
  const waiting = [];
  let isSending = false;

  function say(words) {
    const line = document.getElementById("saved");
    if (line) line.textContent = words;
  }

  async function show(answer) {
    const text = await answer.text();
    if (!text.includes("data-deck-page")) { location.reload(); return; }
    const focused = document.activeElement?.id;
    const open = [...page().querySelectorAll("details[open][id]")].map(({id}) => id);
    await htmx.swap({sourceElement: page(), target: "#deck-page", swap: "outerMorph", text, transition: false});
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused && document.activeElement?.id !== focused) {
      const again = document.getElementById(focused);
      (again?.disabled ? again.closest("li") : again)?.focus({preventScroll: true});
    }
  }

  async function send() {
    if (isSending) return;
    isSending = true;
    while (waiting.length) {
      const {url, options, moves} = waiting[0];
      try {
        const answer = await fetch(url, {...options, headers: {"hx-request": "true", accept: "text/html"}});
        waiting.shift();
        if (!waiting.length) await show(answer);
        if (!waiting.length) document.dispatchEvent(new Event("workshop"));
        if (moves) history.replaceState(history.state, "", answer.url);
      } catch {
        const number = waiting.filter(({options}) => options.method === "POST").length;
        say(`Not saved: no connection. ${number} ${number === 1 ? "change waits" : "changes wait"} here`);
        await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
      }
    }
    isSending = false;
  }

  function ask(url, options = {}, moves = false) {
    waiting.push({url, options, moves});
    send();
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!page() || !form.matches("[data-swaps]")) return;
    event.preventDefault();
    const fields = new FormData(form, event.submitter?.name ? event.submitter : undefined);
    if (form.method === "post") ask(form.action, {method: "POST", body: new URLSearchParams(fields)});
    else ask(`${form.action.split("#")[0]}?${new URLSearchParams([...fields].filter(([, value]) => value))}`, {}, true);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-swaps]");
    if (!link || !page() || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const [path, anchor] = link.href.split("#");
    ask(path, {}, true);
    if (anchor) document.getElementById(anchor)?.scrollIntoView();
  });

  document.addEventListener("input", (event) => {
    if (!page() || event.target.id !== "find") return;
    clearTimeout(typed);
    typed = setTimeout(() => event.target.form?.requestSubmit(), 250);
  });
  let typed;
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (page() && event.target.matches("select") && form?.matches("[data-swaps]")) form.requestSubmit();
  });

  const cards = () => [...document.querySelectorAll(".deck-cards > li")];
  function step(from, by) {
    const all = cards();
    const at = all.indexOf(from);
    const columns = all.findIndex((card) => card.offsetTop > all[0].offsetTop);
    const to = at < 0 ? 0 : at + (Math.abs(by) === 1 ? by : Math.sign(by) * (columns > 0 ? columns : all.length));
    all[to]?.focus();
    all[to]?.scrollIntoView({block: "nearest"});
    return true;
  }
  const STEPS = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -2, ArrowDown: 2};

  function press(event) {
    const card = event.target.closest(".deck-cards > li");
    const letters = localStorage.getItem("quintain-letters") !== "off";
    if (event.key === "/" && letters) { document.getElementById("find").focus(); return true; }
    if (event.key in STEPS && (card || event.target === document.body)) return step(card, STEPS[event.key]);
    if (card && event.target === card && event.key === "Enter") { card.querySelector(".set-row")?.click(); return true; }
    if (card && /^[+−-]$/.test(event.key)) { card.querySelector(event.key === "+" ? "[name=more]" : "[name=less]").click(); return true; }
    if (!letters || !/^[dz]$/i.test(event.key)) return false;
    const button = document.querySelector(`[data-deck-page] [data-key="${event.key.toUpperCase()}"]`);
    button?.click();
    return Boolean(button);
  }
  // Before keys.js, which means something else by some of these keys.
  window.addEventListener("keydown", (event) => {
    if (!page() || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
    if (press(event)) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);
})();
