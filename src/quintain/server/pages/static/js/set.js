// Choosing a set of cards: a touch takes a card or puts it back, and nothing is sent until Ready. The last set, a saved one
// and the cards that are missing are filled in, so that single cards can still be changed. The templates of a game mark its
// cards: data-set-of is the number of the part that a card belongs to. Without script the same form is sent with the boxes.
(() => {
  const LETTERS = "quintain-letters";
  const [STRONG, WEAK] = [1.06, 0.94]; // times the average of a stage
  const BAR = 62; // per cent of a bar at which the average stands
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const root = () => find("[data-set-choice]");
  const boxes = () => all("input[data-set-name]", root());
  const box = (name) => boxes().find((each) => each.dataset.setName === name);
  const itemOf = (each) => each.closest("li");
  const way = (name) => find(`[data-way="${name}"]`);
  const shown = (element) => element.getClientRects().length > 0;
  const key = () => `quintain-set:${location.pathname}:${root().dataset.setChoice}:${find("#set [name=decision]")?.value}`;
  let isLast = false; // whether the set is the last one, as *Keep the last set* filled it in
  let incoming = null; // the card that is to come in the place of another, when the set is full
  let said = "";

  // How many cards of each part a set has, and how many are chosen.
  const parts = () => all("[data-set-part]").map((each) => {
    const {setPart, needed, one, many} = each.dataset;
    return {number: Number(setPart), needed: Number(needed), one, many, chosen: boxes().filter((card) => card.checked && card.dataset.setOf === setPart)};
  });
  const partOf = (each, list = parts()) => list.find((part) => part.number === Number(each.dataset.setOf));
  const chosen = () => boxes().filter((each) => each.checked);
  const listed = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
  const some = (number, part) => `${number} ${number === 1 ? part.one : part.many}`;

  function lacks(list) {
    const few = list.filter((part) => part.chosen.length < part.needed);
    if (!few.length) return "";
    return `${few.map((part) => some(part.needed - part.chosen.length, part)).join(", ")} missing`;
  }

  // Show what is chosen, what is missing, and what the set adds up to.
  function draw() {
    if (!root()) return;
    const list = parts();
    for (const each of boxes()) {
      const part = partOf(each, list);
      itemOf(each).classList.toggle("taken", each.checked);
      itemOf(each).classList.toggle("pale", !each.checked && part.chosen.length >= part.needed);
      itemOf(each).classList.toggle("swap", Boolean(incoming) && each.checked && !each.disabled && each.dataset.setOf === incoming.dataset.setOf);
    }
    for (const part of list) {
      find(`[data-set-part="${part.number}"]`).textContent = part.chosen.length;
      const count = find(`[data-set-count="${part.number}"]`, root());
      if (count) count.textContent = part.chosen.length;
      count?.closest("li").classList.toggle("short", part.chosen.length !== part.needed);
    }
    asks();
    const missing = lacks(list);
    const ready = way("chosen");
    const told = find("[data-set-lacks]");
    told.textContent = missing ? `${missing} (${told.dataset.clause})` : "the set is full";
    ready.classList.toggle("first", !missing);
    ready.setAttribute("aria-disabled", String(Boolean(missing)));
    way("rest").classList.toggle("first", !chosen().length && way("keep").getAttribute("aria-disabled") === "true");
    way("rest").setAttribute("aria-disabled", String(!missing));
    find("[data-set-enough]", way("rest")).hidden = Boolean(missing);
    find("[data-set-none]").hidden = chosen().length > 0;
    find("[data-set-some]").hidden = chosen().length === 0;
    find("[data-set-said]").textContent = said;
    adds(list, missing);
    writes();
    find("[data-set-save]")?.setAttribute("aria-disabled", String(Boolean(missing)));
    for (const saving of all("[data-set-saved-cards]")) saving.value = chosen().map((each) => each.dataset.setName).join("\n");
    try { sessionStorage.setItem(key(), JSON.stringify([chosen().map((each) => each.dataset.setName), isLast])); } catch { /* private windows may refuse storage */ }
  }

  // While a card asks in whose place it comes, only those that can go back are shown, and the question above them.
  function asks() {
    const line = find("[data-set-instead]", root());
    const place = find("[data-set-cards]", root());
    const above = [root(), place];
    const isNew = Boolean(incoming) && line.hidden;
    if (isNew) scrolled = above.map((each) => each.scrollTop);
    root().classList.toggle("asking", Boolean(incoming));
    if (incoming) {
      const part = partOf(incoming);
      const name = document.createElement("b");
      name.textContent = `${incoming.dataset.setName}: instead of whom?`;
      const never = Object.assign(document.createElement("button"), {type: "button", className: "button", textContent: "Keep the set"});
      never.dataset.setNever = "";
      line.replaceChildren(name, ` Touch the one of the ${part.needed} ${part.many} that goes back. `, never);
    } else line.replaceChildren();
    const ended = !incoming && !line.hidden;
    line.hidden = !incoming;
    if (isNew) {
      for (const each of above) each.scrollTop = 0;
      if (document.activeElement === incoming || document.activeElement === document.body) lit()[0]?.focus({preventScroll: true});
    }
    if (ended) above.forEach((each, at) => { each.scrollTop = scrolled[at]; });
  }
  let scrolled = [0, 0];

  // The set as text: what is chosen, until somebody types. The server reads a text, and names the line that is wrong.
  let [typed, isOpen, wrong] = [null, false, ""];
  function writes() {
    const text = find("[data-set-text]");
    const line = find("[data-set-read]");
    text.value = typed ?? chosen().map((each) => each.dataset.setName).join("\n");
    text.setAttribute("aria-invalid", String(Boolean(wrong)));
    [line.textContent, line.hidden] = [wrong, !wrong];
    find("[data-set-as-text]").open = isOpen;
  }

  async function reads(form) {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, {method: "POST", body, headers: {accept: "application/json"}}).catch(() => null);
    const found = await answer?.json().catch(() => null);
    wrong = !answer ? "Not taken in: no connection." : answer.ok ? "" : found?.error ?? "Not taken in: try again.";
    if (!root()) return;
    if (wrong) {
      draw();
      find("[data-set-text]").focus();
      return;
    }
    typed = null;
    fill(found.cards);
  }

  function adds(list, missing) {
    const [strong, weak] = [[], []];
    for (const each of all("[data-set-sum]", root())) {
      const sum = chosen().reduce((before, one) => before + Number(one.getAttribute(`data-set-${each.dataset.setSum}`) ?? 0), 0);
      const share = sum / Math.max(1, Number(each.dataset.average));
      each.textContent = sum;
      find(`[data-set-bar="${each.dataset.setSum}"]`).setAttribute("width", `${Math.min(100, BAR * share)}%`);
      if (share >= STRONG) strong.push(each.dataset.words);
      if (share <= WEAK) weak.push(each.dataset.words);
    }
    const words = [strong.length && `strong in ${listed(strong)}`, weak.length && `under an average set in ${listed(weak)}`].filter(Boolean).join(", ");
    find("[data-set-advice]", root()).textContent = missing ? "" : words ? `${words[0].toUpperCase()}${words.slice(1)}.` : "Like an average set in every stage.";
    const counted = find("[data-set-counts]", root());
    const groups = counted.dataset.groups.split(" ");
    counted.replaceChildren(...groups.flatMap((group, at) => {
      const number = at % 3 ? 0 : chosen().filter((each) => each.nextElementSibling.classList.contains(`is-${group}`)).length;
      if (!number) return [];
      const span = document.createElement("span");
      const bold = document.createElement("b");
      bold.textContent = number;
      span.append(bold, ` ${groups[at + (number === 1 ? 1 : 2)]}`);
      return [span, " "];
    }));
    const shields = chosen().map((each) => {
      const item = document.createElement("li");
      item.title = item.ariaLabel = each.dataset.setName;
      item.append(find("svg", each.nextElementSibling).cloneNode(true));
      return item;
    });
    const left = list.reduce((before, part) => before + Math.max(0, part.needed - part.chosen.length), 0);
    const gaps = Array.from({length: left}, () => Object.assign(document.createElement("li"), {className: "gap"}));
    find("[data-set-shields]", root()).replaceChildren(...shields, ...gaps);
  }

  // Which cards are shown, and in which order. The filters are rules of the game's style sheet.
  function sift() {
    const list = find("[data-set-cards]", root());
    const words = find("[data-set-search]").value.toLowerCase().split(/\s+/).filter(Boolean);
    const order = find("[data-set-order]").value;
    const level = (item) => Number(find("input", item).getAttribute(`data-set-${order}`) ?? -1);
    const items = [...list.children];
    items.forEach((item, at) => { item.dataset.at ??= at; });
    const sorted = [...items].sort((one, two) => (order && level(two) - level(one)) || one.dataset.at - two.dataset.at);
    if (sorted.some((item, at) => item !== items[at])) list.append(...sorted);
    for (const item of items) item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
  }

  function counts() {
    for (const each of all("[data-set-group]", root())) {
      const group = each.dataset.setGroup;
      each.textContent = all(`label.is-${group}`, root()).length;
    }
  }

  // Fill a set in: these cards, and no others. Cards that are not there are left out; its row names them.
  function fill(names, last = false) {
    for (const each of boxes()) if (!each.disabled) each.checked = names.includes(each.dataset.setName);
    const gone = names.filter((name) => !box(name)).length;
    said = gone ? `${gone === 1 ? "One card is" : `${gone} cards are`} not here.` : "";
    [isLast, incoming] = [last, null];
    draw();
  }

  function deal() {
    const names = chosen().map((each) => each.dataset.setName);
    for (const part of parts()) {
      const free = boxes().filter((each) => !each.checked && Number(each.dataset.setOf) === part.number);
      for (let left = part.needed - part.chosen.length; left > 0; left--) {
        const at = crypto.getRandomValues(new Uint32Array(1))[0] % free.length;
        names.push(free.splice(at, 1)[0].dataset.setName);
      }
    }
    fill(names);
  }

  // A card more than a set has asks in whose place it comes; a touch on one of the others answers.
  function touched(each) {
    [isLast, said] = [false, ""];
    const part = partOf(each);
    if (each.checked && part.chosen.length > part.needed) {
      each.checked = false;
      incoming = each;
    } else if (!each.checked && incoming && incoming.dataset.setOf === each.dataset.setOf) {
      incoming.checked = true;
      incoming = null;
    } else incoming = null;
    draw();
  }

  function pressed(event, button) {
    const name = button.dataset.way;
    const missing = lacks(parts());
    const isBarred = button.getAttribute("aria-disabled") === "true";
    if (name === "chosen" && !missing && !isLast) return;
    event.preventDefault();
    if (name === "chosen" && !missing) find("#set").requestSubmit(way("keep"));
    else if (isBarred) said = name === "chosen" ? `Not yet: ${missing}.` : name === "keep" ? "There is no last set yet." : "The set is full.";
    else if (name === "keep") return fill(boxes().filter((each) => each.hasAttribute("data-set-last")).map((each) => each.dataset.setName), true);
    else if (name === "rest") return deal();
    draw();
  }

  // The saved sets stay as they were fetched until the page is loaded again; one more is added when this set is saved.
  let [fetched, fetching] = ["", null];
  async function saved() {
    const place = find("[data-set-saved]");
    if (!place || find("[data-set-names]", place)) return;
    if (!fetched) await (fetching ??= fetchSaved(place.dataset.setSaved).finally(() => { fetching = null; }));
    const list = find("#saved-sets");
    if (fetched && list && !find("[data-set-names]", list)) list.outerHTML = fetched;
  }
  async function fetchSaved(address) {
    const answer = await fetch(address, {headers: {"HX-Request": "true", accept: "text/html"}}).catch(() => null);
    const text = answer?.ok ? (await answer.text()).trim() : "";
    if (text.startsWith('<div id="saved-sets">')) fetched = text;
  }

  function begin(event) {
    const swapped = event?.target;
    if (swapped?.id === "saved-sets" || find("#saved-sets [data-set-names]")) fetched = find("#saved-sets")?.outerHTML ?? fetched;
    if (!root()) return;
    for (const each of all("[data-set-script]", root())) each.hidden = false;
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(key())); } catch { /* nothing is kept */ }
    counts();
    sift();
    if (kept) [kept[0], said] = [kept[0].filter(box), ""];
    if (kept) fill(...kept);
    else draw();
    saved();
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches?.("[data-set-choice] input[data-set-name]")) touched(event.target);
    else if (event.target.matches?.("[data-set-order]")) sift();
  });
  document.addEventListener("input", (event) => { if (event.target.matches?.("[data-set-search]")) sift(); });
  document.addEventListener("input", (event) => { if (event.target.matches?.("[data-set-text]")) typed = event.target.value; });
  document.addEventListener("toggle", (event) => { if (event.target.matches?.("[data-set-as-text]")) isOpen = event.target.open; }, true);
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "read-set" || !root()) return;
    event.preventDefault();
    reads(event.target);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-way]");
    if (button && root()) pressed(event, button);
    if (event.target.closest("[data-set-never]")) { incoming = null; draw(); }
    const saved = event.target.closest("[data-set-names]");
    if (saved && root()) {
      event.preventDefault();
      fill(JSON.parse(saved.dataset.setNames));
    }
  });

  const letters = () => { try { return localStorage.getItem(LETTERS) !== "off"; } catch { return true; } };
  const lit = () => boxes().filter((each) => shown(itemOf(each)));
  function step(event, here, by) {
    const there = lit();
    const at = there.indexOf(here);
    if (!there.length) return;
    there[at < 0 ? 0 : (at + by + there.length) % there.length].focus();
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  const columns = () => { const [first] = lit(); return first ? lit().filter((each) => itemOf(each).offsetTop === itemOf(first).offsetTop).length : 1; };
  const steps = {ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: columns, ArrowUp: () => -columns()};

  // These keys come before those of the table, among which R shows what has happened.
  document.addEventListener("keydown", (event) => {
    if (!root() || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("dialog, select, textarea")) return;
    const isCard = event.target.matches("input[data-set-name]");
    const isText = !isCard && event.target.matches("input:not([type=checkbox], [type=radio])");
    const name = event.key.toLowerCase();
    if (isText && event.target.matches("[data-set-search]") && ["ArrowDown", "Enter"].includes(event.key)) return step(event, null, 0);
    if (isText) return;
    if (event.key === "Escape" && incoming) { [incoming, said] = [null, ""]; draw(); }
    else if (isCard && steps[event.key]) return step(event, event.target, steps[event.key]());
    else if (isCard && event.key === "Enter") event.target.click();
    else if (event.key === "/" && letters()) find("[data-set-search]").focus();
    else if (letters() && name === "k") way("keep").click();
    else if (letters() && name === "r") way("chosen").click();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  document.addEventListener("htmx:after:swap", begin);
  document.addEventListener("DOMContentLoaded", begin);
})();
