import { figureInWords } from "./bands.js";
import { FIGURES, pointOf } from "./compared.js";
import { element } from "./dom.js";
import { decimals, layout, percent, rowName, whole } from "./format.js";
import { measuredChart } from "./measuredchart.js";
import { table } from "./table.js";
import { warningList } from "./warnings.js";
import { counted } from "./words.js";

const PARAMETERS = [
  ["decode_percent", "Decode steps", "%"],
  ["prefill_percent", "Prompts", "%"],
  ["step_gap_ms", "Host time of a step", "ms"],
  ["per_request_us", "Host time of a running request", "µs"],
  ["collectives_percent", "Collectives", "%"],
  ["experts_percent", "Routed experts", "%"],
  ["frontend_percent", "Front end", "%"],
  ["ttft_percent", "TTFT besides", "%"],
];

/** What measurements taught about a kind of device: in words, and each layout before and after, with what was measured; nothing without any. */
export function learntSection(device, request) {
  const { feedback } = device;
  if (!feedback) {
    return null;
  }
  const { rows = [], device: about = device.device } = request.feedback ?? {};
  const kept = device.phases.flatMap((phase) => phase.rows).filter(({ plain }) => plain);
  return element(
    "section",
    { class: "card learnt" },
    element("h3", {}, "What your measurements taught"),
    element("p", {}, `${capital(feedback.learnt)}.`),
    element("p", { class: "hint" }, `${counted(feedback.figures, "figure")} of ${counted(feedback.rows, "row")} count.`),
    warningList(feedback),
    about === device.device && pictures(device.phases, rows),
    kept.length > 0 && beforeAndAfter(kept),
    element("details", {}, element("summary", {}, "What differs from the model"), parameters(feedback)),
  );
}

function capital(words) {
  return `${words[0].toUpperCase()}${words.slice(1)}`;
}

/** Of each layout that was measured or has a row: the model's figures, those that were learnt, and what was measured. */
function pictures(phases, measured) {
  const points = phases.flatMap((phase) => phase.points);
  const names = [...new Set(measured.map(({ parallel }) => nameOf(parallel)))];
  return names.map((name) => {
    const tried = points.filter(({ parallel }) => nameOf(parallel) === name);
    const rows = measured.filter(({ parallel }) => nameOf(parallel) === name);
    return element(
      "div",
      { class: "measured-pictures", role: "group", "aria-label": name },
      element("h4", {}, `${name}, one instance`),
      FIGURES.slice(0, 2).map(([member, title, unit]) =>
        measuredChart(`${title} (${unit})`, [
          { name: "before", look: "before", points: tried.filter(({ plain }) => plain).map((point) => pointOf(ofInstance(point), point.plain, member)) },
          { name: "after", look: "after", points: tried.map((point) => pointOf(ofInstance(point), point, member)) },
          { name: "measured", look: "measured", points: rows.filter((row) => row[member] !== undefined).map((row) => ({ x: row.concurrency, y: row[member] })) },
        ]),
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
    "Each layout by the model alone, and with what was measured",
    [
      { title: "Layout", text: rowName, className: "words" },
      { title: "Requests at once", text: ({ concurrency }) => whole(concurrency) },
      ...FIGURES.flatMap(([member, name, unit, digits]) => [
        { title: `${name}${unit && ` (${unit})`}, before`, text: ({ plain, flags }) => figureInWords({ ...plain, flags }, member, digits) },
        { title: "After", text: (row) => figureInWords(row, member, digits) },
      ]),
      { title: "Measured figures of the layout", text: ({ learnt_from: from }) => whole((from?.tpot_figures_of_layout ?? 0) + (from?.ttft_figures_of_layout ?? 0)) },
    ],
    rows,
  );
}

function parameters({ parameters: learnt, scale }) {
  return element(
    "dl",
    { class: "figures" },
    PARAMETERS.map(([member, name, unit]) => fact(name, signed(learnt[member], unit))),
    fact("Scale", decimals(scale, 2)),
  );
}

function fact(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}

function signed(value, unit) {
  const amount = unit === "%" ? percent(Math.abs(value)) : `${decimals(Math.abs(value), 2)} ${unit}`;
  return `${value < 0 ? "−" : "+"}${amount}`;
}
