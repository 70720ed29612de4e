// A replay: links, keys and the bar lead to a step, whose page is swapped for the one that is shown. Only what changes
// comes: the lines of the log stay, and this file moves their marks. The address is always that of the step in sight.
(() => {
  const PACE = {slow: 2400, usual: 1200, fast: 500}; // milliseconds for a step
  const GAP = 100; // milliseconds between two requests: the server answers ten a second
  const byId = (id) => document.getElementById(id);
  const body = () => document.querySelector("#table-body.replay");
  const here = () => Number(body().dataset.step);
  const last = () => Number(byId("step.bar").max);
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  let [wanted, loading, playing] = [0, null, 0];

  function address(step) {
    const url = new URL(location.href);
    url.searchParams.set("step", step);
    url.hash = "";
    return url;
  }

  function complain(words) {
    pause();
    wanted = here();
    byId("notice").textContent = words;
    byId("notice").hidden = false;
  }

  async function load() {
    const url = address(wanted);
    const answer = await fetch(url, {headers: {"hx-request": "true", accept: "text/html"}}).catch(() => null);
    if (!answer) return complain("The server cannot be reached just now.");
    if (answer.status === 429) return complain("That was too fast for the server: wait a moment.");
    if (!answer.ok) return complain("The server cannot show this step: load the page again.");
    await htmx.swap({sourceElement: body(), target: "#table-body", swap: "outerMorph", text: await answer.text(), transition: false});
    history.replaceState(history.state, "", url);
  }

  async function follow() {
    while (wanted !== here()) await Promise.all([load(), wait(GAP)]);
    settle();
  }

  // Show a step. While one is on its way, only the last that was asked for follows.
  function show(step) {
    wanted = Math.max(0, Math.min(last(), step));
    byId("step.bar").value = wanted;
    loading ??= follow().finally(() => { loading = null; });
    return loading;
  }

  // Playing.
  const isPlaying = () => Boolean(playing);
  function pause() {
    playing = 0;
    byId("step.play").textContent = "Play";
  }
  async function play() {
    const run = playing = Date.now();
    byId("step.play").textContent = "Pause";
    if (here() === last()) await show(0);
    while (playing === run && here() < last()) {
      await wait(PACE[byId("step.speed").value]);
      if (playing === run) await show(here() + 1);
    }
    if (playing === run) pause();
  }
  const toggle = () => (isPlaying() ? pause() : play());
  function go(step) {
    pause();
    show(step);
  }

  // The log: what has happened, the moment in sight, and what is still to come.
  const lines = () => [...document.querySelectorAll("#log li:not(.heading)")].map((line) => (
    {line, link: line.firstElementChild, step: Number(line.firstElementChild.dataset.to)}
  ));
  const latest = (all, step) => all.findLast((each) => each.step <= step);
  function mark() {
    const all = lines(), now = latest(all, here())?.step ?? 0;
    for (const {line, link, step} of all) {
      line.classList.toggle("now", step === now);
      line.classList.toggle("to-come", step > here());
      if (step === now) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
    const current = document.querySelector("#log .now"), box = byId("log").getBoundingClientRect();
    const place = current?.getBoundingClientRect();
    if (place && (place.top < box.top || place.bottom > box.bottom)) byId("log").scrollTop += place.top - box.top - box.height / 2;
  }

  // While the bar is dragged, the words of the step under it stand in the place of those of the step in sight.
  let kept = null;
  function preview(step) {
    const at = byId("step.at");
    kept ??= at.innerHTML;
    at.classList.add("moving");
    at.querySelector("b").textContent = step;
    at.querySelector(".step-words").textContent = latest(lines(), step)?.link.textContent ?? "";
  }
  function settle() {
    const at = byId("step.at");
    if (kept !== null && at.classList.contains("moving")) at.innerHTML = kept;
    kept = null;
    at.classList.remove("moving");
    byId("step.bar").value = here();
    byId("step.bar").ariaValueText = `${here()} of ${last()}`;
  }

  document.addEventListener("input", ({target}) => { if (target.id === "step.bar") { pause(); preview(Number(target.value)); } });
  document.addEventListener("change", ({target}) => {
    if (target.id === "step.bar") go(Number(target.value));
    if (target.id === "step.speed") body().dataset.speed = target.value;
  });
  document.addEventListener("click", (event) => {
    if (!body()) return;
    if (event.target.closest("[id='step.play']")) toggle();
    const link = event.target.closest("a[data-to][href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (getComputedStyle(byId("rail")).position === "fixed") byId("rail").classList.remove("open");
    go(Number(link.dataset.to));
  });

  // The arrows belong to a bar, a field or a place of pieces that has the focus; elsewhere they step through the game.
  const keys = {ArrowLeft: () => go(wanted - 1), ArrowRight: () => go(wanted + 1), Home: () => go(0), End: () => go(last())};
  const fields = "input, select, textarea, dialog", deeds = `${fields}, a, button, summary`;
  document.addEventListener("keydown", (event) => {
    if (!body() || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (keys[event.key] && !event.target.closest(`${fields}, .piece, .score`)) {
      event.preventDefault();
      keys[event.key]();
    } else if (event.key === " " && !event.target.closest(deeds)) {
      event.preventDefault();
      toggle();
    }
  });

  document.addEventListener("htmx:after:swap", () => {
    if (!body()) return;
    body().dataset.speed = byId("step.speed").value;
    kept = null;
    byId("step.at").classList.remove("moving");
    if (!byId("step.bar").matches(":active")) byId("step.bar").value = wanted;
    mark();
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (!body()) return;
    wanted = here();
    settle();
    mark();
  });
})();
