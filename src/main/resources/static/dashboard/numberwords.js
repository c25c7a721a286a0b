/** What stands behind a number, in units of what a field counts in. */
const TIMES = { ms: 1, s: 1000, sec: 1000, min: 60_000 };
const COUNTS = { k: 1e3, m: 1e6, b: 1e9 };

/** A number with separators of thousands, a decimal point or comma, and what stands behind it. */
const FORM = /^([+-]?[\d.,'\u00a0\u2009\u202f ]*\d(?:[eE][+-]?\d+)?|[+-]?\.\d+)\s*([a-z%/]*)$/i;
const GROUPS = /^([+-]?[1-9]\d{0,2})((?:[,'\u00a0\u2009\u202f ]\d{3})+)(\.\d+)?$/;
const COMMA = /^([+-]?\d*),(\d+)$/;

/**
 * A number as people write it: `4k`, `3,500`, `29,5`, `2 s` in a field of milliseconds, `20 %`. What is none is undefined.
 *
 * @param {string} [unit] what the field counts in: `ms`, another that may stand behind the number, or none
 */
export function numberInWords(text, unit) {
  const form = FORM.exec(text.trim());
  if (!form) {
    return undefined;
  }
  const value = figure(form[1].trim());
  const factor = factorOf(form[2].toLowerCase(), unit);
  return value === undefined || factor === undefined ? undefined : scaled(value, factor);
}

/** What a field counts in, as its label says: "TTFT limit (ms)". */
export function unitOf(control) {
  const label = control.labels?.[0]?.textContent ?? "";
  return /\(([A-Za-z/]+)\)\s*$/.exec(label)?.[1];
}

function figure(text) {
  const grouped = GROUPS.exec(text);
  const plain = grouped ? `${grouped[1]}${grouped[2].replace(/\D/g, "")}${grouped[3] ?? ""}` : text.replace(COMMA, "$1.$2");
  const value = Number(plain);
  return plain === "" || !Number.isFinite(value) ? undefined : value;
}

function factorOf(word, unit) {
  if (word === "") {
    return 1;
  }
  if (unit === "ms" && TIMES[word]) {
    return TIMES[word];
  }
  if (word === unit?.toLowerCase()) {
    return 1;
  }
  return unit === undefined ? (word === "%" ? 0.01 : COUNTS[word]) : undefined;
}

/** Without the last digits that binary fractions add: 29 % is 0.29. */
function scaled(value, factor) {
  return factor === 1 ? value : Number((value * factor).toPrecision(15));
}
