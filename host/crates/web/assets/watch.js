// A game that is watched as it is played: its positions come by a stream to the page of a replay, which shows them at its reader's speed.
"use strict";
{
  // The rest after the end of a game before the next one, and the time after which a server that refused the stream is asked again.
  const REST_MS = 3000;
  const AGAIN_MS = 5000;
  const element = (id) => document.getElementById(id);
  const { events } = element("replay").dataset;
  const next = element("next-game");
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`arena:${name}`, { detail }));
  const say = (text) => { element("watching").textContent = text; };

  // The choices of the reader stay from one game to the next.
  ["speed", "view"].forEach((id) => {
    const list = element(id);
    const kept = sessionStorage.getItem(id);
    if (kept !== null) list.value = kept;
    if (kept !== null) list.dispatchEvent(new Event("change"));
    window.addEventListener("pagehide", () => sessionStorage.setItem(id, list.value));
  });

  let rest = 0;
  const go = () => { if (next && !next.disabled) location.assign(next.dataset.address); };
  // Who looks at something stays with this game.
  ["keydown", "pointerdown"].forEach((kind) => document.addEventListener(kind, () => clearTimeout(rest)));
  document.addEventListener("arena:seen", () => { rest = setTimeout(go, REST_MS); });
  next?.addEventListener("click", go);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.target.matches("button, a, summary, select, input")) go();
  });

  // The number of positions that have come: a stream that begins again repeats none.
  let count = 0;
  const open = () => {
    const stream = new EventSource(events);
    stream.addEventListener("open", () => say(""));
    stream.addEventListener("message", (event) => {
      const number = Number(event.lastEventId);
      if (number !== count + 1) return;
      count = number;
      tell("step", JSON.parse(event.data));
    });
    stream.addEventListener("over", (event) => {
      stream.close();
      if (next) next.disabled = false;
      tell("over", JSON.parse(event.data));
    });
    stream.addEventListener("again", () => location.reload());
    stream.addEventListener("error", () => {
      say("The arena cannot be reached. Is it still running?");
      // The browser asks again by itself, unless it was refused.
      if (stream.readyState === EventSource.CLOSED) setTimeout(open, AGAIN_MS);
    });
  };
  open();
}
