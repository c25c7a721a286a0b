import { announce, element, field, fill, freshId } from "./dom.js";
import { t } from "./language.js";
import { table } from "./table.js";

/** Bytes of a file that are looked at, and its rows that are shown. */
const SAMPLE_BYTES = 1 << 16;
const SHOWN_ROWS = 5;
const GZIP = [0x1f, 0x8b];
const DELIMITERS = [",", ";", "\t"];
const CHOICES = [
  { member: "input_column", label: t("common.input_tokens") },
  { member: "output_column", label: t("common.output_tokens") },
  { member: "timestamp_column", label: t("tracecolumns.timestamps"), none: t("common.none") },
];

/**
 * Lets people say which columns of a file hold lengths, where the service does not know their names.
 *
 * @param {HTMLElement} place that the choice fills
 * @param {File} file
 * @param {(columns: Object) => void} use is told the columns as the service takes them
 * @returns {Promise<boolean>} whether there is a choice: not of a file without names
 */
export async function chooseColumns(place, file, use) {
  const { names, rows } = sampleOf(await beginning(file));
  if (names.length < 2) {
    return false;
  }
  const selects = CHOICES.map(({ label, none }, index) => selectOf(names, label, none, index));
  const columns = () =>
    Object.fromEntries(CHOICES.map(({ member }, index) => [member, selects[index].control.value]).filter(([, name]) => name !== ""));
  fill(
    place,
    element("p", {}, t("tracecolumns.no_known_column_names")),
    table(
      t("tracecolumns.first_rows_of", { A: file.name }),
      names.map((name) => ({ title: name, text: (row) => row[name] ?? "" })),
      rows,
    ),
    element("div", { class: "row" }, selects.map(({ field }) => field)),
    element("p", {}, element("button", { type: "button", class: "quiet", on: { click: () => use(columns()) } }, t("tracecolumns.read_columns"))),
  );
  announce(t("tracecolumns.choose_columns_lengths"));
  return true;
}

function selectOf(names, label, none, index) {
  const control = element(
    "select",
    { id: freshId("trace-column") },
    none && element("option", { value: "" }, none),
    names.map((name, at) => element("option", { value: name, selected: !none && at === Math.min(index, names.length - 1) }, name)),
  );
  return { control, field: field(label, control, { short: true }) };
}

/** The first lines of a file, unpacked. */
async function beginning(file) {
  const head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const packed = GZIP.every((byte, index) => head[index] === byte);
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let ended = false;
  while (!ended && text.length < SAMPLE_BYTES) {
    const { done, value } = await reader.read();
    ended = done;
    text += decoder.decode(value ?? new Uint8Array(), { stream: !done });
  }
  await reader.cancel();
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/).filter((line) => line.trim() !== "");
  return ended || lines.length < 2 ? lines : lines.slice(0, -1);
}

function sampleOf(lines) {
  const rows = lines[0]?.trimStart().startsWith("{") ? objectsOf(lines) : valuesOf(lines);
  return { names: [...new Set(rows.flatMap(Object.keys))], rows };
}

/** Lines of JSON: members that are numbers or texts, those of objects within by their path. */
function objectsOf(lines) {
  return lines.slice(0, SHOWN_ROWS).flatMap((line) => {
    try {
      return [Object.fromEntries(scalars(JSON.parse(line), ""))];
    } catch {
      return [];
    }
  });
}

function scalars(object, above) {
  return Object.entries(object).flatMap(([name, value]) => {
    if (typeof value === "object") {
      return value === null || Array.isArray(value) ? [] : scalars(value, `${above}${name}.`);
    }
    return [[above + name, shortened(value)]];
  });
}

function valuesOf([header = "", ...lines]) {
  const delimiter = DELIMITERS.reduce((best, one) => (header.split(one).length > header.split(best).length ? one : best));
  const names = cells(header, delimiter);
  const named = names.some((name) => name !== "" && Number.isNaN(Number(name)));
  return named
    ? lines.slice(0, SHOWN_ROWS).map((line) => Object.fromEntries(cells(line, delimiter).map((cell, index) => [names[index] ?? "", shortened(cell)])))
    : [];
}

/** Cells of a line, each perhaps in quotes. */
function cells(line, delimiter) {
  const found = [];
  let cell = "";
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') {
      quoted = !quoted;
    } else if (sign === delimiter && !quoted) {
      found.push(cell.trim());
      cell = "";
    } else {
      cell += sign;
    }
  }
  return [...found, cell.trim()];
}

function shortened(value) {
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
