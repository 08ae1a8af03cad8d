// The replay of a game: the positions in the page's data, shown on its boards. It knows no game: a position is a list of
// cells with their looks, which the report has worked out. A game that is played gets its positions one by one, as events of the document:
// each "arena:step" has one, and "arena:over" says that there are no more. When the end was played, "arena:seen" says so.
"use strict";
{
  const element = (id) => document.getElementById(id);
  const data = JSON.parse(element("replay-data").textContent);
  const frames = data.frames;
  let last = frames.length - 1;
  const lines = [...element("turns").children];
  // Without names, no line of the list draws the page away from the boards when its turn is in the address.
  const places = lines.map((line) => line.id);
  lines.forEach((line) => line.removeAttribute("id"));
  const of = (selector) => [1, 2].map((seat) => document.querySelector(`${selector}[data-owner="${seat}"]`));
  const boards = of("table.board").map((table) => table && new Board(table));
  const [afloat, fuel, logs] = [of(".afloat"), of("p.fuel"), of("#logs pre")];
  const [scrub, play, view, speed, status] = ["scrub", "play", "view", "speed", "status"].map(element);
  const [heat, won, which, replay] = ["heat", "chance", "which", "replay"].map(element);
  // The picture of a game without boards; at first, that of the end.
  const picture = element("picture");
  // The same as the game draws it.
  const drawing = element("drawing");
  const isWatched = replay.hasAttribute("data-events");
  // True while further positions may come, and a sentence about an end without a result.
  let isOpen = isWatched;
  let trouble = "";
  const lastPicture = picture?.textContent;
  // The logs, and on a phone the line that opens them.
  const [said, logLine] = ["logs", "log-line"].map(element);
  const sides = [...document.querySelectorAll("figure.side")];
  const hasTwo = boards.every((board) => board);
  const bots = [...document.querySelectorAll("figcaption bdi")].map((link) => link.textContent);
  const faults = frames.flatMap((frame, position) => (frame.x ? [position] : []));
  const speeds = [0.5, 1, 2, 4, 8, 16, 32];
  let position = last;
  let timer = null;
  let linking = null;

  // The four layers of boards at the position: both as they are, then both as the other side knows them. If both sides have one
  // board, it is that of seat 1.
  let at = -1;
  const layers = [[], [], [], []];
  const ships = ["", ""];
  const maps = [[0, ""], [0, ""]];
  let drawn = [[], []];
  let needed = [0, 0];
  let images = [null, null, null];
  let drawings = [null, null, null];
  let chance = 50;
  const reach = (target) => {
    if (target < at) { at = -1; drawings = [null, null, null]; }
    while (at < target) {
      at += 1;
      const frame = frames[at];
      frame.d.forEach((changes, layer) => {
        for (let i = 0; i < changes.length; i += 2) layers[layer][changes[i]] = changes[i + 1];
      });
      if (frame.i) images = frame.i;
      if (frame.g) drawings = frame.g;
      if (frame.w !== undefined) chance = frame.w;
      if (frame.h) frame.h.forEach((text, owner) => { if (text !== null) maps[owner] = text; });
      if (frame.l) drawn = frame.l;
      if (frame.n) needed = frame.n;
      if (frame.a) frame.a.forEach((text, owner) => { ships[owner] = text; });
    }
  };

  // The cell of a layer at which the next turn happens; -1 if it happens elsewhere.
  const nextOn = (layer) => {
    const changes = frames[position + 1]?.d[layer] ?? [];
    const places = changes.flatMap((it, i) => (i % 2 ? [] : [[it, changes[i + 1]]]));
    return places.find(([, look]) => data.looks[look][1].endsWith("last"))?.[0] ?? -1;
  };

  const group = (number) => number.toLocaleString("en");

  // The fuel of a side's last turn up to the position.
  const fuelOf = (seat) => {
    for (let i = position; i > 0; i -= 1) if (frames[i].s === seat) return frames[i].f ?? null;
    return null;
  };

  // The board of the turn, where the screen has room for one: that on which the turn happened or, if it happened on both or on neither,
  // that of the side whose turn it was not.
  const boardOfTurn = (marked) => {
    if (marked[0] !== marked[1]) return marked[0] ? 0 : 1;
    for (let i = position; i > 0; i -= 1) if (frames[i].s) return 2 - frames[i].s;
    return 0;
  };

  // Pictures share their lines, and so do drawings.
  const textOf = ({ lines, pictures }, place) => pictures[place].map((line) => lines[line]).join("\n");

  // The picture as an observer of both sides sees it, or as a side does.
  const imageOf = (sight) => {
    const place = images[sight];
    if (place !== null) return textOf(data, place);
    return !isWatched && position === last && sight === 0 ? lastPicture : "(left out: the page would be too large)";
  };

  const words = () => {
    if (trouble && position === last) return trouble;
    if (position === 0) return "Before the first event";
    const line = lines[position - 1];
    return line.dataset[`seat${view.value}`] ?? line.textContent;
  };

  const paint = () => {
    reach(position);
    const sight = Number(view.value);
    const marked = [false, false];
    const printed = frames[position].p ?? ["", ""];
    boards.forEach((board, owner) => {
      const layer = sight === 0 || sight === owner + 1 ? owner : owner + 2;
      const cell = (look, index) => {
        const [sign, classes, shade, written] = data.looks[look];
        marked[owner] ||= classes.endsWith("last");
        // Where the chances are shown, they take the place of what a bot drew beside its turn: that is on the board of the other
        // side, which does not see it.
        if (heat?.checked) {
          const digit = maps[owner][1][index]?.trim();
          return [sign, classes, digit, "", "chance of a ship in tenths of the largest:"];
        }
        return sight === owner + 1 ? [sign, classes] : [sign, classes, shade, written];
      };
      const isDrawn = !heat?.checked && sight !== owner + 1;
      board?.paint(layers[layer].map(cell), { next: nextOn(layer), lines: isDrawn ? drawn[owner] : [] });
      if (afloat[owner]) afloat[owner].lastElementChild.textContent = ships[owner];
      const used = fuelOf(owner + 1);
      fuel[owner].hidden = used === null;
      if (used !== null) {
        fuel[owner].querySelector("meter").value = used;
        fuel[owner].lastElementChild.textContent = `${group(used)} of ${group(data.budget)}`;
      }
      if (said) logs[owner].textContent = printed[owner];
    });
    if (picture) {
      const place = drawings[sight];
      const svg = place === null ? "" : textOf(data.drawings, place);
      showPicture(picture, drawing, imageOf(sight), svg);
    }
    const shown = which?.value ? Number(which.value) : boardOfTurn(marked);
    sides.forEach((side, owner) => side.classList.toggle("other", hasTwo && owner !== shown));
    if (said) {
      const speaker = printed[0] ? 0 : 1;
      const line = printed[speaker].split("\n")[0];
      logLine.firstChild.textContent = line ? `Log of ${bots[speaker]}: ` : "Log: nothing printed";
      logLine.lastChild.textContent = line;
    }
    if (won) {
      const isOver = position === last && last > 0 && !isOpen && !trouble;
      const hits = (count) => `${count} ${count === 1 ? "hit" : "hits"}`;
      won.firstElementChild.textContent = isOver ? lines[last - 1].textContent
        : `${bots[0]} needs ${hits(needed[0])}, ${bots[1]} ${needed[1]}`;
      const largest = maps.filter(([most]) => most > 0).map(([most]) => `${most} %`).join(" and ");
      won.lastElementChild.textContent = heat.checked && largest ? `9 is the largest chance: ${largest}`
        : `${chance} % for ${bots[0]} if both hit equally often`;
      won.querySelector("meter").value = chance;
      won.lastElementChild.hidden = isOver;
    }
    const text = words();
    if (status.textContent !== text) status.textContent = text;
    scrub.value = position;
    scrub.setAttribute("aria-valuetext", `${position} of ${last}: ${text}`);
    lines.forEach((line, index) => {
      const now = index === position - 1;
      if (line.classList.contains("now") !== now) line.classList.toggle("now", now);
      if (now) {
        line.setAttribute("aria-current", "step");
        // Inside its list only: the page itself stays where it is.
        const list = line.parentElement;
        const top = line.offsetTop - list.clientHeight / 2;
        if (Math.abs(list.scrollTop - top) > list.clientHeight / 3) list.scrollTop = top;
      } else {
        line.removeAttribute("aria-current");
      }
    });
  };

  const place = () => (position === 0 ? "start" : places[position - 1]);

  // The address names the turn, once the position has been the same for a moment.
  const link = () => {
    clearTimeout(linking);
    linking = setTimeout(() => {
      if (!timer) history.replaceState(null, "", `#${place()}`);
    }, 400);
  };

  const seek = (target, quiet) => {
    position = Math.min(Math.max(Math.round(target) || 0, 0), last);
    paint();
    if (!quiet) link();
  };

  const pause = () => {
    if (!timer) return;
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
    play.setAttribute("aria-label", "Play");
    // A screen reader hears single steps, not a game at full speed.
    status.setAttribute("aria-live", "polite");
    link();
  };

  const end = () => {
    pause();
    document.dispatchEvent(new Event("arena:seen"));
  };

  const start = () => {
    if (position === last && !isOpen) seek(0, true);
    status.setAttribute("aria-live", "off");
    play.textContent = "Pause";
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => {
      if (position < last) seek(position + 1, true);
      if (position === last && !isOpen) end();
    }, 1000 / Number(speed.value));
  };

  const toggle = () => (timer ? pause() : start());
  const restart = () => { if (timer) { clearInterval(timer); timer = null; start(); } };
  const step = (by) => { pause(); seek(position + by); };
  const jump = (target) => { pause(); seek(target); };
  const faster = (by) => {
    speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), speeds.length - 1);
    restart();
  };
  const fault = (by) => {
    const found = by > 0 ? faults.find((it) => it > position) : faults.findLast((it) => it < position);
    if (found !== undefined) jump(found);
  };
  const next = (list) => { list.selectedIndex = (list.selectedIndex + 1) % list.options.length; paint(); };
  const go = (turn) => {
    const found = frames.findIndex((frame) => frame.t >= turn);
    jump(found < 0 ? last : found);
  };
  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const found = places.indexOf(id);
    if (found >= 0) jump(found + 1); else if (id === "start") jump(0);
    const isThere = found >= 0 || id === "start";
    // The boards are what the reader came for.
    if (isThere) element("replay").scrollIntoView({ behavior: "instant" });
    return isThere;
  };

  const showFaultButtons = () => ["fault-back", "fault-next"].forEach((id) => { const button = element(id); if (button) button.hidden = !faults.length; });

  const setLogs = () => showLogs(getComputedStyle(logLine).display === "none");
  const showLogs = (is) => {
    said.hidden = !is;
    logLine.setAttribute("aria-expanded", String(is));
  };

  // Both boards, or one where the first screen has no room for two. The style sheet then gives it the room of both.
  let width = 0;
  const fit = () => {
    // On a phone the height changes with each scroll, and the boards stay.
    if (width === innerWidth) return;
    width = innerWidth;
    replay.classList.remove("one");
    const end = element("more").getBoundingClientRect().bottom + scrollY;
    replay.classList.toggle("one", end > innerHeight);
  };

  // Copies the address of the turn. Where a page may not, it shows the address to be copied by hand.
  const copy = async () => {
    const url = new URL(`#${place()}`, location.href).href;
    const button = element("copy");
    try {
      await navigator.clipboard.writeText(url);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy link"; }, 2000);
    } catch {
      const address = element("address");
      address.hidden = false;
      address.lastElementChild.value = url;
      address.lastElementChild.select();
    }
  };

  speeds.forEach((rate) => speed.add(new Option(`${rate} a second`, String(rate), rate === 4, rate === 4)));
  element("first").addEventListener("click", () => jump(0));
  element("back").addEventListener("click", () => step(-1));
  play.addEventListener("click", toggle);
  element("forward").addEventListener("click", () => step(1));
  element("final").addEventListener("click", () => jump(last));
  element("fault-back")?.addEventListener("click", () => fault(-1));
  element("fault-next")?.addEventListener("click", () => fault(1));
  element("copy").addEventListener("click", copy);
  scrub.addEventListener("input", () => { pause(); seek(Number(scrub.value)); });
  speed.addEventListener("change", restart);
  view.addEventListener("change", paint);
  heat?.addEventListener("change", paint);
  which?.addEventListener("change", paint);
  element("goto").addEventListener("change", (event) => { if (event.target.value !== "") go(Number(event.target.value)); });
  element("turns").addEventListener("click", (event) => {
    const line = event.target.closest("li");
    if (!line || !event.target.closest("a")) return;
    event.preventDefault();
    jump(lines.indexOf(line) + 1);
  });
  window.addEventListener("hashchange", follow);
  if (!isWatched) window.addEventListener("load", follow);

  const keys = {
    " ": toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => jump(0), End: () => jump(last),
    "+": () => faster(1), "-": () => faster(-1), n: () => fault(1), p: () => fault(-1), b: () => next(view), o: () => { if (which) next(which); }, c: copy,
    h: () => { if (heat) { heat.checked = !heat.checked; paint(); } },
    g: () => element("goto").focus(), l: () => { if (said) showLogs(said.hidden); },
    "?": () => { element("help").open = !element("help").open; },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const field = event.target;
    // Fields keep the keys that they need; a button is pressed by the space bar.
    if (field.matches("select, input[type=number], input[type=text]")) return;
    if (event.key === " " && field.matches("button, a, summary")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // The next position of a game that is played, with the signs and the lines that it is the first one to have.
  document.addEventListener("arena:step", ({ detail: { frame, looks, lines: texts, pictures, drawings: more, line } }) => {
    const isAtEnd = position === last;
    data.looks.push(...looks);
    if (texts) { data.lines.push(...texts); data.pictures.push(...pictures); }
    if (more) {
      data.drawings ??= { lines: [], pictures: [] };
      data.drawings.lines.push(...more.lines);
      data.drawings.pictures.push(...more.pictures);
    }
    if (looks.some(([sign]) => sign.length > 1)) {
      boards.forEach((board) => { if (board) board.isBroad = true; });
      document.querySelectorAll("table.board").forEach((table) => table.classList.add("broad"));
    }
    last = frames.push(frame) - 1;
    if (frame.x) faults.push(last);
    showFaultButtons();
    const item = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { href: `#${line.id}` });
    const text = Object.assign(document.createElement("bdi"), { textContent: line.text });
    link.append(text);
    item.append(link);
    item.classList.toggle("fault", Boolean(frame.x));
    line.seats.forEach((seen, seat) => { if (seen !== null) item.dataset[`seat${seat + 1}`] = seen; });
    element("turns").append(item);
    lines.push(item);
    places.push(line.id);
    scrub.max = last;
    if (frame.p && said?.dataset.waits) { delete said.dataset.waits; logLine.hidden = false; setLogs(); }
    // The board shows where the next turn happens.
    if (isAtEnd) paint();
  });
  document.addEventListener("arena:over", ({ detail }) => {
    isOpen = false;
    trouble = detail;
    if (timer && position === last) end();
    paint();
  });

  // On a phone, the logs are over the boards, and what is chosen once is folded away.
  const narrow = matchMedia("(max-width: 40rem) and (orientation: portrait)");
  document.querySelectorAll(".controls, #chance").forEach((part) => { part.hidden = false; });
  if (said) {
    logLine.hidden = false;
    logLine.addEventListener("click", () => showLogs(said.hidden));
    // The line is only shown where the logs would cover the boards.
    narrow.addEventListener("change", setLogs);
    setLogs();
    // In a game that is played, they wait for a bot that prints.
    if (isWatched) { said.dataset.waits = "yes"; said.hidden = true; logLine.hidden = true; }
  }
  const fold = () => { element("more").open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  fit();
  window.addEventListener("resize", fit);
  // Without a turn in the address, the replay begins with both fleets in place, or before the first turn.
  const begun = frames.findIndex((frame) => frame.t > 0);
  showFaultButtons();
  if (isWatched) { seek(0, true); start(); } else if (!follow()) seek(begun < 0 ? last : begun - 1, true);
}
