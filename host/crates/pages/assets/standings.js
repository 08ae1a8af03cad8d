// The standings of the front page: sorted by a click on a heading, and searched. Without this script they are in the order of the places.
"use strict";
{
  // What the reader has chosen stays when a club shows other standings.
  let chosen = null;
  let wanted = null;

  const start = (table) => {
    const find = document.getElementById("find");
    const found = document.getElementById("found");
    // A group is a bot with its older versions.
    const groups = [...table.tBodies];
    const headings = [...table.tHead.rows[0].cells];
    const cell = (group, column) => group.rows[0].cells[column];
    const name = (group) => cell(group, 1).querySelector("a").textContent;
    const order = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

    // The groups by a column. Those without a value come last in both directions; equal ones stay in the order of the places.
    const sorted = (column, isDown) => {
      const sign = isDown ? -1 : 1;
      const value = (group) => cell(group, column).dataset.by;
      if (headings[column].dataset.sort === "text") {
        return [...groups].sort((a, b) => sign * order.compare(name(a), name(b)));
      }
      const [known, unknown] = [true, false].map((is) => groups.filter((group) => (value(group) !== undefined) === is));
      return [...known.sort((a, b) => sign * (Number(value(a)) - Number(value(b)))), ...unknown];
    };

    const show = (column, isDown) => {
      headings.forEach((heading) => heading.removeAttribute("aria-sort"));
      headings[column].setAttribute("aria-sort", isDown ? "descending" : "ascending");
      sorted(column, isDown).forEach((group) => table.append(group));
    };

    headings.forEach((heading, column) => {
      const first = heading.dataset.sort;
      if (!first) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const now = heading.getAttribute("aria-sort");
        const isDown = now ? now === "ascending" : first === "down";
        // By its name, because a club may add a column.
        chosen = { heading: heading.textContent, isDown };
        show(column, isDown);
      });
    });
    headings[0].setAttribute("aria-sort", "ascending");
    const column = headings.findIndex((heading) => heading.textContent === chosen?.heading);
    if (column >= 0) show(column, chosen.isDown);

    // A bot is found by its label, or by that of an older version.
    const plain = (text) => text.normalize("NFKD").toLowerCase();
    const texts = groups.map((group) => [...group.querySelectorAll("a")].map((link) => plain(link.textContent)));
    const search = () => {
      wanted = find.value;
      const word = plain(wanted.trim());
      let count = 0;
      groups.forEach((group, index) => {
        const is = texts[index].some((text) => text.includes(word));
        group.hidden = !is;
        count += is;
      });
      found.textContent = word ? `${count} of ${groups.length} bots` : "";
    };
    find.addEventListener("input", search);
    find.closest(".controls").hidden = false;
    // The browser may have kept the text from before.
    if (wanted !== null) find.value = wanted;
    search();
  };

  let ready = null;
  const look = () => {
    const table = document.getElementById("standings-table");
    if (!table || table === ready) return;
    ready = table;
    start(table);
  };
  document.addEventListener("arena:shown", look);
  look();
}
