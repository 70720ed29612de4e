// What a reader of a table's page can see, measured inside the page for `tables.py`, which tells what must be in sight.
// `sight.show` draws another table; `sight.choices` names one piece of each kind that can be chosen; `sight.look` chooses a
// piece, or none, and returns the faults of the page and the share of the window that the dock takes.
window.sight = (() => {
  const SLACK = 1.5; // pixels that a box may exceed another one by: browsers round
  const LEAST_AREA = 36; // an area that scrolls shows at least this much of its contents, in pixels
  const REGIONS = ["bar", "seats", "board", "dock", "result"];
  const SHORTENED = ".seat-name, .picked > p"; // their whole text is in the tooltip, or in the inspector
  const PATIENCE = 1000; // milliseconds
  const [NARROW, PHONE, LEAST_PHONE, LEAST_DESK] = [369, 736, 704, 608]; // pixels: widths below NARROW and PHONE, and the least heights of a table

  // Remember what is found out about an element, until something else is drawn or chosen.
  const remembered = [];
  function fact(find) {
    const known = new Map();
    remembered.push(known);
    return (element) => {
      if (!known.has(element)) known.set(element, find(element));
      return known.get(element);
    };
  }

  // The height of the page: a window that is lower scrolls, and the parts keep their heights. The narrowest phones scroll
  // as far as their game asks for.
  const asked = () => parseFloat(getComputedStyle(document.querySelector(".frame")).minHeight) || 0;
  const height = () => Math.max(innerHeight, innerWidth < NARROW ? asked() : innerWidth < PHONE ? LEAST_PHONE : LEAST_DESK);

  const byId = (id) => document.getElementById(id);
  const boxOf = (element) => element.getBoundingClientRect();
  const isSeen = (element) => element.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const isSaid = fact((element) => Boolean(element.closest(".said")) || getComputedStyle(element).clipPath.startsWith("inset(50%"));
  const isInline = fact((element) => /^(inline|contents)$/.test(getComputedStyle(element).display));
  const stem = (id) => id.replace(/\d+/g, "N");
  const outward = function* (element) { for (let outer = element; outer && outer !== document.body; outer = outer.parentElement) yield outer; };

  // Name an element for people: its id, or the nearest id around it and its classes.
  function name(element) {
    if (element.id) return `#${element.id}`;
    const own = element.localName + [...element.classList].slice(0, 2).map((each) => `.${each}`).join("");
    const outer = element.closest("[id]");
    return outer ? `#${outer.id} ${own}` : own;
  }

  // Tell by how much a box exceeds another one, in pixels, on the given axes.
  function excess(inner, outer, axes) {
    const across = axes.includes("x") ? Math.max(outer.left - inner.left, inner.right - outer.right) : 0;
    const down = axes.includes("y") ? Math.max(outer.top - inner.top, inner.bottom - outer.bottom) : 0;
    return Math.max(across, down);
  }

  // The box inside the borders of an element, which cuts its contents off, and the axes on which it does.
  const clipOf = fact((element) => {
    const {overflowX, overflowY} = getComputedStyle(element), {left, top} = boxOf(element);
    const [x, y] = [left + element.clientLeft, top + element.clientTop];
    const axes = isInline(element) ? "" : (overflowX === "visible" ? "" : "x") + (overflowY === "visible" ? "" : "y");
    return {axes, scrolls: /auto|scroll/.test(overflowX + overflowY), left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight};
  });

  // Tell what cuts the box of an element off; an area that scrolls shows all of its contents if it is in sight itself.
  function cutter(element) {
    const box = boxOf(element);
    if (!isSeen(element) || isSaid(element) || Math.min(box.width, box.height) < 4) return "is not shown";
    for (const outer of outward(element.parentElement)) {
      const clip = clipOf(outer);
      if (outer.matches("[data-scrolls]") && clip.scrolls && excess(box, clip, "xy") > SLACK) {
        const room = Math.min(outer.clientWidth, outer.clientHeight);
        return room < LEAST_AREA ? `lies in ${name(outer)}, which has no room to scroll in` : cutter(outer);
      }
      if (clip.axes && excess(box, clip, clip.axes) > SLACK) return `is cut off by ${name(outer)}`;
    }
    const pane = {left: 0, top: -scrollY, right: innerWidth, bottom: height() - scrollY};
    return excess(box, pane, "xy") > SLACK ? "is outside the window" : "";
  }

  // Tell what covers an element at its middle. A card may be half covered by the ones in front of it.
  function cover(element) {
    const {left, top, width, height} = boxOf(element);
    const found = [0.5, 0.25].map((part) => document.elementFromPoint(left + width / 2, top + height * part));
    const shows = (hit) => hit && (element.contains(hit) || (hit.contains(element) && hit.closest(".piece")));
    return found.some(shows) ? "" : `is covered by ${found[0] ? name(found[0]) : "nothing"}`;
  }

  // Tell why an element cannot be seen; areas that scroll are scrolled to it first, and back again.
  function unseen(element) {
    if (!element) return "is not drawn";
    const cut = cutter(element);
    if (cut) return cut;
    const before = [], [across, down] = [scrollX, scrollY];
    const {top: above, bottom: below} = boxOf(element);
    if (above < 0 || below > innerHeight) scrollBy({top: (above + below - innerHeight) / 2, behavior: "instant"});
    for (const area of outward(element.parentElement)) {
      if (!area.matches("[data-scrolls]")) continue;
      const [box, clip] = [boxOf(element), boxOf(area)];
      before.push([area, area.scrollLeft, area.scrollTop]);
      if (excess(box, clip, "xy") > SLACK) area.scrollBy((box.left + box.right - clip.left - clip.right) / 2, (box.top + box.bottom - clip.top - clip.bottom) / 2);
    }
    const covered = cover(element);
    scrollTo({left: across, top: down, behavior: "instant"});
    for (const [area, x, y] of before) area.scrollTo(x, y);
    return covered;
  }

  const touchable = (id) => { const piece = byId(id); return piece?.matches("a, button") ? piece : null; };
  const buttonOf = (group, moves) => document.querySelector(`#acts ${group} .act[value="${moves}"]`);
  const wayTo = (way) => document.querySelector(`#acts .act[name=way][value="${way}"]`);

  // List what must be in sight: each thing with its elements, of which one must be seen.
  function things(wanted, chosen) {
    const found = wanted.parts?.map((id) => [`#${id}`, [byId(id)]]) ?? [["the question", [byId("question")]]];
    if (wanted.scene) found.push(["the scene", [byId("scene")]]);
    for (const id of wanted.about) found.push([`${id}, which the question is about,`, [byId(id)]]);
    for (const [action, {words, pieces}] of Object.entries(wanted.answers)) {
      found.push([`the answer "${words}"`, pieces.length ? pieces.map(touchable) : [buttonOf(".free", action)]]);
    }
    for (const way of wanted.ways ?? []) found.push([`the way "${way}" to a set`, [wayTo(way)]]);
    for (const id of Object.keys(wanted.rows ?? {})) found.push([`${id}, which a set can have,`, [byId(id)]]);
    for (const [action, moves, target] of wanted.acts[chosen] ?? []) {
      const act = buttonOf(`[data-for="${CSS.escape(chosen)}"]`, moves);
      const lit = target && byId(target)?.matches(".target") ? byId(target) : null;
      found.push([`the button "${wanted.answers[action].words}" of ${chosen}`, lit && act && !isSeen(act) ? [lit] : [act]]);
    }
    return found;
  }

  function hidden(wanted, chosen) {
    const faults = [];
    for (const [what, elements] of things(wanted, chosen)) {
      const whys = elements.map(unseen);
      if (whys.every(Boolean)) faults.push({measure: "hidden", element: elements[0] ? name(elements[0]) : "", what: `${what} ${whys[0]}`});
    }
    return faults;
  }

  // The box of a text without the room above and below its letters.
  function inkOf(text) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const {left, right, top, bottom} = range.getBoundingClientRect();
    const spare = Math.max(0, ((range.getClientRects()[0]?.height ?? 0) - 0.9 * parseFloat(getComputedStyle(text.parentElement).fontSize)) / 2);
    return {left, right, top: top + spare, bottom: bottom - spare};
  }

  // Tell whether a text ends in an ellipsis on purpose: a tooltip has all of it.
  function isShortened(element) {
    const tooltip = element.closest("[title]")?.title;
    return element.closest(SHORTENED) || (tooltip?.includes(element.textContent.trim()) && getComputedStyle(element).textOverflow === "ellipsis");
  }

  // Yield all texts and pictures of a region that people see, each with its box and the elements around it.
  function* leaves(region) {
    const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      const node = walker.currentNode, element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      const isLeaf = node === element ? node.matches("svg:not(svg svg), img, .piece, .act, [data-scrolls]") : node.data.trim();
      if (!isLeaf || isShortened(element) || !isSeen(element) || [...outward(element)].some(isSaid)) continue;
      const box = node === element ? boxOf(node) : inkOf(node);
      if (box.right - box.left > 0.5) yield [node, box, node === element ? node.parentElement : element];
    }
  }

  // Pieces may overlap, and what is placed by position or by transform may stand out of the elements around it.
  const isPlaced = fact((element) => {
    const {position, transform} = getComputedStyle(element);
    return element.matches(".piece") || position === "absolute" || position === "fixed" || transform !== "none";
  });

  // Find the element around a text or a picture that cuts it off, or that it spills out of; tell by how many pixels.
  function tooSmall(region, node, box, first) {
    let placed = node.nodeType === Node.ELEMENT_NODE && isPlaced(node);
    const isRaised = first.closest(".piece.chosen") || (node.nodeType === Node.ELEMENT_NODE && node.matches(".piece.chosen"));
    for (const outer of outward(first)) {
      const clip = clipOf(outer), [by, beyond] = [excess(box, clip, clip.axes), excess(box, boxOf(outer), "xy")];
      if (outer.matches("[data-scrolls]") && clip.scrolls) return null;
      if (clip.axes && by > SLACK) return {outer, what: `is cut off by ${name(outer)} (${Math.round(by)} px)`};
      const holds = outer === region ? !isRaised : !(placed || isInline(outer));
      if (holds && beyond > SLACK) return {outer, what: `spills out of ${name(outer)} (${Math.round(beyond)} px)`};
      if (outer === region) return null;
      placed ||= isPlaced(outer);
    }
    return null;
  }

  // List what is cut off or spills; what lies inside a piece that does so itself is left out.
  function overflows() {
    const faults = [], outermost = new Map();
    for (const region of REGIONS.map(byId).filter(Boolean)) {
      for (const [node, box, first] of leaves(region)) {
        const found = tooSmall(region, node, box, first);
        if (!found || [...outward(first)].some((outer) => outermost.get(outer) === found.outer)) continue;
        if (node !== first) outermost.set(node, found.outer);
        const words = node.data ? `"${node.data.trim().slice(0, 40)}"` : "it";
        faults.push({measure: "overflows", element: name(node.data ? first : node), what: `${words} ${found.what}`});
      }
    }
    return faults;
  }

  function scrolls() {
    const {scrollWidth: wide, scrollHeight: high} = document.documentElement;
    const what = `the page is ${wide} x ${high}, the window ${innerWidth} x ${innerHeight}`;
    return wide > innerWidth || high > height() ? [{measure: "scrolls", element: "html", what}] : [];
  }

  // List the areas of the board that hide something until they are scrolled.
  function innerScrolls() {
    const areas = [...document.querySelectorAll("#board [data-scrolls]")].filter((area) => isSeen(area) && clipOf(area).scrolls);
    return areas.flatMap((area) => {
      const [wide, high] = [area.scrollWidth - area.clientWidth, area.scrollHeight - area.clientHeight];
      return Math.max(wide, high) > SLACK ? [{measure: "inner_scrolls", element: name(area), what: `hides ${wide} px across and ${high} px down`}] : [];
    });
  }

  // The box of the number or the tick in the mark slot of a piece, or of the frame around it: it belongs to no element.
  // It is placed in the nearest element around it that has a position. What has no sign in it is no mark.
  function* marks() {
    for (const [kind, pieces] of [["::before", "[data-news]"], ["::after", ":is(.piece.chosen, :has(> .piece.chosen))"]]) {
      for (const piece of document.querySelectorAll(`#table-body ${pieces}`)) {
        const style = getComputedStyle(piece, kind), moved = new DOMMatrix(style.transform);
        if (/^(none|normal|"")/.test(style.content) || style.position !== "absolute" || !isSeen(piece)) continue;
        const holder = getComputedStyle(piece).position === "static" ? piece.offsetParent : piece, {left, top} = boxOf(holder);
        const [x, y] = [left + holder.clientLeft + parseFloat(style.left) + moved.e, top + holder.clientTop + parseFloat(style.top) + moved.f];
        yield [piece, {left: x, top: y, right: x + parseFloat(style.width), bottom: y + parseFloat(style.height)}];
      }
    }
  }

  // Find the element that cuts off the mark of a piece. An area that scrolls may hide a mark together with its piece.
  function edgeOf(piece, mark) {
    for (const outer of outward(piece)) {
      const clip = clipOf(outer), isAway = clip.axes && excess(boxOf(piece), clip, clip.axes) > SLACK;
      if (isAway && clip.scrolls && outer.matches("[data-scrolls]")) return null;
      if (clip.axes && excess(mark, clip, clip.axes) > SLACK) return outer;
    }
    return null;
  }

  // Tell what lies over the letters of a text: some points along the middle of each line must belong to it. A page that is higher
  // than the window is scrolled to the text first, and back again.
  function over(text, box, first) {
    const before = scrollY, down = Math.max(0, Math.ceil(box.bottom) - innerHeight), range = document.createRange();
    if (down) scrollBy({top: down, behavior: "instant"});
    range.selectNodeContents(text);
    const hits = [...range.getClientRects()].map(({left, right, top, bottom}) => overPoints(left, right, (top + bottom) / 2, first));
    const hit = hits.find(Boolean) ?? null;
    if (down) scrollTo({top: before, behavior: "instant"});
    return hit;
  }
  function overPoints(left, right, y, first) {
    for (const part of [0.05, 0.3, 0.5, 0.7, 0.95]) {
      const x = left + (right - left) * part;
      for (const hit of document.elementsFromPoint(x, y)) {
        if (hit.contains(first) || first.contains(hit) || hit.closest("svg")?.contains(first)) break;
        const around = boxOf(hit);
        const isPseudo = x < around.left - 1 || x > around.right + 1 || y < around.top - 1 || y > around.bottom + 1;
        if (!isPseudo && paints(hit, x, y)) return hit;
      }
    }
    return null;
  }

  // Tell whether an element hides what lies under a point: it has a ground or is a picture, or has a text of its own there.
  function paints(element, x, y) {
    const {backgroundColor, backgroundImage} = getComputedStyle(element);
    if (element.closest("svg, img") || backgroundImage !== "none" || !/^transparent|, 0\)$/.test(backgroundColor)) return true;
    const holds = (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    return [...element.childNodes].some((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return node.nodeType === Node.TEXT_NODE && [...range.getClientRects()].some(holds);
    });
  }

  // List the texts that lie under another element, and the marks that meet a text or an edge.
  function covered() {
    const faults = [], texts = [], all = new CSSStyleSheet();
    all.replaceSync("*, *::before, *::after { pointer-events: auto !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, all];
    for (const region of REGIONS.map(byId).filter(Boolean)) {
      for (const [node, box, first] of leaves(region)) {
        if (node.nodeType !== Node.TEXT_NODE || cutter(first)) continue;
        const isScrolledAway = [...outward(first)].some((outer) => outer.matches("[data-scrolls]") && excess(box, clipOf(outer), "xy") > SLACK);
        const hit = isScrolledAway ? null : over(node, box, first);
        const words = `"${node.data.trim().slice(0, 40)}"`;
        if (hit) faults.push({measure: "covered", element: name(first), what: `${words} lies under ${name(hit)}`});
        texts.push([box, words, first]);
      }
    }
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== all);
    for (const [piece, mark] of marks()) {
      const met = texts.find(([box, , first]) => piece.parentElement.contains(first) && box.left < mark.right - 1 && box.right > mark.left + 1 && box.top < mark.bottom - 1 && box.bottom > mark.top + 1);
      if (met) faults.push({measure: "covered", element: name(piece), what: `its mark lies on ${met[1]}`});
      const edge = edgeOf(piece, mark);
      if (edge) faults.push({measure: "cut", element: name(piece), what: `its mark is cut off by ${name(edge)}`});
    }
    return faults;
  }

  // List the buttons, tags, chips and goals whose letters are cut off.
  function cut() {
    const labels = document.querySelectorAll("#table-body :is(.act, .tool, .preview, .advice, .chip, #ribbon li:not([inert]) a)");
    return [...labels].filter((label) => isSeen(label) && !isSaid(label)).flatMap((label) => {
      const box = boxOf(label), walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode;
        if (!text.data.trim() || !isSeen(text.parentElement) || [...outward(text.parentElement)].some(isSaid)) continue;
        const ink = inkOf(text), holds = [...outward(text.parentElement)].find((outer) => outer !== label && clipOf(outer).axes && excess(ink, clipOf(outer), clipOf(outer).axes) > SLACK);
        if (excess(ink, box, "xy") > SLACK || (holds && label.contains(holds))) return [{measure: "cut", element: name(label), what: `"${text.data.trim().slice(0, 40)}" is cut off`}];
      }
      return [];
    });
  }

  // List the cards in the hand that say what they do neither themselves nor in the told line, once they are chosen.
  const flat = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  function unread(wanted, chosen) {
    const effect = wanted.held?.[chosen];
    if (!effect || !byId(chosen)?.closest(".hand")) return [];
    const told = document.querySelector("#picked > p");
    const isWhole = told && isSeen(told) && told.scrollHeight <= told.clientHeight + 2;
    const says = flat(byId(chosen).innerText).includes(flat(effect)) || (isWhole && flat(told.innerText).includes(flat(effect)));
    return says ? [] : [{measure: "unread", element: `#${chosen}`, what: `"${effect.slice(0, 60)}" stands nowhere`}];
  }

  // The most touches that an action of this question takes. A set takes two: one fills it, and one says that it is ready.
  function touches(wanted) {
    if (wanted.ways) return wanted.ways.every(wayTo) ? 2 : 99;
    const counts = Object.entries(wanted.answers ?? {}).map(([action, {pieces}]) => {
      if (!pieces.length) return buttonOf(".free", action) ? 1 : 99;
      const ways = pieces.flatMap((id) => (wanted.acts[id] ?? []).filter(([number]) => String(number) === action).map(([, moves, target]) => {
        const piece = touchable(id);
        if (piece?.matches("button")) return 1;
        return piece && (buttonOf(`[data-for="${CSS.escape(id)}"]`, moves) || byId(target)) ? 2 : 99;
      }));
      return Math.min(...ways);
    });
    return Math.max(0, ...counts);
  }

  // List the pieces and the actions that the inspector says nothing about. An action of no piece explains itself by its words.
  function unexplained(wanted) {
    const texts = (id, kinds) => [...(byId(`look.${id}`)?.querySelectorAll(kinds) ?? [])].map((line) => line.textContent.trim()).filter(Boolean);
    const fault = (element, what) => ({measure: "unexplained", element, what: `${what} has no text in the inspector`});
    const silent = Object.keys(wanted.acts).filter((id) => !texts(id, ".rule, .now li, .can > li > .words").length);
    const says = (id, words) => texts(id, ".rule, .now li").length || texts(id, ".can > li > .words").some((line) => flat(line) === flat(words));
    const unsaid = Object.entries(wanted.answers).filter(([action, {words, pieces}]) =>
      pieces.length ? !pieces.some((id) => says(id, words)) : !buttonOf(".free", action)?.textContent.trim());
    // A card of a set has its whole text on itself: a touch takes it, and does not choose it.
    silent.push(...Object.entries(wanted.rows ?? {}).filter(([id, text]) => byId(id) && !flat(byId(id).innerText).includes(flat(text))).map(([id]) => id));
    return [...silent.map((id) => fault(`#${id}`, id)), ...unsaid.map(([action, {words}]) => fault(`action ${action}`, `"${words}"`))];
  }

  // Choose a piece by a touch, and wait for the reason why it cannot be used; an empty id chooses nothing.
  async function choose(id) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
    await document.fonts.ready;
    if (!id) return [];
    byId(id).click();
    const end = Date.now() + PATIENCE;
    while (byId(id).dataset.why && !byId("why").children.length && Date.now() < end) await new Promise((go) => setTimeout(go, 10));
    return byId(id).matches(".chosen") ? [] : [{measure: "hidden", element: `#${id}`, what: `${id} is not chosen by a touch`}];
  }

  // Of the pieces that can be chosen, the one with the most words of each kind: place, number of actions, barred or not.
  function choices(wanted) {
    if (wanted.parts) return [];
    const kinds = new Map();
    for (const piece of document.querySelectorAll("#table-body a.piece[id]")) {
      const acts = wanted.acts[piece.id] ?? [];
      const kind = `${stem(piece.id)} ${Math.min(acts.length, 5)} ${piece.dataset.why ? "barred" : ""}`;
      const length = acts.reduce((sum, [action]) => sum + wanted.answers[action].words.length, 0);
      if (!(kinds.get(kind)?.length >= length)) kinds.set(kind, {id: piece.id, length});
    }
    return [...kinds.values()].map(({id}) => id);
  }

  async function look(wanted, chosen) {
    location.hash = ""; // an anchor that is drawn anew becomes the target again only by a change
    location.hash = wanted.at ?? "";
    const faults = await choose(chosen);
    for (const known of remembered) known.clear();
    faults.push(...scrolls(), ...hidden(wanted, chosen), ...overflows(), ...innerScrolls(), ...covered(), ...cut(), ...unread(wanted, chosen));
    if (!chosen) faults.push(...unexplained(wanted));
    const {top, bottom} = boxOf(byId("board"));
    return {faults, dock: boxOf(byId("dock")).height / height(), touches: chosen ? 0 : touches(wanted), board: [top, bottom]};
  }

  // Draw another table in the place of this one, as the socket does; a number of its own lets its previews be drawn.
  let shown = 0;
  function show(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelector("#moves > [name=decision]")?.setAttribute("value", `shown ${++shown}`);
    document.body.dataset.game = page.body.dataset.game ?? ""; // the style sheets of boards ask for it
    byId("table-body").replaceWith(document.adoptNode(page.getElementById("table-body")));
    document.dispatchEvent(new Event("htmx:after:swap"));
  }

  return {choices, look, show};
})();
