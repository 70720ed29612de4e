// The place Cards: keys, filters that work at once, and the pages to print, one of which is shown. Without script, links and
// forms do the same.
(() => {
  const isTyping = (target) => target.closest("input, select, textarea, [contenteditable]");

  // Keys: / goes to the search, arrows to the cards beside this one.
  function links() { return [...document.querySelectorAll(".shelf .bigcard.opens .name a")]; }
  function step(all, at, key) {
    const columns = all.filter((each) => top(each) === top(all[0])).length || 1;
    return at + {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[key];
  }
  const top = (each) => Math.round(each.closest("li").getBoundingClientRect().top);
  function toCard(event) {
    const beside = {ArrowLeft: "before", ArrowRight: "after"}[event.key];
    const link = beside && document.querySelector(`[data-card="${beside}"]`);
    if (link) { link.click(); return true; }
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (!all.length || (at < 0 && /Up|Down/.test(event.key))) return false;
    const next = all[at < 0 ? 0 : step(all, at, event.key)];
    next?.focus();
    return Boolean(next);
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const field = document.getElementById("find");
    if (event.key === "/" && field) { field.focus(); field.select(); event.preventDefault(); }
    else if (event.key.startsWith("Arrow") && document.querySelector(".cards-main") && toCard(event)) event.preventDefault();
  });

  // A form asks the server again as soon as something else is chosen.
  addEventListener("change", (event) => {
    const form = event.target.closest?.("form[data-at-once]");
    if (form && event.target.type !== "search") form.requestSubmit();
  });

  // The pages to print.
  function show(number) {
    const pages = [...document.querySelectorAll(".paper-box .paper")];
    pages.forEach((page, at) => page.classList.toggle("is-shown", at === number - 1));
    document.querySelector("[data-number]").textContent = number;
    for (const link of document.querySelectorAll("[data-step]")) {
      const to = number + Number(link.dataset.step);
      const isThere = to >= 1 && to <= pages.length;
      link.classList.toggle("is-none", !isThere);
      if (isThere) link.href = `${location.pathname}?${changed(to)}`;
      else link.removeAttribute("href");
    }
  }
  function changed(number) {
    const query = new URLSearchParams(location.search);
    query.set("page", number);
    return query;
  }
  addEventListener("click", (event) => {
    const stepped = event.target.closest?.("[data-step][href]");
    if (stepped && !event.ctrlKey && !event.metaKey) {
      show(Number(document.querySelector("[data-number]").textContent) + Number(stepped.dataset.step));
      event.preventDefault();
    }
    if (event.target.closest?.("[data-print]")) print();
  });
  for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
  for (const words of document.querySelectorAll("[data-no-print]")) words.hidden = true;
})();
