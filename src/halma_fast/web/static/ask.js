/* A question with a few answers, in a dialog of the page, and the closing of all dialogs.
   Invariant: Escape is the last answer, which changes nothing. Guarded by tests/web/browser/test_play.py. */

import { t } from "./i18n.js";

const $ = (id) => document.getElementById(id);

/** Ask; `choices` are pairs of a value and the key of its text. Resolves with the value chosen. */
export function ask(title, about, choices) {
  const dialog = $("ask-dialog");
  $("ask-title").textContent = t(title);
  $("ask-about").textContent = t(about);
  return new Promise((resolve) => {
    const answer = (value) => {
      dialog.onclose = null;
      dialog.close();
      resolve(value);
    };
    const buttons = choices.map(([value, key], index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = index === 0 ? "main" : "";
      button.dataset.value = value;
      button.textContent = t(key);
      button.onclick = () => answer(value);
      return button;
    });
    $("ask-choices").replaceChildren(...buttons);
    dialog.onclose = () => answer(choices.at(-1)[0]);
    dialog.showModal();
  });
}

/** Let every dialog's own button close it. */
export function wireDialogs() {
  for (const button of document.querySelectorAll("dialog .close")) {
    button.onclick = () => button.closest("dialog").close();
  }
}
