// An analysis: links and keys lead to a position, whose page is swapped for the one in sight. As long as the adviser
// works, a socket tells how far it is, and the page follows.
(() => {
  const GAP = 1500; // milliseconds between two pages that follow the adviser
  const page = () => document.getElementById("analysis");

  let wanted = 0; // how many positions somebody has asked for

  async function show(url, keep) {
    const number = keep ? wanted : ++wanted;
    const answer = await fetch(url, {headers: {"hx-request": "true", accept: "text/html"}}).catch(() => null);
    if (!answer?.ok) return false;
    const text = await answer.text();
    // Somebody has asked for another position since, whose page comes, or is there already.
    if (number !== wanted || (keep && url !== location.href)) return true;
    await htmx.swap({sourceElement: page(), target: "#analysis", swap: "outerMorph", text, transition: false});
    if (!keep) history.replaceState(history.state, "", url);
    follow();
    return true;
  }

  const listen = following(() => show(location.href, true), GAP);
  function follow() {
    if (page()?.dataset.working === "true") listen(page().dataset.socket);
  }

  document.addEventListener("click", async (event) => {
    const link = page() && event.target.closest("#analysis a[href]:not([target]):not([download])");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const url = new URL(link.href?.baseVal ?? link.href, location.href);
    if (url.pathname !== location.pathname) return;
    event.preventDefault();
    if (!await show(url)) location.href = url;
    if (!link.closest(".an-stepper, .an-eyes")) document.getElementById(url.hash.slice(1) || "step")?.scrollIntoView({block: "nearest"});
  });

  const ways = {ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", m: "mistake", p: "play-on", e: "explain"};
  document.addEventListener("keydown", (event) => {
    if (!page() || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, [tabindex='0']")) return;
    const to = page().querySelector(`[data-way="${ways[event.key]}"][href], button[data-way="${ways[event.key]}"], [data-eyes="${/^[1-9]$/.test(event.key) ? event.key : ""}"]`);
    if (!to) return;
    event.preventDefault();
    to.click();
    const step = document.getElementById("step").getBoundingClientRect();
    if (step.top > innerHeight / 2 || step.bottom < 0) document.getElementById("step").scrollIntoView();
  });

  document.addEventListener("DOMContentLoaded", follow);
})();
