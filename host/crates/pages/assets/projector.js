// The projector's page: the places are shown one part after the other, if they do not fit at once.
"use strict";
{
  // Chosen: eight names and ratings are read in that time.
  const TURN_MS = 8000;
  const button = document.getElementById("pause");
  let shown = 0;
  let isPaused = false;

  const paint = () => {
    const parts = [...document.querySelectorAll("#standings table")];
    shown = parts.length ? shown % parts.length : 0;
    parts.forEach((part, index) => { part.hidden = index !== shown; });
    button.hidden = parts.length < 2;
  };
  setInterval(() => {
    if (isPaused) return;
    shown += 1;
    paint();
  }, TURN_MS);
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? "Go on" : "Pause";
  });
  document.addEventListener("arena:shown", paint);
  paint();
}
