// Previews and hints on the pieces. The server draws them on the buttons of the dock and, in a whole page, on the pieces.
// This file moves them: a chosen piece's previews go to the places that its actions lead to, and so do the badges of a
// hint. Pages from the socket have no previews: this file asks for them once for each decision and for each chosen piece.
(() => {
  const byId = (id) => document.getElementById(id);
  const decision = () => document.querySelector("#moves > [name=decision]")?.value ?? "";
  const isAsked = () => byId("table-body")?.dataset.turn === "yes";
  const pieceOf = (id) => (id && byId("table-body")?.querySelector(`.piece[id="${CSS.escape(id)}"]`)) || null;
  const groups = () => [...document.querySelectorAll("#acts .group[data-for]")];
  const acts = (group) => [...group.querySelectorAll(".act")];
  // For one decision: the previews by action, and the pieces for which the server has been asked.
  let known = {decision: null, previews: {}, asked: new Set()};

  function tag(kind, classes, words) {
    const made = document.createElement("span");
    made.className = `${kind} ${classes}`.trim();
    made.ariaHidden = "true";
    made.textContent = words;
    return made;
  }
  const sentence = (words) => words.slice(0, 1).toUpperCase() + words.slice(1) + (/[.!?:]$/.test(words) ? "" : ".");
  const reckoning = ({lines}) => lines.map((line) => line.words);

  function onButton(act, preview) {
    act.querySelector(".preview")?.remove();
    act.setAttribute("aria-description", reckoning(preview).join(", "));
    if (preview.short) act.append(tag("preview", `is-${preview.tone}`, preview.short));
  }
  function onPiece(piece, preview, advice) {
    if (preview?.short) piece.append(tag("preview", `is-${preview.tone}`, preview.short));
    if (advice) piece.append(advice.cloneNode(true));
    if (preview) piece.setAttribute("aria-description", reckoning(preview).join(", "));
    else piece.removeAttribute("aria-description");
  }
  function inLooks(action, preview) {
    for (const item of document.querySelectorAll(`#looks .can > [data-action="${action}"]`)) {
      item.querySelector(".reckoning")?.remove();
      const list = document.createElement("ul");
      list.className = "reckoning";
      list.append(...reckoning(preview).map((words) => Object.assign(document.createElement("li"), {textContent: sentence(words)})));
      item.append(list);
    }
  }

  // The action of the best badge among some buttons.
  function best(buttons) {
    const badges = buttons.map((act) => act.querySelector(".advice")).filter(Boolean);
    return badges.find((badge) => badge.matches(".best")) ?? badges.sort((one, two) => parseInt(one.lastChild.textContent) - parseInt(two.lastChild.textContent))[0];
  }

  function place(chosen) {
    for (const old of document.querySelectorAll(".piece > :is(.preview:not(.is-off), .advice)")) old.remove();
    for (const act of document.querySelectorAll("#acts .act")) {
      const preview = known.previews[act.value];
      if (preview) onButton(act, preview);
      if (preview && !preview.drawn) inLooks(act.value, preview);
    }
    const group = groups().find((each) => each.dataset.for === chosen);
    const targets = new Map();
    for (const act of group ? acts(group) : []) {
      if (act.dataset.target) targets.set(act.dataset.target, [...(targets.get(act.dataset.target) ?? []), act]);
    }
    // A place to which only cards of the hand lead says nothing yet: the cards say it.
    const isHeld = (id) => Boolean(pieceOf(id)?.closest(".hand"));
    const waits = (each) => !isHeld(each.dataset.for) && acts(each).every((act) => isHeld(act.dataset.target));
    for (const each of groups()) {
      if (each.dataset.for !== chosen && !targets.has(each.dataset.for) && waits(each)) continue;
      const id = each.dataset.for, there = targets.get(id) ?? acts(each), piece = pieceOf(id);
      const isMeant = !group || id === chosen || targets.has(id);
      // A hint advises an action: if another question follows at once, the places that answer that one have none.
      const advised = targets.has(id) ? there.filter((act) => !act.value.includes("+")) : there;
      if (piece) onPiece(piece, there.length === 1 ? known.previews[there[0].value] : null, isMeant ? best(advised) : null);
    }
  }

  // A whole page comes with previews, and so do the cards in full: those are drawn.
  function read() {
    for (const act of document.querySelectorAll("#acts .act:has(.preview)")) {
      const pill = act.querySelector(".preview");
      const tone = [...pill.classList].find((name) => name.startsWith("is-")).slice(3);
      known.previews[act.value] = {tone, short: pill.textContent, lines: [{words: act.getAttribute("aria-description") ?? ""}], drawn: true};
    }
    if (Object.keys(known.previews).length) known.asked.add("");
  }

  async function ask(chosen) {
    const now = decision();
    known.asked.add(chosen);
    const answer = await fetch(`${location.pathname}/previews?chosen=${encodeURIComponent(chosen)}`).catch(() => null);
    if (!answer?.ok || now !== decision()) return;
    const found = await answer.json().catch(() => null);
    await released();
    if (String(found?.decision) !== now || now !== decision()) return;
    Object.assign(known.previews, found.previews);
    show(current);
  }

  let current = "";
  function show(chosen) {
    current = chosen;
    if (known.decision !== decision()) {
      known = {decision: decision(), previews: {}, asked: new Set()};
      read();
    }
    if (!document.querySelector("#table-body.frame") || !byId("acts")) return;
    place(chosen);
    if (isAsked() && !known.asked.has("")) ask("");
    if (isAsked() && chosen && !known.asked.has(chosen)) ask(chosen);
    document.dispatchEvent(new CustomEvent("previewed"));
  }
  // choose.js says so after each page, and whenever another piece is chosen.
  document.addEventListener("chosen", (event) => show(event.detail));
  document.addEventListener("looks", () => { if (byId("acts")) place(current); });
})();
