// Choosing: a touch of a piece plays its only action if that can be taken back; the server has made such a piece a button.
// Any other touch chooses the piece: its actions then stand in the dock, and the places that they lead to glow. Without
// script the server draws the same, by links such as ?chosen=hand.0.3. Choosing sends nothing.
(() => {
  const byId = (id) => document.getElementById(id);
  const body = () => byId("table-body");
  const decision = () => document.querySelector("#moves > [name=decision]")?.value;
  const pieceOf = (id) => (id && body()?.querySelector(`.piece[id="${CSS.escape(id)}"]`)) || null;
  const groupOf = (id) => document.querySelector(`.group[data-for="${CSS.escape(id)}"]`);
  const buttons = (group) => [...(group?.querySelectorAll(".act") ?? [])];
  let chosen = {id: document.querySelector(".piece.chosen")?.id ?? "", decision: decision()};

  // Show the chosen piece, its actions and the places that they lead to.
  function show() {
    if (!body()?.classList.contains("frame")) return;
    const piece = pieceOf(chosen.id);
    for (const each of body().querySelectorAll(".piece:is(.chosen, .target)")) {
      each.classList.remove("chosen", "target");
      if (each.hasAttribute("aria-pressed")) each.setAttribute("aria-pressed", "false");
    }
    for (const group of document.querySelectorAll(".group[data-for]")) group.hidden = group.dataset.for !== chosen.id;
    for (const act of document.querySelectorAll(".act.other")) act.classList.remove("other");
    body().classList.toggle("has-chosen", Boolean(piece));
    piece?.classList.add("chosen");
    piece?.setAttribute("aria-pressed", "true");
    for (const act of buttons(groupOf(chosen.id))) pieceOf(act.dataset.target)?.classList.add("target");
    describe(piece);
    number();
    document.dispatchEvent(new CustomEvent("chosen", {detail: chosen.id}));
  }

  // Write the chosen card's text into the dock; the inspector also says what lies on it.
  function describe(piece) {
    const [picked, why, look] = [byId("picked"), byId("why"), byId(`look.${chosen.id}`)];
    if (!picked) return;
    picked.hidden = !piece;
    let words = picked.querySelector(":scope > p");
    if (!words) picked.prepend(words = document.createElement("p"));
    words.replaceChildren();
    if (!piece) return why.replaceChildren();
    const name = document.createElement("b");
    name.textContent = look?.querySelector("h3")?.textContent ?? "";
    const reckoned = look?.querySelectorAll(".can > li").length === 1 ? look.querySelectorAll(".reckoning li") : [];
    const lines = [...(look?.querySelectorAll(".rule, .now li:not(.on-it)") ?? []), ...reckoned].map((each) => each.textContent);
    words.append(name, ` ${lines.join(" \u00b7 ")}`);
  }

  async function ask(piece) {
    const why = byId("why");
    why?.replaceChildren();
    if (!piece?.dataset.why) return;
    const answer = await fetch(`?why=${piece.dataset.why}`, {headers: {"HX-Request": "true"}}).catch(() => null);
    if (answer?.ok && chosen.id === piece.id) byId("why").innerHTML = await answer.text();
  }

  // The first nine actions in the bar have digits.
  function number() {
    const shown = [...document.querySelectorAll("#acts .act")].filter((act) => act.offsetParent);
    for (const act of document.querySelectorAll("#acts [data-digit]")) act.removeAttribute("data-digit");
    shown.slice(0, 9).forEach((act, index) => {
      act.dataset.digit = index + 1;
      act.setAttribute("aria-keyshortcuts", index + 1);
    });
  }

  function choose(id) {
    chosen = {id, decision: decision(), ahead: body()?.dataset.turn === "no"};
    show();
    ask(pieceOf(id));
  }

  // The second end of an action: play it if only one leads there, else leave only those in the bar.
  function reach(target) {
    const there = buttons(groupOf(chosen.id)).filter((act) => act.dataset.target === target.id);
    if (there.length === 1) there[0].click();
    else for (const act of buttons(groupOf(chosen.id))) act.classList.toggle("other", !there.includes(act));
    return there.length;
  }

  function touched(event) {
    const piece = event.target.closest(".piece");
    if (piece && chosen.id && piece.id !== chosen.id && piece.classList.contains("target") && reach(piece)) {
      event.preventDefault();
    } else if (piece?.matches("a")) {
      event.preventDefault();
      const own = buttons(groupOf(piece.id));
      if (piece.id !== chosen.id) choose(piece.id);
      else if (own.length === 1) own[0].click();
      else choose("");
    } else if (!event.target.closest("button, a, summary, details, input, label, .dock, .rail")) {
      choose("");
    }
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("#table-body.frame") && !event.ctrlKey && !event.metaKey) touched(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose("");
    // A link that acts as a button answers to Space, too.
    if (event.key === " " && event.target.matches("a.piece")) {
      event.preventDefault();
      event.target.click();
    }
  });
  document.addEventListener("submit", (event) => {
    // What stays, such as a deck, is still chosen in the next decision if it can be used there.
    const stays = event.target.id === "moves" && pieceOf(chosen.id)?.closest("[data-stays]");
    if (event.target.id === "moves") chosen = stays ? {...chosen, ahead: true} : {id: "", decision: decision()};
  });
  // The choice stays as long as the decision is the same; one that was made ahead stays for the next decision.
  document.addEventListener("htmx:after:swap", () => {
    const stays = chosen.decision === decision() || chosen.ahead;
    const piece = stays ? pieceOf(chosen.id) : null;
    chosen = piece?.matches("a, .chosen, .lit") ? {...chosen, decision: decision(), ahead: chosen.ahead && body().dataset.turn === "no"} : {id: "", decision: decision()};
    show();
  });
  document.addEventListener("previewed", () => describe(pieceOf(chosen.id)));
  document.addEventListener("DOMContentLoaded", show);
  // The cards in full may come after one of them was chosen.
  document.addEventListener("looks", () => describe(pieceOf(chosen.id)));
})();
