/* Links that hold a whole game in their fragment, and boxes from which links are copied.
   Invariant: what is in a fragment goes to the server as it is, and the server says whether it is whole.
   Guarded by tests/web/browser/test_links.py. */

import { t } from "./i18n.js";
import { store } from "./store.js";

const $ = (id) => document.getElementById(id);

/** The link of a fragment of this page. */
export const linkOf = (fragment) => `${location.origin}${location.pathname}#${fragment}`;

/** What the address asks for: {game} a fragment, {token, key} a place in a game by link, or nothing. */
export function askedFor(hash = location.hash) {
  const [, kind, rest] = /^#([gt])=(.*)$/.exec(hash) ?? [];
  if (kind === "g") return { game: rest };
  if (kind !== "t") return {};
  const [token, key] = rest.split(".");
  return { token, key };
}

/** Forget the link in the address: the game has gone on from it. */
export const dropHash = () => {
  if (location.hash) history.replaceState(null, "", location.pathname);
};

async function copy(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without the clipboard's permission, or away from https, the selected text can still be copied the old way.
    document.execCommand("copy");
  }
  button.textContent = t("link.copied");
}

/** A link under a title, with a button that copies it. */
export function copyBox(title, link) {
  const box = document.createElement("div");
  box.className = "copy";
  const label = document.createElement("label");
  label.textContent = title;
  const field = document.createElement("input");
  field.readOnly = true;
  field.value = link;
  field.setAttribute("aria-label", title);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = t("link.copy");
  button.onclick = () => copy(field, button);
  box.append(label, field, button);
  return box;
}

/** Show the link of the present game. */
export function share() {
  $("link-box").replaceChildren(copyBox(t("link.game"), linkOf(`g=${store.view.fragment}`)));
  $("link-dialog").showModal();
}
