import english from "./words/en.json" with { type: "json" };

/**
 * Languages of the page. Modules look phrases up by their keys in words/LANGUAGE.json, which falls back to words/en.json; elements
 * of index.html name the keys of their texts. Texts of the service are exchanged when they reach the document, by the phrases
 * whose keys begin with one of SERVICE. Names, commands and the content of `code` stay.
 */
const LANGUAGES = ["en", "zh"];
const TAGS = { en: "en", zh: "zh-CN" };
const KEPT = "language";

const ATTRIBUTES = ["title", "aria-label", "placeholder"];
const SERVICE = /^(service|value|heading)\./;
const PART = /\{(\w)\}|\[(\w+)\]/g;
const VERBATIM = "code, pre, textarea, script, style, .set, [translate=no]";

/** The language of the page: what was chosen in this browser, else the first of the reader's that there is. */
export const LANGUAGE = chosen() ?? (globalThis.navigator?.languages ?? []).map((tag) => tag.split("-")[0]).find(isKnown) ?? "en";

/** For dates; those of the English page are in the form of the reader's browser. */
export const LOCALE_OF_DATES = LANGUAGE === "en" ? undefined : TAGS[LANGUAGE];

const own = LANGUAGE === "en" ? english : await wordsOf(LANGUAGE);
const phrases = LANGUAGE === "en" ? null : await phrasesOfService();

/**
 * Returns the phrase of a key in the language of the page.
 *
 * @param {Object} [values] of the placeholders by their names; `[s]` behind a placeholder is left out where its value is 1
 */
export function t(key, values = {}) {
  let last;
  return (own[key] ?? english[key] ?? key).replace(PART, (_, name, plural) => {
    if (plural) {
      return String(last) === "1" ? "" : plural;
    }
    last = values[name] ?? "";
    return said(last);
  });
}

/** Returns the keys of the phrases of a family. */
export function keysOf(family) {
  return Object.keys(english).filter((key) => key.startsWith(`${family}.`));
}

/** Returns a text of the service in the language of the page, for drawings. */
export function said(text) {
  return phrases && typeof text === "string" ? phrases.say(text) : text;
}

/** Exchanges the texts of a node that is not in the document. */
export function inLanguage(node) {
  if (phrases) {
    exchange(node);
  }
  return node;
}

function isKnown(language) {
  return LANGUAGES.includes(language);
}

function chosen() {
  try {
    return [localStorage.getItem(KEPT)].find(isKnown);
  } catch {
    return undefined; // a browser that keeps nothing
  }
}

async function wordsOf(language) {
  return (await fetch(new URL(`words/${language}.json`, import.meta.url))).json();
}

async function phrasesOfService() {
  const { Phrases } = await import("./phrases.js");
  const keys = Object.keys(english).filter((key) => SERVICE.test(key));
  return new Phrases(Object.fromEntries(keys.map((key) => [english[key], own[key] ?? english[key]])));
}

/** Writes the texts of index.html in the language of the page: its non-blank text nodes have their keys in `data-t`, in order. */
function translatePage() {
  for (const node of document.querySelectorAll("[data-t]")) {
    const texts = [...node.childNodes].filter(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== "");
    node.dataset.t.split(" ").forEach((key, index) => {
      if (key !== "-") {
        texts[index].data = texts[index].data.replace(/\S.*\S|\S/s, () => t(key));
      }
    });
  }
  for (const name of ATTRIBUTES) {
    document.querySelectorAll(`[data-t-${name}]`).forEach((node) => node.setAttribute(name, t(node.getAttribute(`data-t-${name}`))));
  }
}

function exchange(node) {
  if (node.nodeType === Node.TEXT_NODE) {
    exchangeText(node);
    return;
  }
  if (node.nodeType !== Node.ELEMENT_NODE) {
    return;
  }
  exchangeAttributes(node);
  node.childNodes.forEach(exchange);
}

function exchangeText(node) {
  const parent = node.parentElement;
  const text = phrases.say(node.data);
  if (text === node.data || parent?.closest(VERBATIM)) {
    return;
  }
  if (parent?.tagName === "OPTION" && !parent.hasAttribute("value")) {
    parent.setAttribute("value", parent.text); // what the form reads stays
  }
  node.data = text;
}

function exchangeAttributes(node) {
  for (const name of ATTRIBUTES) {
    const text = node.getAttribute(name);
    if (text) {
      const other = phrases.say(text);
      if (other !== text) {
        node.setAttribute(name, other);
      }
    }
  }
}

/** What is written into the document from now on. */
function watch() {
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "childList") {
        addedNodes.forEach(exchange);
      } else if (type === "attributes") {
        exchangeAttributes(target);
      } else {
        exchange(target);
      }
    }
    observer.takeRecords(); // of what was exchanged just now
  });
  observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
}

function offerChoice() {
  const choice = document.getElementById("language");
  choice.value = LANGUAGE;
  choice.addEventListener("change", () => {
    try {
      localStorage.setItem(KEPT, choice.value);
    } catch {
      return; // it could not be remembered over the reload
    }
    location.reload();
  });
}

/** Tests load modules without a document. */
if (globalThis.document) {
  document.documentElement.lang = TAGS[LANGUAGE];
  offerChoice();
}
if (phrases) {
  translatePage();
  watch();
}
