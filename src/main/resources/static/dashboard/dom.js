import { t } from "./language.js";

/**
 * Makes an element. Strings become text nodes, so that data never turns into markup; null and false children are left out.
 *
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

export function select(options, change, attributes = {}) {
  const node = element("select", { id: freshId("select"), ...attributes }, options.map(([value, words = value]) => element("option", { value }, words)));
  if (change) {
    node.addEventListener("change", change);
  }
  return node;
}

/** A field for a whole number of at least 1. */
export function numberInput(value) {
  return element("input", { type: "number", id: freshId("number"), min: 1, step: 1, value, inputmode: "numeric" });
}

/** A table of nodes that scrolls sideways where it does not fit: cells of its head, and its rows. */
export function scrolling(className, label, caption, head, rows) {
  return element(
    "div",
    { class: className, tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, caption && element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)),
  );
}

/** Saves content as a file, under an address that lasts until the browser has read it. */
export function saveFile(content, name) {
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function entitle(words) {
  document.title = `${words} – throughput-optimizer`;
}

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

/** A card with its heading. */
export function card(heading, ...content) {
  return element("section", { class: "card" }, element("h3", {}, heading), content);
}

/** A part of a result about a phase, and the device that it is of. */
export function part(heading, device, ...content) {
  const of = device && element("span", { class: "device" }, ` ${t("common.on", { a: device })}`);
  return element("section", { class: "phase" }, element("h2", {}, heading, of), content);
}

/** A button that is disabled while its action runs. */
export function busyButton(words, act, attributes = {}) {
  const click = async ({ target }) => {
    target.disabled = true;
    try {
      await act();
    } finally {
      target.disabled = false;
    }
  };
  return element("button", { type: "button", ...attributes, on: { click } }, words);
}

/** A button of a card that looks like a link. */
export function tool(words, click) {
  return element("button", { type: "button", class: "link", on: { click } }, words);
}

/** Keeps a value in a storage of the browser, as JSON; nothing where it is full or the browser keeps nothing. */
export function keep(storage, name, value) {
  try {
    globalThis[storage].setItem(name, JSON.stringify(value));
  } catch {
    // A page that is loaded anew begins anew.
  }
}

export function kept(storage, name) {
  try {
    return JSON.parse(globalThis[storage].getItem(name)) ?? undefined;
  } catch {
    return undefined;
  }
}
