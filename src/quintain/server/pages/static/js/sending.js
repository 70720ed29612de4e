// On its way: what a player sends shows so at once, on the piece or the button that they touched, and is not sent twice.
// After a second the place of the question says what is on its way, after five it counts, and after fifteen it offers to
// try again. Trying again is safe: the server takes only one answer to a question, and shows the table to any other.
(() => {
  const SAY = 1, COUNT = 5, OFFER = 15; // seconds
  const SENDS = "#moves, #set, #undo, #hurry, #skip, #passing, #resign, #come-back, #lesson-on, #lesson-show, #lesson-skip, #lesson-leave";
  const byId = (id) => document.getElementById(id);
  const decision = () => document.querySelector("#moves > [name=decision]")?.value;
  const speak = (words) => { if (byId("spoken")) byId("spoken").textContent = words; };
  let sent = null;

  // The piece to which an action belongs: the one that was touched, or the one that had been chosen.
  const pieceOf = (button) => button?.matches(".piece") ? button : byId(button?.closest(".group[data-for]")?.dataset.for);

  function named(button) {
    if (button.dataset.way) return "your set";
    const act = button.name === "action" && document.querySelector(`#acts .act[value="${CSS.escape(button.value)}"]`);
    return (act || button).title || (act || button).innerText.trim();
  }

  // A page may come meanwhile: mark its elements, which have the same ids and values.
  function mark() {
    const {piece, name, value} = sent;
    byId("table-body").classList.add("sending");
    byId(piece)?.classList.add("going");
    for (const act of document.querySelectorAll("#acts .act")) if (act.name === name && act.value === value) act.classList.add("going");
    if (sent.seconds >= SAY) say();
  }

  function say() {
    const {seconds, words} = sent;
    const place = document.querySelector("#ask :is(.asked-what, .coach-words)") ?? byId("ask");
    if (!place) return;
    let told = byId("sending");
    if (!told) {
      told = Object.assign(document.createElement("div"), {id: "sending", className: "on-its-way"});
      told.innerHTML = '<b></b><span></span><button class="button" type="button" id="try-again" hidden>Try again</button>';
      place.append(told);
    }
    const [heading, line, again] = told.children;
    heading.textContent = `On its way: ${words}`;
    line.textContent = seconds < COUNT ? "Waiting for the table." : `Sent ${seconds} seconds ago. The network is slow.`;
    again.hidden = seconds < OFFER;
    byId("table-body").classList.add("waits-long");
  }

  function tick() {
    sent.seconds += 1;
    say();
    if (sent.seconds === SAY) speak(`On its way: ${sent.words}`);
    if (sent.seconds === OFFER) speak("No answer for 15 seconds. You can try again.");
  }

  function begin(form, button) {
    end();
    sent = {
      form, button, decision: decision(), piece: pieceOf(button)?.id, name: button?.name, value: button?.value,
      words: button ? named(button) : "your move", seconds: 0, ctx: null,
    };
    sent.timer = setInterval(tick, 1000);
    mark();
  }

  function end() {
    if (!sent) return;
    clearInterval(sent.timer);
    sent = null;
    byId("sending")?.remove();
    byId("table-body")?.classList.remove("sending", "waits-long");
    for (const each of document.querySelectorAll(".going")) each.classList.remove("going");
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches(SENDS) || !form.hasAttribute("hx-post")) return;
    if (sent?.form === form && sent.decision === decision()) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      begin(form, event.submitter);
    }
  }, true);

  document.addEventListener("click", (event) => {
    if (event.target.id !== "try-again" || !sent) return;
    const {form, button, ctx} = sent;
    end();
    ctx?.request.abort?.();
    // The request that was given up must have ended: until then htmx would let the new one wait.
    setTimeout(() => form.requestSubmit(button?.isConnected ? button : null), 0);
  });

  document.addEventListener("htmx:before:request", ({detail: {ctx}}) => { if (sent?.form === ctx.sourceElement) sent.ctx = ctx; });
  document.addEventListener("htmx:finally:request", ({detail: {ctx}}) => { if (sent?.ctx === ctx) end(); });
  document.addEventListener("htmx:after:swap", () => {
    if (!sent) return;
    if (sent.decision === decision()) mark();
    else end();
  });
  // A page that the browser has kept shows what is on its way no longer.
  addEventListener("pageshow", (event) => { if (event.persisted) end(); });
})();
