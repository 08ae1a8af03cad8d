// The author's page: a bot is sent with its progress, and the answer comes without another page. Without this script, the form does it.
"use strict";
{
  const element = (id) => document.getElementById(id);
  const say = (text, part) => {
    const progress = element("progress");
    progress.hidden = text === "";
    progress.lastElementChild.textContent = text;
    const bar = progress.firstElementChild;
    bar.hidden = part === undefined;
    if (part !== undefined) bar.value = part;
  };

  const submit = (form, button = form.querySelector("button")) => {
    const request = new XMLHttpRequest();
    // A button without an address of its own has that of the page here.
    request.open("POST", button.hasAttribute("formaction") ? button.formAction : form.action);
    request.responseType = "document";
    request.upload.addEventListener("progress", (event) => {
      const part = event.lengthComputable ? event.loaded / event.total : 0;
      say(`${Math.floor(100 * part)}% sent`, part);
    });
    request.upload.addEventListener("load", () => say("Sent. It is being judged."));
    const end = (text) => {
      button.disabled = false;
      say(text);
    };
    request.addEventListener("load", () => {
      if (!request.response?.getElementById("main")) {
        end("The answer cannot be read. Load the page again.");
        return;
      }
      end("");
      form.reset();
      document.dispatchEvent(new CustomEvent("arena:page", { detail: request.response }));
      const answer = element("answer");
      if (answer) answer.focus();
    });
    const fail = () => end("It was not sent: the connection has failed. Submit it again.");
    request.addEventListener("error", fail);
    request.addEventListener("abort", fail);
    button.disabled = true;
    say("0% sent", 0);
    request.send(new FormData(form));
  };

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "upload-form") return;
    event.preventDefault();
    submit(event.target, event.submitter ?? undefined);
  });

  // A file that is dropped anywhere on the page is that of the field, and is not opened.
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (is) => element("bot")?.classList.toggle("over", is);
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event) || !element("bot")) return;
    event.preventDefault();
    mark(false);
    element("bot").files = event.dataTransfer.files;
    const form = element("upload-form");
    if (form.reportValidity()) submit(form);
  });

  // A bot that waits for its verdict is looked after.
  const AGAIN_MS = 2000;
  setInterval(() => {
    if (element("versions")?.hasAttribute("data-waits")) document.dispatchEvent(new Event("arena:refresh"));
  }, AGAIN_MS);
}
