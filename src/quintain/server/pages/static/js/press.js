// While somebody presses a button or a piece, nothing changes under it: a browser forgets a press whose place on the page is
// another one when it ends. Whoever changes the page by themselves, without a touch, waits for `released`.
const released = (() => {
  const LONGEST = 1500, CLICKS = 50; // milliseconds that a press may last, and after which its click has come
  let [pressing, end] = [null, () => {}];
  function begin() {
    end();
    pressing = new Promise((resolve) => { end = resolve; });
    const own = end;
    setTimeout(own, LONGEST);
    pressing.then(() => { if (end === own) pressing = null; });
  }
  addEventListener("pointerdown", begin, true);
  for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => setTimeout(end, CLICKS), true);
  return async () => { while (pressing) await pressing; };
})();
document.addEventListener("htmx:ws:before:message:incoming", ({detail}) => { detail.waitUntil(released()); });
