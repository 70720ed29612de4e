// Search in a rulebook while people type: marks each place that has all the words, jumps from one to the next, and says how
// many there are. `rulebooks.py` does the same for browsers without script.
(() => {
  const BLOCKS = ".listed, p, li, tr, pre, h1, h2, h3";
  const LEAST = 2; // letters
  const state = new WeakMap(); // the hits of each book, and which of them is shown
  const fold = (text) => text.split("").map((sign) => (sign === "−" ? "-" : sign.normalize("NFD")[0].toLowerCase()[0])).join("");
  const words = (field) => fold(field.value).split(/\s+/).filter(Boolean);
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const textOf = (book) => book?.querySelector(".book-text");

  function clear(book) {
    for (const mark of book.querySelectorAll("mark")) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      parent.normalize();
    }
    for (const block of book.querySelectorAll(".at-hit")) block.classList.remove("at-hit");
  }

  function mark(block, sought) {
    const pattern = new RegExp(sought.map(escaped).sort((one, two) => two.length - one.length).join("|"), "g");
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".said, svg")) nodes.push(walker.currentNode);
    for (const node of nodes) {
      for (const found of [...fold(node.data).matchAll(pattern)].reverse()) {
        const hit = node.splitText(found.index);
        hit.splitText(found[0].length);
        const marked = document.createElement("mark");
        hit.replaceWith(marked);
        marked.append(hit);
      }
    }
  }

  function blocksOf(text) {
    const outer = [...text.querySelectorAll(BLOCKS)].filter((block) => !block.parentElement.closest(".listed"));
    return outer.filter((block) => block.matches(".listed") || !block.querySelector(BLOCKS));
  }

  function find(form) {
    const book = form.closest(".book");
    const text = textOf(book);
    const field = form.querySelector("input");
    const sought = words(field);
    clear(book);
    const isLong = sought.join("").length >= LEAST;
    const hits = isLong ? blocksOf(text).filter((block) => has(block, sought)) : [];
    for (const block of hits) mark(block, sought);
    const clause = hits.findIndex((block) => [...block.querySelectorAll("strong[id]")].some((strong) => sought.includes(fold(strong.id))));
    state.set(book, {hits, at: Math.max(clause, 0)});
    if (hits.length) reveal(hits[state.get(book).at]);
    form.querySelector(".book-steps").hidden = hits.length < 2;
    form.querySelector(".book-said").textContent = isLong ? said(book, text, field.value) : "";
  }
  const has = (block, sought) => { const text = fold(block.textContent); return sought.every((word) => text.includes(word)); };

  function said(book, text, sought) {
    const {hits, at} = state.get(book);
    if (!hits.length) {
      const number = text.querySelector("strong[id]")?.id;
      return `Nothing found for “${sought}”. Look for words of the rules${number ? `, or for a number such as ${number}` : ""}${text.querySelector(".listed") ? ", or for the name of a card" : ""}.`;
    }
    return `${at + 1} of ${hits.length}`;
  }

  function reveal(block) {
    for (const other of block.closest(".book-text").querySelectorAll(".at-hit")) other.classList.remove("at-hit");
    block.classList.add("at-hit");
    const area = block.closest(".drawer-text");
    if (!area) return block.scrollIntoView({block: "center"});
    area.scrollTop += block.getBoundingClientRect().top - area.getBoundingClientRect().top - area.clientHeight / 3;
  }

  function step(form, by) {
    const book = form.closest(".book");
    const now = state.get(book);
    if (!now?.hits.length || textOf(book).matches("[data-filters]")) return;
    now.at = (now.at + by + now.hits.length) % now.hits.length;
    reveal(now.hits[now.at]);
    form.querySelector(".book-said").textContent = said(book, textOf(book), form.querySelector("input").value);
  }

  const formOf = (event) => { const form = event.target.closest?.(".book-search"); return form && textOf(form.closest(".book")) ? form : null; };
  document.addEventListener("input", (event) => { const form = formOf(event); if (form) find(form); });
  document.addEventListener("submit", (event) => {
    const form = formOf(event);
    if (!form) return;
    event.preventDefault();
    if (form.querySelector(".book-said").textContent) step(form, 1);
    else find(form);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-hit]");
    if (button) step(button.form, Number(button.dataset.hit));
  });
})();
