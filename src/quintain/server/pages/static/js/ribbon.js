// Since your last turn: a page from the socket only says the last line of the log, since to find out more costs the server
// time. When a question is there, or nothing has come for a while, this file asks for the table with all news, and takes
// from it the ribbon and the numbers on the pieces. The links of the ribbon are htmx's.
(() => {
  const QUIET = 1500, LATER = 3000; // milliseconds
  const page = () => document.getElementById("table-body");
  const asks = () => document.querySelector("#ribbon[data-asks]");
  const moment = (body) => `${body?.querySelector("#moves > [name=decision]")?.value} ${body?.dataset.told}`;
  let [known, timer] = [null, 0];

  // Chips show whole sentences: those that do not fit into the line count with the rest.
  function count() {
    const [beyond, chips] = [document.getElementById("ribbon-beyond"), [...document.querySelectorAll("#ribbon ol.ribbon-news > li")]];
    if (!chips.length || !beyond) return;
    const seen = chips.filter((chip) => chip.offsetParent && chip.offsetTop === chips[0].offsetTop).length;
    for (const chip of chips) chip.inert = chips.indexOf(chip) >= seen;
    const rest = Number(beyond.dataset.all) - seen;
    beyond.textContent = rest > 0 ? `+${rest}` : "";
  }

  function show() {
    const focused = document.activeElement?.id;
    const ribbon = known.querySelector("#ribbon")?.cloneNode(true);
    if (!ribbon) return;
    asks().replaceWith(ribbon);
    htmx.process(ribbon);
    for (const place of known.querySelectorAll("[data-news]")) {
      const here = document.getElementById(place.id);
      if (here) here.dataset.news = place.dataset.news;
    }
    count();
    if (focused?.startsWith("ribbon")) document.getElementById(focused)?.focus({preventScroll: true});
  }

  async function ask() {
    const answer = await fetch(`${location.pathname}?since`, {headers: {"HX-Request": "true"}}).catch(() => null);
    if (!answer?.ok) {
      if (asks()) timer = setTimeout(ask, LATER); // the connection is lost, or the server has too much to do
      return;
    }
    const text = await answer.text();
    await released();
    known = new DOMParser().parseFromString(text, "text/html").getElementById("table-body");
    if (asks() && moment(known) === moment(page())) show();
  }

  function look() {
    clearTimeout(timer);
    count();
    if (!asks()) return;
    if (known && moment(known) === moment(page())) show();
    else timer = setTimeout(ask, page().dataset.turn === "yes" ? 0 : QUIET);
  }
  document.addEventListener("htmx:after:swap", look);
  document.addEventListener("DOMContentLoaded", look);
  addEventListener("resize", count);
  document.fonts.ready.then(count);
})();
