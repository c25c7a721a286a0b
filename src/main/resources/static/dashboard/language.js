/**
 * Languages of the page. Modules write English; in another language each text is exchanged when it reaches the document, by the
 * phrases of words/LANGUAGE.json. Names, commands and what is in `code` stay, and texts of the service that are no fixed phrases.
 */
const LANGUAGES = ["en", "zh"];
const TAGS = { en: "en", zh: "zh-CN" };
const KEPT = "language";

const ATTRIBUTES = ["title", "aria-label", "placeholder"];
const VERBATIM = "code, pre, textarea, script, style, .set, [translate=no]";

/** The language of the page: what was chosen in this browser, else the first of the reader's that there is. */
export const LANGUAGE = chosen() ?? navigator.languages.map((tag) => tag.split("-")[0]).find(isKnown) ?? "en";

/** For dates; those of the English page are in the form of the reader's browser. */
export const LOCALE_OF_DATES = LANGUAGE === "en" ? undefined : TAGS[LANGUAGE];

const phrases = LANGUAGE === "en" ? null : await phrasesOf(LANGUAGE);

/** A text in the language of the page, for what is drawn instead of written. */
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

/** The English page needs none. */
async function phrasesOf(language) {
  const [{ Phrases }, words] = await Promise.all([import("./phrases.js"), fetch(new URL(`words/${language}.json`, import.meta.url))]);
  return new Phrases(await words.json());
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

document.documentElement.lang = TAGS[LANGUAGE];
offerChoice();
if (phrases) {
  exchange(document.documentElement);
  watch();
}
