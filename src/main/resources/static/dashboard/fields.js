import { readJson, writeJson } from "./infinite.js";
import { t } from "./language.js";
import { numberInWords, unitOf } from "./numberwords.js";
import { setAt, valueAt } from "./pointer.js";

/** A field whose text cannot be sent at all. */
export class FieldError extends Error {
  constructor(pointer, message) {
    super(message);
    this.pointer = pointer;
  }
}

const readers = {
  number: (text, pointer, unit) => figure(text, pointer, unit),
  count: (text, pointer) => figure(text, pointer),
  numbers: (text) => oneOrMore(words(text).map(number)),
  list: (text) => words(text).map(number),
  sizes: (text) => (text.toLowerCase() === "all" ? [] : words(text).map(number)),
  names: (text) => oneOrMore(words(text)),
  json: (text, pointer) => parseJson(text, pointer),
  prices: (text) => prices(text),
  text: (text) => text,
};

const writers = {
  number: String,
  count: (value) => (typeof value === "object" ? "" : String(value)),
  numbers: (value) => [value].flat().join(", "),
  list: (value) => value.join(", "),
  names: (value) => [value].flat().join(", "),
  sizes: (value) => (value.length === 0 ? "all" : value.join(", ")),
  json: (value) => (Array.isArray(value) && value.length === 0 ? "" : writeJson(value, 2)),
  prices: (value) => (typeof value === "object" ? Object.entries(value).map((pair) => pair.join(": ")).join(", ") : String(value)),
  text: String,
};

/**
 * The request that a form describes. Each control's name is the JSON pointer of its member; blank controls and those that
 * hold the service's default are left out, but for those marked `data-always`.
 */
export function readRequest(form) {
  const request = {};
  for (const control of members(form)) {
    if (!control.matches(":disabled")) {
      readInto(request, control);
    }
  }
  return request;
}

/**
 * Shows a request in a form; members that it lacks go back to their defaults, or where the service has none, to what the
 * form starts from.
 */
export function writeRequest(form, request) {
  for (const control of members(form)) {
    const value = valueAt(request, control.name);
    if (control.type === "checkbox") {
      control.checked = Array.isArray(value) ? value.includes(control.value) : value === true;
    } else if (control.type === "radio") {
      control.checked = control.value === (value ?? control.dataset.default);
    } else if (control.multiple) {
      const chosen = [value ?? control.dataset.default].flat();
      [...control.options].forEach((option) => (option.selected = chosen.includes(option.value)));
    } else if (control.tagName === "SELECT") {
      select(control, value);
    } else {
      control.value = value === undefined || value === null ? usualText(control) : writers[kindOf(control)](value);
    }
  }
}

/** What stands in a field that nobody has filled in: the service's default, if it has one for all questions. */
function usualText(control) {
  return control.dataset.default ?? "";
}

/** What a list of choices does not hold is as good as nothing: another cost model may know it. */
function select(control, value) {
  control.value = value ?? "";
  if (value === undefined || value === null || control.selectedIndex < 0) {
    control.value = control.dataset.default ?? control.dataset.initial ?? "";
  }
}

/**
 * Shows in blank controls what the service takes for them, of the request as it was completed by it: the default may depend on
 * the rest of the question.
 */
export function showUsual(form, effective) {
  for (const control of members(form).filter(isLeftOpen)) {
    const value = valueAt(effective, control.name);
    if (control.tagName === "SELECT") {
      nameUsual(control, value);
    } else if (control.value.trim() === "") {
      control.dataset.placeholder ??= control.placeholder;
      control.placeholder = ["number", "string"].includes(typeof value) ? writers[kindOf(control)](value) : control.dataset.placeholder;
    }
  }
}

/** Whether it depends on the question what a control stands for that is blank. */
function isLeftOpen({ type, dataset }) {
  return !["checkbox", "radio", "select-multiple", "textarea"].includes(type) && !dataset.default;
}

/** The choice of what is usual says what that is. */
function nameUsual(control, value) {
  const [usual, ...others] = control.options;
  if (usual?.value === "") {
    usual.dataset.words ??= usual.textContent;
    const taken = others.find((option) => option.value === value);
    usual.textContent = taken && control.value === "" ? `${usual.dataset.words} (${taken.textContent})` : usual.dataset.words;
  }
}

function members(form) {
  return [...form.elements].filter((control) => control.name?.startsWith("/"));
}

function readInto(request, control) {
  if (control.type === "checkbox") {
    readCheckbox(request, control);
    return;
  }
  if (control.type === "radio" && !control.checked) {
    return;
  }
  if (control.multiple) {
    readChoices(request, control);
    return;
  }
  const text = control.value.trim();
  if (text !== "" && (text !== control.dataset.default || control.dataset.always !== undefined)) {
    setAt(request, control.name, readers[kindOf(control)](text, control.name, unitOf(control)));
  }
}

function readChoices(request, control) {
  const chosen = oneOrMore([...control.selectedOptions].map((option) => option.value));
  if (chosen !== control.dataset.default && chosen.length > 0) {
    setAt(request, control.name, chosen);
  }
}

function readCheckbox(request, control) {
  if (!control.checked) {
    return;
  }
  if (control.hasAttribute("value")) {
    setAt(request, control.name, [...(valueAt(request, control.name) ?? []), control.value]);
  } else {
    setAt(request, control.name, true);
  }
}

function kindOf(control) {
  return control.dataset.kind ?? "text";
}

/** Writes a number as it was understood: "4k" as 4000, "2 s" among milliseconds as 2000; nothing as the default that it stands for. */
export function settle(control) {
  const text = control.value.trim();
  if (text === "" && control.type === "text") {
    control.value = usualText(control);
    return;
  }
  const value = ["number", "count"].includes(kindOf(control)) ? numberInWords(text, unitOf(control)) : undefined;
  if (value !== undefined && String(value) !== text) {
    control.value = String(value);
  }
}

/** A number, or the service's word for no limit. @throws {FieldError} if the text is neither */
function figure(text, pointer, unit) {
  const value = text === "inf" ? text : numberInWords(text, unit);
  if (value === undefined) {
    throw new FieldError(pointer, t("fields.must_be_number_for", { a: text, b: unit === "ms" ? t("fields.500_2_000_or") : t("fields.0_5_3_500") }));
  }
  return value;
}

/** A number as one, and what is none as it is: the service says what is wrong with it. */
export function number(text) {
  return numberInWords(text) ?? text;
}

/** A list, or its only element: the service takes either, and says one as it is. */
export function oneOrMore(values) {
  return values.length === 1 ? values[0] : values;
}

function words(text) {
  return text.split(/[\s,;]+/).filter((word) => word !== "");
}

/** A number, or an object of numbers by name: "A: 1, B: 2". */
function prices(text) {
  if (!text.includes(":")) {
    return number(text);
  }
  const pairs = text.split(/[,;\n]/).filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf(":");
      return [pair.slice(0, at).trim(), number(pair.slice(at + 1).trim())];
    }),
  );
}

function parseJson(text, pointer) {
  try {
    return readJson(text);
  } catch (error) {
    throw new FieldError(pointer, t("fields.must_be_json", { A: error.message }));
  }
}
