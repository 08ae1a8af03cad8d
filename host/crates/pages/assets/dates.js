// The time that is left until each date of a season, in the unit of which there are two or more.
"use strict";
{
  const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const AGAIN_MS = 20000;
  const words = (seconds) => {
    if (seconds <= 0) return " (passed)";
    const [unit, length] = UNITS.find(([, length]) => seconds >= 2 * length) ?? ["minute", 60];
    const count = Math.floor(seconds / length);
    return count === 0 ? " (in less than a minute)" : ` (in ${count} ${unit}${count === 1 ? "" : "s"})`;
  };
  const show = () => document.querySelectorAll("#dates time").forEach((time) => {
    time.nextElementSibling.textContent = words((Date.parse(time.dateTime) - Date.now()) / 1000);
  });
  document.addEventListener("arena:shown", show);
  setInterval(show, AGAIN_MS);
  show();
}
