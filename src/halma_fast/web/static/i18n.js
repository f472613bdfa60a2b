/* The texts of the page in one of its languages: one file a language, English where a text is missing.
   Invariant: a text is only ever shown as text, never as markup. Guarded by tests/web/test_texts.py. */

/** The languages, by what they call themselves. */
export const LANGUAGES = { en: "English", ko: "한국어", el: "Ελληνικά", ja: "日本語", da: "Dansk" };

let texts = {};
let spare = {};
let current = "en";

const load = async (name) => (await fetch(`/static/texts/${name}.json`)).json();

/** The language that the browser asks for first among those there are. */
export const browserLanguage = () =>
  navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]).find((name) => name in LANGUAGES) ?? "en";

/** The present language's name, as in `lang`. */
export const language = () => current;

/** Take a language over, and put its texts into the page. */
export async function setLanguage(name) {
  const [chosen, english] = await Promise.all([load(name), name === "en" ? {} : load("en")]);
  [texts, spare, current] = [chosen, english, name];
  document.documentElement.lang = name;
  for (const element of document.querySelectorAll("[data-i18n]")) element.textContent = t(element.dataset.i18n);
  for (const element of document.querySelectorAll("[data-i18n-label]")) {
    element.setAttribute("aria-label", t(element.dataset.i18nLabel));
    element.title = t(element.dataset.i18nLabel);
  }
}

/** The text of a key; "{name}" in it is replaced by `values.name`. */
export const t = (key, values = {}) =>
  (texts[key] ?? spare[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** A number as it is written in the language. */
export const number = (value, digits = 0) =>
  value.toLocaleString(current, { minimumFractionDigits: digits, maximumFractionDigits: digits });
