import { t } from "./language.js";

/**
 * Makes an element. Strings become text nodes, so that data never turns into markup; null and false children are left out.
 *
 * @param {string} tag
 * @param {Object} attributes `on` holds listeners; true sets an empty attribute, false and null leave it out
 * @param {...*} children nodes, texts, numbers, or lists of them
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      Object.entries(value).forEach(([event, listener]) => node.addEventListener(event, listener));
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  append(node, children);
  return node;
}

/** Replaces what a node holds. */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      node.append(child instanceof Node ? child : String(child));
    }
  }
}

export function byId(id) {
  return document.getElementById(id);
}

let lastId = 0;

/** An id that no other element has. */
export function freshId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

/** A control below its label, which names it by its id; a hint below both describes it. */
export function field(label, control, { hint, short = false } = {}) {
  const id = hint && freshId("hint");
  if (id) {
    control.setAttribute("aria-describedby", id);
  }
  return element("div", { class: short ? "field short" : "field" }, element("label", { for: control.id }, label), control, hint && element("p", { class: "hint", id }, hint));
}

/** Saves content as a file, under an address that lasts until the browser has read it. */
export function saveFile(content, name) {
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has screen readers say a text. */
export function announce(text) {
  byId("announcer").textContent = text;
}

/** Waits; ends at once, by the signal's reason, where that is given. */
export function pause(millis, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Copies a text, and says so on the button that asked for it. */
export async function copy(text, button) {
  try {
    await toClipboard(text);
    sayOn(button, t("dom.copied"));
  } catch {
    sayOn(button, t("dom.not_allowed"), t("dom.browser_does_not_allow"));
  }
}

/** Copies a text that has to be asked for first; why there is none is said on the button. */
export async function copyLater(text, button) {
  let found;
  try {
    found = await text();
  } catch (error) {
    sayOn(button, t("dom.none"), error.message);
    button.title = error.message;
    return;
  }
  await copy(found, button);
}

/** Only pages over TLS or of this machine have a clipboard; others may copy what is selected. */
async function toClipboard(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = element("textarea", { class: "visually-hidden", readonly: true, "aria-hidden": "true" });
  field.value = text;
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  if (!copied) {
    throw new Error("not allowed");
  }
}

/** Says for a moment on a button what came of it. */
export function sayOn(button, words, announced = words) {
  if (!button.dataset.says) {
    const label = [...button.childNodes];
    button.dataset.says = "true";
    setTimeout(() => {
      delete button.dataset.says;
      fill(button, label);
    }, 1500);
  }
  fill(button, words);
  announce(announced);
}

/** A button of a card that looks like a link. */
export function tool(words, click) {
  return element("button", { type: "button", class: "link", on: { click } }, words);
}
