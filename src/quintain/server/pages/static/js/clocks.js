// Clocks count down here, and stopwatches up. A page says how many seconds were left when the server sent it. From its arrival on they are
// counted by a counter of the browser that runs evenly, so it does not matter what the device takes for the time of day.
(() => {
  const GRACE = 30; // seconds from the end of the time until a bot plays on: the words are those of words.py
  const HURRY = 10;
  const SPOKEN = [30, 10, 5]; // seconds left at which a voice says so to whoever is to act
  const [ends, starts] = [new WeakMap(), new WeakMap()];

  function span(all) {
    const seconds = Math.max(0, all);
    if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (seconds >= 2 * 86400) return `${Math.floor(seconds / 86400)} days`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  }
  function clockWords(seconds, rests) {
    const late = !rests && seconds <= HURRY;
    return {digits: span(seconds), late, words: late ? `: a bot plays on in ${span(seconds + GRACE)}` : "left"};
  }

  function show(clock) {
    const seconds = Math.floor((ends.get(clock) - performance.now()) / 1000 + 0.5);
    const {digits, late, words} = clockWords(seconds, clock.classList.contains("rests"));
    const [number, said] = clock.children;
    if (number.textContent !== digits) number.textContent = digits;
    clock.classList.toggle("late", late);
    if (said.textContent !== (late ? `hurry${words}` : words)) {
      said.textContent = words;
      if (late) said.prepend(Object.assign(document.createElement("em"), {textContent: "hurry"}));
    }
    return seconds;
  }

  let spoken = Infinity;
  function speak(seconds) {
    const voice = document.getElementById("clock-voice");
    const due = SPOKEN.findLast((each) => seconds <= each);
    if (voice && seconds > 0 && due < spoken) {
      voice.textContent = `${due} seconds left${due > HURRY ? "" : `: hurry, a bot plays on in ${due + GRACE} seconds`}.`;
    }
    spoken = due ?? Infinity;
  }

  function countDown() {
    for (const clock of document.querySelectorAll("time.clock")) if (ends.has(clock)) show(clock);
    for (const watch of document.querySelectorAll("time.stopwatch")) {
      if (starts.has(watch)) watch.textContent = `for ${span(Math.floor((performance.now() - starts.get(watch)) / 1000))}`;
    }
    const own = document.querySelector(".seat.you time.clock");
    speak(own && ends.has(own) ? Math.ceil((ends.get(own) - performance.now()) / 1000) : Infinity);
  }
  // The attribute goes once it is read, so that each new page brings it anew, even if it has the same seconds.
  function arrive(at) {
    for (const clock of document.querySelectorAll("[data-left]")) {
      ends.set(clock, at + 1000 * Number(clock.dataset.left));
      delete clock.dataset.left;
    }
    for (const watch of document.querySelectorAll("[data-passed]")) {
      starts.set(watch, at - 1000 * Number(watch.dataset.passed));
      delete watch.dataset.passed;
    }
    countDown();
  }
  arrive(performance.getEntriesByType("navigation")[0]?.responseStart ?? 0);
  setInterval(countDown, 250);
  document.addEventListener("htmx:after:swap", () => arrive(performance.now()));
})();
