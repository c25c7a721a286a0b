import { spanInWords } from "./bands.js";
import { element } from "./dom.js";
import { decimals, layout, percent, whole } from "./format.js";
import { t } from "./language.js";
import { measuredChart } from "./measuredchart.js";
import { table } from "./table.js";

/** Figures that a benchmark prints: member, name, unit and digits. */
export const FIGURES = [
  ["tpot_ms", "TPOT", "ms", 1],
  ["ttft_ms", "TTFT", "ms", 0],
  ["tokens_per_s", t("common.tokens_s"), "", 0],
];

/** What was measured of a server beside what is predicted for the same: pictures by layout, and every figure. */
export function comparison(set) {
  const layouts = Map.groupBy(set.rows, (row) => layout(row.parallel));
  return element(
    "div",
    { class: "compared" },
    [...layouts].map(([name, rows]) => element("div", { class: "measured-pictures", role: "group", "aria-label": name }, layouts.size > 1 && element("h4", {}, name), pictures(rows))),
    comparedTable(set),
    noted(set.rows),
  );
}

function pictures(rows) {
  return FIGURES.slice(0, 2).map(([member, name, unit]) =>
    measuredChart(`${name} (${unit})`, [
      { name: t("common.measured"), look: "measured", points: rows.filter((row) => row[member] !== undefined).map((row) => ({ x: row.concurrency, y: row[member] })) },
      { name: t("compared.predicted"), look: "before", points: rows.filter(({ predicted }) => predicted).map(({ concurrency, predicted }) => pointOf(concurrency, predicted, member)) },
      { name: t("compared.predicted_from_other_rows"), look: "after", points: rows.filter(({ learnt }) => learnt).map(({ concurrency, learnt }) => pointOf(concurrency, learnt, member)) },
    ]),
  );
}

/** A figure with the ends of its band, for a picture. */
export function pointOf(x, figures, member) {
  const { low, high } = figures[`${member}_band`] ?? {};
  return { x, y: figures[member], low, high };
}

function comparedTable({ rows }) {
  const figures = FIGURES.filter(([member]) => rows.some((row) => row[member] !== undefined));
  return table(
    t("compared.measured_and_predicted_one"),
    [
      { title: t("common.layout"), text: ({ parallel }) => layout(parallel), className: "words" },
      { title: t("common.concurrent_requests"), text: ({ concurrency }) => whole(concurrency) },
      { title: t("compared.input_output_tokens"), text: (row) => `${whole(row.input_length)}, ${whole(row.output_length)}` },
      ...figures.flatMap(([member, name, unit, digits]) => [
        { title: t("compared.measured_value", { a: `${name}${unit && ` (${unit})`}` }), text: (row) => decimals(row[member], digits) },
        { title: t("common.predicted"), text: ({ predicted }) => predictedCell(predicted, member, digits) },
        ...(rows.some(({ learnt }) => learnt) ? [{ title: t("compared.from_other_rows"), text: ({ learnt }) => predictedCell(learnt, member, digits) }] : []),
        { title: t("compared.measured_predicted"), text: (row) => ratioCell(row, member) },
      ]),
    ],
    rows,
  );
}

function predictedCell(predicted, member, digits) {
  const band = predicted?.[`${member}_band`];
  return [decimals(predicted?.[member], digits), band && element("small", { class: "ends" }, `(${spanInWords(band, digits)})`)];
}

function ratioCell({ ratio = {}, in_band: within = {} }, member) {
  const words = { true: t("compared.inside_the_interval"), false: t("compared.outside_the_interval") }[within[member]];
  return ratio[member] === undefined ? "–" : [decimals(ratio[member], 2), words && element("small", { class: `ends ${within[member] ? "" : "beyond"}` }, words)];
}

function noted(rows) {
  const notes = rows.flatMap(({ notes: told = [], concurrency }) => told.map((note) => t("compared.concurrency", { 1: whole(concurrency), A: note })));
  return notes.length > 0 && element("ul", { class: "hint" }, notes.map((note) => element("li", {}, note)));
}

/** The median errors of a set's predictions, in a sentence. */
export function errorsOf({ errors, errors_learnt: learnt }) {
  const before = errorsInWords(errors);
  const after = errorsInWords(learnt);
  return after ? t("compared.median_errors", { A: before, B: after }) : t("compared.median_prediction_error", { A: before || t("compared.unknown") });
}

function errorsInWords(errors = {}) {
  return FIGURES.map(([member, name]) => [name, errors[`${member.replace(/_ms$/, "")}_percent`]])
    .filter(([, error]) => error !== undefined)
    .map(([name, error]) => `${name} ${percent(error)}`)
    .join(", ");
}
