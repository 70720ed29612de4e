// The drawer of rules beside the table: each link to the game's rules opens it at its clause, and loads it once. It stands
// outside the part of the page that changes, so it keeps its place when somebody moves. Without script the same links open
// the page of the rulebook.
(() => {
  const byId = (id) => document.getElementById(id);
  const desk = matchMedia("(min-width: 68.01rem)");
  const isOpen = () => byId("drawer")?.hidden === false;
  const path = () => new URL(byId("drawer-page").href).pathname;
  const area = () => byId("drawer").querySelector(".drawer-text");
  // What lies in a closed menu still has a place, but cannot take the focus.
  const isSeen = (element) => element?.isConnected && element.getClientRects().length > 0 && !element.closest("details:not([open]) > :not(summary)");
  let opener = null;
  let loading = null;

  // On a desk the drawer lies over the rail, whose place depends on the seats.
  function place() {
    if (!isOpen()) return;
    const rail = byId("rail");
    byId("drawer").style.top = desk.matches && rail ? `${rail.getBoundingClientRect().top}px` : "";
  }

  async function load() {
    const answer = await fetch(path(), {headers: {"HX-Request": "true"}});
    if (!answer.ok) throw new Error(answer.status);
    byId("drawer-body").innerHTML = await answer.text();
  }

  async function open(link) {
    opener = link;
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
    const hash = decodeURIComponent(new URL(link.href).hash.slice(1));
    byId("drawer").hidden = false;
    place();
    if (!area()) byId("drawer-body").textContent = "Opening the rulebook …";
    try {
      await (loading ??= load());
    } catch {
      loading = null;
      byId("drawer-body").textContent = "The rules cannot be loaded just now. Try again, or open the whole page.";
      return byId("drawer-close").focus();
    }
    show(hash);
    area().focus({preventScroll: true});
  }

  // Scroll to a clause, a chapter or the cards, and mark it; to the top for an anchor that the rulebook does not have.
  function show(anchor) {
    const there = anchor && area().querySelector(`[id="${CSS.escape(anchor)}"]`);
    for (const marked of area().querySelectorAll(".marked")) marked.classList.remove("marked");
    if (!there) return void (area().scrollTop = 0);
    const block = there.closest("p, li, h2, h3") ?? there;
    block.classList.add("marked");
    area().scrollTop += block.getBoundingClientRect().top - area().getBoundingClientRect().top - 8;
  }

  function close() {
    byId("drawer").hidden = true;
    const summary = opener?.closest("details")?.querySelector("summary");
    const others = [...document.querySelectorAll("#bar .rules, #menu summary"), byId("question")];
    [opener, summary, ...others].find(isSeen)?.focus({preventScroll: true});
  }

  function followed(event) {
    const link = event.target.closest("a[href]");
    if (!link || !byId("drawer") || event.ctrlKey || event.metaKey || event.shiftKey || link.id === "drawer-page") return;
    const written = link.getAttribute("href");
    if (link.closest("#drawer") && written.startsWith("#")) {
      event.preventDefault();
      show(decodeURIComponent(written.slice(1)));
    } else if (document.querySelector("#table-body.frame") && new URL(link.href).pathname === path()) {
      event.preventDefault();
      if (isOpen() && link.matches(".rules")) close();
      else open(link);
    }
  }

  document.addEventListener("click", (event) => {
    followed(event);
    if (event.target.closest("#drawer-close")) close();
    const taller = event.target.closest("#drawer-taller");
    if (taller) taller.setAttribute("aria-pressed", byId("drawer").classList.toggle("tall"));
  });
  document.addEventListener("change", (event) => {
    if (event.target.id !== "drawer-contents" || !event.target.value) return;
    show(event.target.value);
    event.target.value = "";
  });
  // Escape closes the drawer, unless it takes a choice off first. Other keys that are pressed in it are none of the table's.
  document.addEventListener("keydown", (event) => {
    if (!isOpen()) return;
    const inside = event.target.closest("#drawer");
    const first = document.querySelector("dialog[open], details.menu[open], .piece.chosen");
    if (event.key === "Escape" && (inside || !first)) {
      event.stopImmediatePropagation();
      close();
    } else if (inside) {
      event.stopImmediatePropagation();
    }
  }, true);
  addEventListener("resize", place);
  document.addEventListener("htmx:after:swap", place);
})();
