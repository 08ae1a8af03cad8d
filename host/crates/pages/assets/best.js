// The best game of the front page, which plays by itself: over and over, while it can be seen. A reader who wants no motion starts it.
"use strict";
{
  // A turn every so many milliseconds, and a rest at the end. Chosen: turns can be followed, and a game takes half a minute.
  const TURN_MS = 300;
  const REST_MS = 5000;

  const start = (section) => {
    const data = JSON.parse(section.querySelector("#best-data").textContent);
    const boards = [...section.querySelectorAll("table.board")].map((table) => new Board(table));
    const picture = section.querySelector(".picture");
    const words = section.querySelector("#best-words bdi");
    const button = section.querySelector("#best-play");
    const last = data.frames.length - 1;
    let position = last;
    let at = -1;
    let layers = [[], []];
    let timer = 0;
    let isWanted = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    let isSeen = false;

    const places = (frame, layer) => (frame?.d[layer] ?? []).flatMap((it, i, all) => (i % 2 ? [] : [[it, all[i + 1]]]));
    const paint = () => {
      if (position < at) { at = -1; layers = [[], []]; }
      while (at < position) {
        at += 1;
        layers.forEach((layer, owner) => places(data.frames[at], owner).forEach(([index, look]) => { layer[index] = look; }));
      }
      const { i: image, text } = data.frames[position];
      boards.forEach((board, owner) => {
        const next = places(data.frames[position + 1], owner).find(([, look]) => data.looks[look][1].endsWith("last"));
        board.paint(layers[owner].map((look) => data.looks[look].slice(0, 2)), { next: next?.[0] });
      });
      const shown = image?.[0];
      if (picture && shown !== null && shown !== undefined) picture.textContent = data.pictures[shown].map((line) => data.lines[line]).join("\n");
      words.textContent = text;
    };
    const go = () => {
      clearTimeout(timer);
      if (!section.isConnected || !isWanted || !isSeen || document.hidden) return;
      position = position === last ? data.first : position + 1;
      paint();
      timer = setTimeout(go, position === last ? REST_MS : TURN_MS);
    };
    const name = () => { button.textContent = isWanted ? "Pause" : "Play"; };
    button.addEventListener("click", () => { isWanted = !isWanted; name(); go(); });
    button.hidden = false;
    name();
    new IntersectionObserver(([entry]) => {
      isSeen = entry.isIntersecting;
      clearTimeout(timer);
      timer = setTimeout(go, position === last ? TURN_MS * 4 : TURN_MS);
    }, { threshold: 0.3 }).observe(section);
    document.addEventListener("visibilitychange", go);
  };

  let ready = null;
  const look = () => {
    const section = document.getElementById("best");
    if (!section?.querySelector("#best-data") || section === ready) return;
    ready = section;
    start(section);
  };
  document.addEventListener("arena:shown", look);
  look();
}
