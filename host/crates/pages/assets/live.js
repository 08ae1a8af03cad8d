// A page of a club is kept as the club serves it now: when the pages have changed, it is fetched, and the parts that differ are replaced.
"use strict";
{
  // A moment of their own for all pages that wait, in milliseconds, and the time after which a club without a free stream is asked again.
  const SPREAD_MS = 1000;
  const AGAIN_MS = 30000;
  // The time after which a page is looked at again while its reader is busy with it.
  const BUSY_MS = 1000;
  const events = new URL("events", document.currentScript.src);
  const main = () => document.getElementById("main");
  const address = () => main().dataset.live || location.pathname;
  // The parts as they were served, before other scripts change them.
  let served = [...main().children].map((part) => part.cloneNode(true));
  let stream = null;
  let timer = 0;

  const scripts = (page) => [...page.querySelectorAll("script[src]")].map((script) => script.getAttribute("src")).join(" ");
  const key = (details) => details.id || details.querySelector("summary").textContent;

  // What the reader of a part has opened, scrolled and focused, as a function that does the same in a new part.
  const remember = (old) => {
    const opened = new Map([...old.querySelectorAll("details")].map((it) => [key(it), it.open]));
    const scrolled = [...old.querySelectorAll(".wide")].map((it) => it.scrollLeft);
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    return (part) => {
      part.querySelectorAll("details").forEach((it) => { it.open = opened.get(key(it)) ?? it.open; });
      part.querySelectorAll(".wide").forEach((it, index) => { it.scrollLeft = scrolled[index] ?? 0; });
      const isSame = (it) => (focused.id ? it.id === focused.id
        : it.textContent === focused.textContent && it.getAttribute("href") === focused.getAttribute("href"));
      if (focused) [...part.querySelectorAll(focused.localName)].find(isSame)?.focus({ preventScroll: true });
    };
  };

  // An answer stays until there is another one.
  const stays = (part, isAnswer) => !isAnswer && part.hasAttribute("data-stays");

  const show = (page, isAnswer) => {
    // It has become another kind of page.
    if (scripts(page) !== scripts(document)) {
      location.assign(address());
      return;
    }
    const fresh = [...(page.getElementById("main")?.children ?? [])];
    const isSame = (part, index) => part.localName === served[index].localName && part.id === served[index].id;
    const again = [];
    if (fresh.length === served.length && fresh.every(isSame)) {
      fresh.forEach((part, index) => {
        if (part.isEqualNode(served[index]) || stays(part, isAnswer)) return;
        const old = main().children[index];
        const copy = document.importNode(part, true);
        const restore = remember(old);
        old.replaceWith(copy);
        again.push(() => restore(copy));
      });
    } else {
      const restore = remember(main());
      const old = new Map([...main().children].map((part) => [part.id, part]));
      main().replaceChildren(...fresh.map((part) => (stays(part, isAnswer) && old.get(part.id)) || document.importNode(part, true)));
      again.push(() => restore(main()));
    }
    const before = new Map(served.map((part) => [part.id, part]));
    served = fresh.map((part) => (stays(part, isAnswer) && before.get(part.id)) || part.cloneNode(true));
    document.title = page.title;
    const dates = page.getElementById("dates");
    if (dates) document.getElementById("dates")?.replaceWith(document.importNode(dates, true));
    // Other scripts come first: they add what may have had the focus.
    document.dispatchEvent(new Event("arena:shown"));
    again.forEach((restore) => restore());
  };

  // Nothing moves under a pointer that is pressed, or takes a selected text away.
  let isPressed = false;
  document.addEventListener("pointerdown", () => { isPressed = true; });
  ["pointerup", "pointercancel"].forEach((kind) => window.addEventListener(kind, () => { isPressed = false; }));
  const isBusy = () => isPressed || document.getSelection()?.isCollapsed === false;

  const refresh = () => {
    clearTimeout(timer);
    if (isBusy()) {
      timer = setTimeout(refresh, BUSY_MS);
      return;
    }
    const request = new XMLHttpRequest();
    request.open("GET", address());
    request.responseType = "document";
    request.addEventListener("load", () => {
      if (isBusy()) timer = setTimeout(refresh, BUSY_MS);
      else if (request.status === 200 && request.response) show(request.response, false);
    });
    request.send();
  };

  const stop = () => {
    clearTimeout(timer);
    stream?.close();
    stream = null;
  };
  const start = () => {
    if (document.hidden || stream) return;
    stream = new EventSource(events);
    stream.addEventListener("pages", () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, Math.random() * SPREAD_MS);
    });
    stream.addEventListener("error", () => {
      // The browser asks again by itself, unless it was refused.
      if (stream?.readyState !== EventSource.CLOSED) return;
      stop();
      timer = setTimeout(() => { refresh(); start(); }, AGAIN_MS);
    });
  };

  document.addEventListener("arena:page", (event) => show(event.detail, true));
  document.addEventListener("arena:refresh", refresh);
  // A page that nobody sees takes no stream from one that somebody sees.
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", start);
  start();
}
