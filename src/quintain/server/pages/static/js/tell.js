// Telling: what others do is shown one event at a time. The socket brings the table as it is now; if more than one thing
// has happened, this file asks the server for the table at each event, and shows them one after another before the last.
// htmx waits meanwhile, so later pages queue. Space or a touch on empty ground skips to the next event, twice to the end.
// A question to the viewer never waits for this: it ends the telling, and the ribbon tells the rest.
(() => {
  const PACE = {slow: 1000, usual: 500, fast: 250}; // milliseconds for an event
  const HURRY = 100, MOST = 8, TWICE = 400;
  const body = () => document.getElementById("table-body");
  let [telling, skipped, hurries, wake] = [null, 0, false, () => {}];
  // The messages that wait: when each arrived, and whether it asks the viewer something. htmx takes a message at once if
  // none waits, before this file hears of it: so many are early.
  const waiting = [];
  let early = 0;

  const told = () => Number(body()?.dataset.told ?? 0);
  const decision = (page) => Number(page?.querySelector("#moves > [name=decision]")?.value ?? 0);
  function rush() {
    if (telling) telling.rushed = true;
    wake();
  }
  const wait = (time) => new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    wake = () => { clearTimeout(timer); resolve(); };
  });
  function ring(places) {
    for (const place of document.querySelectorAll(".touched")) place.classList.remove("touched");
    for (const id of places) document.getElementById(id)?.classList.add("touched");
  }

  // A page that is shown later than it arrived has less time left on its clocks.
  const aged = (html, arrived) => html.replace(/data-left="(-?[\d.]+)"/g,
    (_, left) => `data-left="${(left - (performance.now() - arrived) / 1000).toFixed(2)}"`);

  async function steps(from) {
    const answer = await fetch(`${location.pathname}/steps?after=${from}`);
    return answer.ok ? (await answer.json()).steps : [];
  }

  // The socket and the answers to posts overtake each other: a page may come later than a newer one. Not every decision
  // leaves a line in the log.
  const isOlder = (next) => Number(next?.dataset.told) < told() || (Number(next?.dataset.told) === told() && decision(next) < decision(body()));

  // Whoever looks back is called to the table as it is by a new question and by the end, and by nothing else.
  const asked = (page) => `${page?.querySelector("#moves > [name=decision]")?.value} ${page?.dataset.turn}`;
  const ends = (next) => !next || !next.matches(".is-playing") || asked(next) !== asked(body());

  const asks = (data) => typeof data === "string" && /data-turn=\\?"yes"/.test(data);

  // Show the table at each event but the last, which the page from the socket shows. Tell whether that page is old.
  async function tell(message, current) {
    const next = new DOMParser().parseFromString(message.data, "text/html").getElementById("table-body");
    const count = Number(next?.dataset.told) - told();
    if (body().dataset.step) return !ends(next);
    if (hurries) {
      hurries = next?.dataset.turn !== "yes" && !next?.matches(".is-over");
      return isOlder(next);
    }
    const isAsked = next?.dataset.turn === "yes" || waiting.some((each) => each.asks);
    if (!(count > 0) || isAsked || !body().classList.contains("frame") || document.hidden) return isOlder(next);
    const found = await steps(told()).catch(() => []);
    const arrived = performance.now();
    for (const [index, step] of found.slice(0, -1).entries()) {
      await released();
      if (telling !== current || current.rushed) break;
      await htmx.swap({sourceElement: document.getElementById("table"), target: "#table-body", swap: "outerMorph", text: aged(step.html, arrived), transition: false});
      ring(step.places);
      const isLate = waiting.length > 2 || found.length - index > MOST;
      await wait(isLate ? HURRY : PACE[body().dataset.speed] ?? PACE.usual);
    }
    current.places = found.at(-1)?.places ?? [];
    await released();
    return isOlder(next);
  }

  document.addEventListener("htmx:ws:after:connection", ({detail}) => {
    detail.connection.socket.addEventListener("message", ({data}) => {
      if (early) early -= 1;
      else waiting.push({at: performance.now(), asks: asks(data)});
      if (asks(data)) rush();
    });
  });
  document.addEventListener("htmx:ws:before:message:incoming", ({detail}) => {
    if (!waiting.length) early += 1;
    const arrived = waiting.shift()?.at ?? performance.now();
    if (!body()) return;
    const current = telling = {places: [], rushed: false};
    detail.waitUntil(tell(detail.message, current).then((isOld) => {
      detail.cancelled = isOld;
      detail.message.data = aged(detail.message.data, arrived);
    }));
  });
  document.addEventListener("htmx:ws:after:message:incoming", () => {
    const places = telling?.places ?? [];
    telling = null;
    ring(places);
    if (places.length) setTimeout(() => ring([]), PACE[body()?.dataset.speed] ?? PACE.usual);
  });
  // A page that answers a request shows the newest table: what led to it is told no more. If the socket has brought a newer
  // one meanwhile, that stays.
  document.addEventListener("htmx:before:swap", (event) => {
    const {ctx, tasks} = event.detail;
    if (!ctx?.request || !ctx.response) return;
    const next = tasks?.[0]?.fragment.querySelector("#table-body");
    if (next && !next.dataset.step && !body().dataset.step && isOlder(next)) event.preventDefault();
    else if (ctx.response.status === 200) { telling = null; wake(); }
  });

  // Skip to my turn: show nothing on the way, and what is being told at once. The ribbon tells it all.
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "hurry") return;
    hurries = true;
    rush();
  });

  function skip() {
    if (!telling) return false;
    telling.rushed = telling.rushed || Date.now() - skipped < TWICE;
    skipped = Date.now();
    wake();
    return true;
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && !event.target.closest("button, a, input, textarea, select, summary") && skip()) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("button, a, summary, input, .dock, .rail")) skip();
  });
})();
