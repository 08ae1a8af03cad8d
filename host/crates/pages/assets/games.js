// The list of games, filtered: by a bot and its result, to games with faults, to upsets. Without this script all games are listed.
"use strict";
{
  const chosen = { bot: "", result: "", fault: false, upset: false };

  const start = (form) => {
    const rows = [...form.parentElement.querySelectorAll("table.list tbody tr")];
    const games = rows.map((row) => ({
      row, bots: [1, 2].map((column) => row.cells[column].textContent), won: Number(row.dataset.won), fault: "fault" in row.dataset, upset: "upset" in row.dataset,
    }));
    const [bot, result] = ["bot", "result"].map((name) => form.querySelector(`[name="${name}"]`));
    const found = form.querySelector("[role=status]");
    const names = [...new Set(games.flatMap((game) => game.bots))].sort(new Intl.Collator(undefined, { numeric: true }).compare);
    names.forEach((name) => bot.add(new Option(name, name)));
    if (!names.includes(chosen.bot)) chosen.bot = "";

    // The bot has this result in a game; any bot has, if none is chosen.
    const has = (game, seat) => {
      if (chosen.bot !== "" && game.bots[seat] !== chosen.bot) return false;
      if (chosen.result === "") return true;
      if (chosen.result === "drawn") return game.won === 0;
      return game.won !== 0 && (chosen.result === "won") === (game.won === seat + 1);
    };
    const filter = () => {
      let count = 0;
      games.forEach((game) => {
        const is = [0, 1].some((seat) => has(game, seat)) && (!chosen.fault || game.fault) && (!chosen.upset || game.upset);
        game.row.hidden = !is;
        count += is;
      });
      found.textContent = count === games.length ? "" : `${count} of ${games.length} games`;
    };
    [bot, result].forEach((select) => {
      select.value = chosen[select.name];
      select.addEventListener("change", () => { chosen[select.name] = select.value; filter(); });
    });
    form.querySelectorAll("[type=checkbox]").forEach((box) => {
      box.checked = chosen[box.name];
      box.closest("label").hidden = !games.some((game) => game[box.name]);
      box.addEventListener("change", () => { chosen[box.name] = box.checked; filter(); });
    });
    form.hidden = false;
    filter();
  };

  let ready = null;
  const look = () => {
    const form = document.getElementById("filter");
    if (!form || form === ready) return;
    ready = form;
    start(form);
  };
  document.addEventListener("arena:shown", look);
  look();
}
