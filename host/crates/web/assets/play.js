// The page on which a person plays. What it shows comes by a stream, and each decision is checked by the server: a rule here only makes the
// answer quicker.
"use strict";
{
  const element = (id) => document.getElementById(id);
  const make = (name, text = "", properties = {}) => Object.assign(document.createElement(name), { textContent: text }, properties);
  const [boards, placing, acting, end, more, tray, list] = ["boards", "placing", "acting", "end", "more", "tray", "said"].map(element);
  const figures = { own: element("own"), target: element("target") };

  let game = null; // What the server has shown last.
  let number = "1"; // The number of the game in this room.
  let source = null;
  let isBusy = false;

  const complain = (text) => { element("problem").textContent = text; element("problem").hidden = !text; };

  // Sends something. A refusal is a sentence for the person.
  const post = async (path, body) => {
    complain("");
    try {
      const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? null) });
      if (answer.ok) return answer.status === 204 ? true : await answer.json();
      complain((await answer.json().catch(() => null))?.error ?? "That did not work. Try it again.");
    } catch {
      complain("The arena cannot be reached. Is it still running?");
    }
    return null;
  };
  const decide = async (decision) => {
    if (isBusy || !game) return;
    isBusy = true;
    await post("decide", { position: game.position, decision });
    isBusy = false;
  };
  const act = (action) => decide({ action });

  // A board, made when its size is known. Its keys and clicks go to `on`, which has `move(cell)` and `choose(cell)`.
  class Field {
    constructor(figure, columns, count, label) {
      const width = columns.length;
      const table = make("table", "", { className: "board", tabIndex: 0 });
      table.setAttribute("role", "grid");
      table.setAttribute("aria-label", label);
      const head = table.createTHead().insertRow();
      head.insertCell();
      [...columns].forEach((letter) => head.append(make("th", letter, { scope: "col" })));
      const body = table.createTBody();
      for (let row = 0; row < count / width; row += 1) {
        const line = body.insertRow();
        line.append(make("th", String(row), { scope: "row" }));
        for (let column = 0; column < width; column += 1) {
          line.insertCell().setAttribute("role", "gridcell");
          line.lastChild.id = `${figure.id}-${row * width + column}`;
        }
      }
      figure.querySelector("div").replaceChildren(table);
      Object.assign(this, { figure, table, columns, width, count, board: new Board(table), cursor: -1 });
      this.last = Math.floor(width / 2) + width * Math.floor(count / width / 2);
      table.addEventListener("keydown", (event) => this.key(event));
      table.addEventListener("focus", () => { if (table.matches(":focus-visible")) this.move(this.last); });
      table.addEventListener("blur", () => this.move(-1));
      table.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") this.move(this.at(event)); });
      table.addEventListener("pointerleave", () => this.move(-1));
    }

    name(cell) { return `${this.columns[cell % this.width]}${Math.floor(cell / this.width)}`; }

    // The cell of an event; -1 if there is none. A ship that is dragged keeps the pointer, so what is under it is looked up.
    at(event) {
      const under = event.type === "click" ? event.target : document.elementFromPoint(event.clientX, event.clientY);
      return this.board.cells.indexOf(under?.closest("td[id]"));
    }

    move(cell) {
      if (cell === this.cursor) return;
      this.cursor = cell;
      if (cell >= 0) {
        this.last = cell;
        this.table.setAttribute("aria-activedescendant", `${this.figure.id}-${cell}`);
      }
      paint();
    }

    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const { width, count } = this;
      const from = this.cursor >= 0 ? this.cursor : this.last;
      const column = from % width;
      const to = {
        ArrowLeft: column > 0 ? from - 1 : from, ArrowRight: column < width - 1 ? from + 1 : from,
        ArrowUp: from >= width ? from - width : from, ArrowDown: from + width < count ? from + width : from,
        Home: from - column, End: from - column + width - 1,
      }[event.key];
      if (to !== undefined) this.move(to);
      else if (event.key === "Enter" || event.key === " ") this.choose?.(from);
      else if (!this.press?.(event.key)) return;
      event.preventDefault();
    }
  }
  let own = null;
  let target = null;

  // The ships that are being placed: for each, its first cell and whether it lies downwards, or null.
  let fleet = null;
  let ships = [];
  let held = 0;
  let isDown = false;
  let drag = null;
  const cellsOf = (ship, index) => {
    if (!ship) return [];
    const [, length] = fleet.ships[index];
    return Array.from({ length }, (_, step) => {
      const [row, column] = ship.isDown ? [ship.row + step, ship.column] : [ship.row, ship.column + step];
      return row < own.count / own.width && column < own.width ? row * own.width + column : -1;
    });
  };
  const fits = (ship, index) => {
    const cells = cellsOf(ship, index);
    const reach = fleet.may_touch ? 0 : 1;
    const near = (a, b) => Math.abs(Math.floor(a / own.width) - Math.floor(b / own.width)) <= reach && Math.abs((a % own.width) - (b % own.width)) <= reach;
    return !cells.includes(-1) && ships.every((other, it) => it === index || !cellsOf(other, it).some((b) => cells.some((a) => near(a, b))));
  };
  const shipAt = (cell) => ships.findIndex((ship, index) => cellsOf(ship, index).includes(cell));
  const shipFrom = (cell, offset = 0) => {
    const [row, column] = [Math.floor(cell / own.width), cell % own.width];
    return isDown ? { row: row - offset, column, isDown } : { row, column: column - offset, isDown };
  };
  const isWhole = () => ships.every(Boolean);
  const hold = (index) => { held = index; showTray(); paint(); };
  const place = (cell, offset) => {
    if (held < 0) return;
    const ship = shipFrom(cell, offset);
    if (ship.row < 0 || ship.column < 0 || !fits(ship, held)) {
      complain(`The ${fleet.ships[held][0]} has no room at ${own.name(cell)}.`);
      return;
    }
    complain("");
    ships[held] = ship;
    hold(ships.findIndex((it) => !it));
  };
  const turnShip = (index) => {
    const ship = ships[index];
    if (!ship) { isDown = !isDown; paint(); return; }
    const turned = { ...ship, isDown: !ship.isDown };
    if (fits(turned, index)) { ships[index] = turned; complain(""); } else complain("There is no room to turn it.");
    paint();
  };
  const takeBack = () => {
    const index = ships.findLastIndex(Boolean);
    if (index >= 0) { ships[index] = null; hold(index); }
  };
  const showTray = () => {
    [...tray.children].forEach((item, index) => {
      const button = item.firstChild;
      button.classList.toggle("placed", Boolean(ships[index]));
      button.setAttribute("aria-pressed", String(index === held));
      button.setAttribute("aria-label", `${fleet.ships[index][0]}${ships[index] ? `, placed at ${own.name(cellsOf(ships[index], index)[0])}` : ""}`);
    });
    element("begin").disabled = !isWhole();
  };
  const beginPlacing = () => {
    fleet = game.fleet;
    ships = fleet.ships.map(() => null);
    [held, isDown] = [0, false];
    tray.replaceChildren(...fleet.ships.map(([name, length], index) => {
      const button = make("button", "", { type: "button" });
      const hull = make("span");
      hull.append(...Array.from({ length }, () => make("i")));
      button.title = name;
      button.append(make("span", String(length)), hull);
      button.addEventListener("click", () => hold(index));
      button.addEventListener("pointerdown", (event) => { hold(index); begin(event, 0); });
      const item = make("li");
      item.append(button);
      return item;
    }));
    showTray();
  };

  // A ship follows the pointer from the tray or the board, until it is dropped.
  const begin = (event, offset, from = -1) => { drag = { offset, from, moved: false, id: event.pointerId }; };
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const cell = own.at(event);
    if (cell !== drag.from && (cell >= 0 || drag.from >= 0) && !drag.moved) {
      drag.moved = true;
      if (drag.from >= 0) { isDown = ships[held].isDown; ships[held] = null; }
    }
    own.cursor = cell;
    paint();
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { offset, from, moved } = drag;
    drag = null;
    const cell = own.at(event);
    if (moved && cell >= 0) place(cell, offset);
    else if (!moved && from >= 0) turnShip(held);
    else if (!moved && cell >= 0) place(cell);
    if (event.pointerType !== "mouse") own.cursor = -1;
    showTray();
    paint();
  });
  document.addEventListener("pointercancel", () => { drag = null; });

  // What the own board has while ships are placed.
  const placed = () => {
    const cells = Array.from({ length: own.count }, () => ["·", "water"]);
    ships.forEach((ship, index) => {
      const of = cellsOf(ship, index);
      of.forEach((cell, step) => {
        const [along, first, last] = ship.isDown ? ["v", "bow-n", "stern-s"] : ["h", "bow-w", "stern-e"];
        const part = of.length === 1 ? "whole" : step === 0 ? first : step === of.length - 1 ? last : `middle-${along}`;
        cells[cell] = ["■", `ship ${part}`];
      });
    });
    if (own.cursor >= 0 && held >= 0 && !ships[held] && (!drag || drag.moved)) {
      const ghost = shipFrom(own.cursor, drag?.offset ?? 0);
      const look = ghost.row >= 0 && ghost.column >= 0 && fits(ghost, held) ? "ghost" : "wrong";
      cellsOf(ghost, held).filter((cell) => cell >= 0).forEach((cell) => { cells[cell] = [cells[cell][0], `${cells[cell][1]} ${look}`]; });
    }
    return cells;
  };

  // The own ship that is to move, in a game in which ships do.
  let moving = null;
  const moveOf = (cell) => game.choices?.moves?.find(([, , [row, column]]) => row * own.width + column === cell);

  const paint = () => {
    if (!game || !own) return;
    const isPlacing = game.phase === "placing";
    const cells = isPlacing ? placed() : game.boards[0].map((cell) => [...cell]);
    if (moving) {
      const [row, column] = moving[2];
      cells[row * own.width + column][1] += " chosen";
    }
    own.board.paint(cells, { next: moving ? own.cursor : -1, lines: game.lines[0] });
    if (target) target.board.paint(game.boards[1], { next: game.phase === "turn" ? target.cursor : -1, lines: game.lines[1] });
  };

  const makeBoards = () => {
    const { columns } = game;
    const make = (figure, cells, label) => (cells.length ? new Field(figure, columns, cells.length, label) : null);
    own = make(figures.own, game.boards[0], "Your board");
    target = make(figures.target, game.boards[1], "The other board");
    boards.hidden = !own;
    if (!own) return;
    const isBroad = [...game.boards[0], ...game.boards[1]].some(([sign]) => sign.length > 1);
    [own, target].forEach((field) => {
      field?.table.classList.toggle("broad", isBroad);
      if (field) field.board.isBroad = isBroad;
    });
    boards.classList.add(`columns${columns.length}`, `rows${own.count / own.width}`);
    own.press = (key) => {
      if (game.phase !== "placing") return false;
      const keys = { r: () => turnShip(held), x: () => element("random").click(), Backspace: takeBack };
      keys[key]?.();
      return key in keys;
    };
    own.choose = (cell) => {
      if (game.phase === "placing") { if (isWhole()) sendShips(); else place(cell); return; }
      const ship = moveOf(cell);
      if (ship) moving = moving?.[0] === ship[0] ? null : ship;
      else if (moving) act(`m ${moving[0]} ${own.name(cell)}`);
      paint();
    };
    own.table.addEventListener("pointerdown", (event) => {
      if (game.phase !== "placing") return;
      const cell = own.at(event);
      if (cell < 0) return;
      event.preventDefault();
      own.table.focus({ preventScroll: true });
      const ship = shipAt(cell);
      if (ship >= 0) { hold(ship); begin(event, cellsOf(ships[ship], ship).indexOf(cell), cell); } else begin(event, 0);
    });
    own.table.addEventListener("click", (event) => { if (game.phase === "turn" && own.at(event) >= 0) own.choose(own.at(event)); });
    if (!target) return;
    target.choose = (cell) => { if (game.phase === "turn") act(target.name(cell)); };
    target.table.addEventListener("click", (event) => { if (target.at(event) >= 0) target.choose(target.at(event)); });
  };

  const sendShips = () => { if (isWhole()) decide({ ships: ships.map((ship) => [ship.row, ship.column, ship.isDown ? "S" : "E"]) }); };

  // A field for a value of a type, and the value as the game writes it. Each change of a part goes to `changed`.
  const fieldOf = (type, changed) => {
    const { kind, of } = type;
    const box = make(["record", "tuple", "list", "flags"].includes(kind) ? "fieldset" : "span");
    const listen = (input) => { input.addEventListener("input", changed); return input; };
    const choose = (names) => {
      const select = make("select");
      select.append(...names.map((name) => new Option(name, name)));
      return select;
    };
    const labelled = (name, field) => { const label = make("label", `${name} `); label.append(field.node); return label; };
    // The fields of what may be there or not: they are made when they are needed.
    const part = make("span");
    let inner = null;
    const fill = (type) => { inner = type ? fieldOf(type, changed) : null; part.replaceChildren(...(inner ? [inner.node] : [])); };
    const typed = (properties, write) => {
      const input = listen(make("input", "", { autocomplete: "off", ...properties }));
      box.append(input);
      return { node: box, read: () => write(input.value) };
    };
    const quoted = (text, mark) => `${mark}${text.replace(/[\\"']/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t")}${mark}`;
    switch (kind) {
      case "record": {
        const fields = of.map(([name, it]) => [name, fieldOf(it, changed)]);
        box.append(...fields.map(([name, field]) => labelled(name, field)));
        return { node: box, read: () => `{${fields.map(([name, field]) => `${name}: ${field.read()}`).join(", ")}}` };
      }
      case "tuple": {
        const fields = of.map((it) => fieldOf(it, changed));
        box.append(...fields.map((field, index) => labelled(String(index + 1), field)));
        return { node: box, read: () => `(${fields.map((field) => field.read()).join(", ")})` };
      }
      case "variant": {
        const select = choose(of.map(([name]) => name));
        const follow = () => fill(of[select.selectedIndex]?.[1]);
        select.addEventListener("change", () => { follow(); changed(); });
        follow();
        box.append(select, part);
        return { node: box, read: () => (inner ? `${select.value}(${inner.read()})` : select.value) };
      }
      case "enum": {
        const select = listen(choose(of));
        box.append(select);
        return { node: box, read: () => select.value };
      }
      case "flags": {
        const ticks = of.map((name) => listen(make("input", "", { type: "checkbox", value: name })));
        box.append(...ticks.map((tick) => labelled(tick.value, { node: tick })));
        return { node: box, read: () => `{${ticks.filter((tick) => tick.checked).map((tick) => tick.value).join(", ")}}` };
      }
      case "list": {
        const [element, length] = of;
        const fields = [];
        const [add, remove] = [make("button", "One more", { type: "button" }), make("button", "One less", { type: "button" })];
        const grow = () => { fields.push(fieldOf(element, changed)); add.before(labelled(String(fields.length), fields.at(-1))); };
        add.addEventListener("click", () => { grow(); changed(); });
        remove.addEventListener("click", () => { if (fields.pop()) add.previousElementSibling.remove(); changed(); });
        box.append(add, remove);
        add.hidden = remove.hidden = length !== null;
        for (let i = 0; i < Math.min(length ?? 0, 256); i += 1) grow();
        return { node: box, read: () => `[${fields.map((field) => field.read()).join(", ")}]` };
      }
      case "option": {
        const tick = make("input", "", { type: "checkbox" });
        tick.setAttribute("aria-label", "there is one");
        tick.addEventListener("input", () => { fill(tick.checked ? of : null); changed(); });
        box.append(tick, part);
        return { node: box, read: () => (inner ? `some(${inner.read()})` : "none") };
      }
      case "bool": {
        const tick = listen(make("input", "", { type: "checkbox" }));
        box.append(tick);
        return { node: box, read: () => String(tick.checked) };
      }
      case "whole": {
        const [min, max] = of;
        return typed({ type: "number", min, max, value: "0" }, (text) => text.trim() || "0");
      }
      case "float": return typed({ type: "number", step: "any", value: "0" }, (text) => text.trim() || "0");
      case "char": return typed({ maxLength: 2, size: 2, value: "a" }, (text) => quoted(text, "'"));
      case "text": return typed({}, (text) => quoted(text, '"'));
      default: return typed({}, (text) => text);
    }
  };
  let formShown = "";
  const showForm = () => {
    const text = JSON.stringify(game.form ?? null);
    if (text === formShown) return;
    formShown = text;
    if (!game.form) { element("form").replaceChildren(); return; }
    const field = fieldOf(game.form, () => { element("action").value = field.read(); });
    element("form").replaceChildren(field.node);
  };

  const showChoices = () => {
    const { choices } = game;
    const isText = choices?.kind === "text";
    acting.hidden = !isText;
    element("skip").hidden = !choices?.skip;
    if (!isText) return;
    element("about").textContent = choices.legal.length ? `${choices.legal.length}${choices.has_more ? " and more" : ""} legal actions: choose one, or type it.`
      : `Type an action as the game writes it.${choices.why ? ` It cannot list them: ${choices.why}` : ""}`;
    showForm();
    filter();
  };
  const filter = () => {
    const typed = element("action").value;
    const found = (game.choices?.legal ?? []).filter((action) => action.includes(typed));
    element("legal").replaceChildren(...found.map((action) => {
      const item = make("li");
      item.append(make("button", action, { type: "button" }));
      return item;
    }));
  };

  const words = { waiting: "The bot is thinking…", placing: "Place your ships.", turn: "Your turn.", over: "", stopped: "" };
  const show = (next) => {
    const before = game;
    game = next;
    if (!before || before.columns !== next.columns || before.boards[0].length !== next.boards[0].length) makeBoards();
    if (game.phase === "placing" && before?.phase !== "placing") beginPlacing();
    if (game.phase !== "turn") moving = null;
    const { names: [me, bot], phase } = game;
    element("bot").textContent = bot;
    document.title = `${phase === "turn" ? "● " : ""}${me} v ${bot}`;
    const isOver = phase === "over" || phase === "stopped";
    boards.classList.toggle("is-over", isOver);
    boards.classList.toggle("is-placing", phase === "placing");
    figures.own.classList.toggle("placing", phase === "placing");
    figures.target.classList.toggle("asked", phase === "turn");
    figures.target.querySelector("b").textContent = isOver ? `The board of ${bot}` : "Shoot here";
    [figures.own, figures.target].forEach((figure, index) => { figure.querySelector(".afloat").textContent = game.afloat[index]; });
    const picture = element("picture");
    picture.hidden = !game.picture;
    showPicture(picture, element("drawing"), game.picture, game.drawing);
    placing.hidden = phase !== "placing";
    more.hidden = phase !== "turn" && phase !== "placing";
    showChoices();
    // The lines that the page has missed are not shown.
    const first = game.position - game.said.length;
    while (list.children.length > game.position) list.lastChild.remove();
    game.said.forEach((line, index) => {
      const found = list.children[first + index];
      if (found) found.textContent = line;
      else {
        while (list.children.length < first + index) list.append(make("li", "…"));
        list.append(make("li", line));
      }
    });
    list.scrollTop = list.scrollHeight;
    element("status").textContent = [...game.said.slice(-2), words[phase]].filter(Boolean).join(" · ");
    end.hidden = !isOver;
    element("replay").hidden = phase !== "over";
    element("replay").href = `${number}.html`;
    element("verdict").textContent = game.trouble ?? (game.won === undefined ? "A draw." : game.won ? "You have won!" : `${bot} has won.`);
    if (isOver && before && before.phase !== phase) element(phase === "over" ? "replay" : "again").focus();
    if (phase === "turn" && before?.phase === "placing") target?.table.focus({ preventScroll: true });
    if (phase === "turn" && game.choices.kind === "text" && before?.phase !== "turn") { element("action").value = ""; filter(); element("action").focus(); }
    paint();
  };

  const listen = () => {
    source?.close();
    source = new EventSource("events");
    source.addEventListener("message", (event) => {
      if (number !== event.lastEventId) { number = event.lastEventId; list.replaceChildren(); }
      complain("");
      show(JSON.parse(event.data));
    });
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser does not try again by itself.
      complain("The game cannot be followed from here now. Close other windows with it; the page tries again.");
      setTimeout(listen, 5000);
    });
  };

  element("random").addEventListener("click", async () => {
    const drawn = await post("ships");
    if (!drawn || game?.phase !== "placing") return;
    ships = drawn.map(([row, column, direction], index) => {
      const length = fleet.ships[index][1];
      // A ship may be drawn from its other end.
      if (direction === "N") return { row: row - length + 1, column, isDown: true };
      if (direction === "W") return { row, column: column - length + 1, isDown: false };
      return { row, column, isDown: direction === "S" };
    });
    hold(-1);
    element("begin").focus();
  });
  element("turn").addEventListener("click", () => turnShip(held));
  element("clear").addEventListener("click", () => { ships = ships.map(() => null); hold(0); });
  element("begin").addEventListener("click", sendShips);
  element("skip").addEventListener("click", () => act("skip"));
  let resigning = null;
  element("resign").addEventListener("click", () => {
    const button = element("resign");
    if (resigning) { decide("resign"); return; }
    button.textContent = "Resign? Click again";
    resigning = setTimeout(() => { resigning = null; button.textContent = "Resign"; }, 4000);
  });
  element("again").addEventListener("click", async () => { if (await post("again")) listen(); });
  acting.addEventListener("submit", (event) => { event.preventDefault(); act(element("action").value); });
  element("action").addEventListener("input", filter);
  element("legal").addEventListener("click", (event) => { const button = event.target.closest("button"); if (button) act(button.textContent); });
  listen();
}
