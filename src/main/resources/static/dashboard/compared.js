import { figureInWords, spanInWords } from "./bands.js";
import { figure, warningList } from "./card.js";
import { chartPanel, WHOLE_STEPS } from "./chartpanel.js";
import { element } from "./dom.js";
import { decimals, layout, percent, plain, rowName, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

/** Figures that a benchmark prints: member, name, unit and digits. */
export const FIGURES = [
  ["tpot_ms", "TPOT", "ms", 1],
  ["ttft_ms", "TTFT", "ms", 0],
  ["tokens_per_s", t("common.tokens_s"), "", 0],
];

/** What was measured of a server beside what is predicted for the same: pictures by layout, and every figure. */
export function comparison(set, signal) {
  const layouts = Map.groupBy(set.rows, (row) => layout(row.parallel));
  return element(
    "div",
    { class: "compared" },
    [...layouts].map(([name, rows]) => element("div", { role: "group", "aria-label": name }, layouts.size > 1 && element("h4", {}, name), pictures(rows, signal))),
    comparedTable(set),
    noted(set.rows),
  );
}

function pictures(rows, signal) {
  return figurePictures(
    (member) => [
      predictedSeries(t("compared.predicted"), rows, ({ predicted }) => predicted, member),
      predictedSeries(t("compared.predicted_from_other_rows"), rows, ({ learnt }) => learnt, member),
      measuredSeries(rows, member),
    ],
    signal,
  );
}

/**
 * Charts of TPOT and TTFT over requests at once, on a logarithmic axis.
 *
 * @param {function} seriesOf returns the series of a figure; those without points are left out
 */
function figurePictures(seriesOf, signal) {
  const charts = FIGURES.slice(0, 2).map(([member, name, unit]) => ({
    title: `${name} (${unit})`,
    kind: t("common.value"),
    note: "",
    x: { name: t("common.concurrent_requests"), label: t("common.concurrent_requests"), steps: WHOLE_STEPS, log: true, limit: null },
    y: { name, label: `${name} (${unit})`, limit: null },
    series: seriesOf(member).filter(({ points }) => points.length > 0),
  }));
  return element("div", { class: "columns" }, charts.map((chart) => chartPanel(chart.title, [chart], signal)));
}

/** What was measured of a figure. */
function measuredSeries(rows, member) {
  const points = rows.filter((row) => row[member] !== undefined).map((row) => ({ x: row.concurrency, y: row[member], withinSlo: true }));
  return { label: t("common.measured"), scattered: true, points };
}

/** What is predicted of a figure, with its band; `figuresOf` returns the prediction of a row. */
function predictedSeries(label, rows, figuresOf, member, concurrencyOf = ({ concurrency }) => concurrency) {
  const predicted = rows.filter((row) => figuresOf(row)?.[member] !== undefined);
  const points = predicted.map((row) => ({ x: concurrencyOf(row), y: figuresOf(row)[member], ends: figuresOf(row)[`${member}_band`], withinSlo: true }));
  return { label, points: points.toSorted((one, other) => one.x - other.x) };
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

const PARAMETERS = ["decode_percent", "prefill_percent", "step_gap_ms", "per_request_us", "collectives_percent", "experts_percent", "frontend_percent", "ttft_percent"];
const UNITS = { percent: "%", ms: "ms", us: "µs" };

/** What measurements taught about a kind of device: in words, and each layout before and after, with what was measured; nothing without any. */
export function learntSection(device, request, signal) {
  const { feedback } = device;
  if (!feedback) {
    return null;
  }
  const { rows = [], device: about = device.device } = request.feedback ?? {};
  const kept = device.phases.flatMap((phase) => phase.rows).filter(({ plain }) => plain);
  return element(
    "section",
    { class: "card learnt" },
    element("h3", {}, t("learnt.calibration_from_your_measurements")),
    element("p", {}, `${capital(feedback.learnt)}.`),
    element("p", { class: "hint" }, t("learnt.values_of_rows_used", { 1: plain(feedback.figures), 2: plain(feedback.rows) })),
    warningList(feedback),
    about === device.device && layoutPictures(device.phases, rows, signal),
    kept.length > 0 && beforeAndAfter(kept),
    element("details", {}, element("summary", {}, t("learnt.differences_from_the_model")), parameters(feedback)),
  );
}

function capital(words) {
  return `${words[0].toUpperCase()}${words.slice(1)}`;
}

/** Of each layout that was measured or has a row: the model's figures, those that were learnt, and what was measured. */
function layoutPictures(phases, measured, signal) {
  const points = phases.flatMap((phase) => phase.points);
  const names = [...new Set(measured.map(({ parallel }) => nameOf(parallel)))];
  return names.map((name) => {
    const tried = points.filter(({ parallel }) => nameOf(parallel) === name);
    const rows = measured.filter(({ parallel }) => nameOf(parallel) === name);
    return element(
      "div",
      { role: "group", "aria-label": name },
      element("h4", {}, t("learnt.one_instance", { a: name })),
      figurePictures(
        (member) => [
          predictedSeries(t("learnt.before"), tried, ({ plain }) => plain, member, ofInstance),
          predictedSeries(t("learnt.after"), tried, (point) => point, member, ofInstance),
          measuredSeries(rows, member),
        ],
        signal,
      ),
    );
  });
}

/** Layouts are measured as TP, DP and EP say. */
function nameOf({ tp, dp = 1, ep = 1 }) {
  return layout({ tp, dp, ep });
}

/** Requests at once of one instance: those of a rank times its ranks. */
function ofInstance({ batch_size: batch, parallel }) {
  return batch * parallel.dp;
}

function beforeAndAfter(rows) {
  return table(
    t("learnt.layouts_with_model_alone"),
    [
      { title: t("common.layout"), text: rowName, className: "words" },
      { title: t("common.concurrent_requests"), text: ({ concurrency }) => whole(concurrency) },
      ...FIGURES.flatMap(([member, name, unit, digits]) => [
        { title: t("learnt.before_value", { a: `${name}${unit && ` (${unit})`}` }), text: ({ plain, flags }) => figureInWords({ ...plain, flags }, member, digits) },
        { title: t("common.after"), text: (row) => figureInWords(row, member, digits) },
      ]),
      { title: t("learnt.measured_values_layout"), text: ({ learnt_from: from }) => whole((from?.tpot_figures_of_layout ?? 0) + (from?.ttft_figures_of_layout ?? 0)) },
    ],
    rows,
  );
}

function parameters({ parameters: learnt, scale }) {
  return element(
    "dl",
    { class: "figures" },
    PARAMETERS.map((member) => figure(t(`difference.${member}`), signed(learnt[member], UNITS[member.split("_").at(-1)]))),
    figure(t("learnt.scale"), decimals(scale, 2)),
  );
}

function signed(value, unit) {
  const amount = unit === "%" ? percent(Math.abs(value)) : `${decimals(Math.abs(value), 2)} ${unit}`;
  return `${value < 0 ? "−" : "+"}${amount}`;
}
