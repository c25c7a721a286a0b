import { figureInWords } from "./bands.js";
import { FIGURES, pointOf } from "./compared.js";
import { element } from "./dom.js";
import { decimals, layout, percent, plain, rowName, whole } from "./format.js";
import { t } from "./language.js";
import { measuredChart } from "./measuredchart.js";
import { table } from "./table.js";
import { warningList } from "./warnings.js";

const PARAMETERS = [
  ["decode_percent", t("learnt.decode_steps"), "%"],
  ["prefill_percent", t("learnt.prompts"), "%"],
  ["step_gap_ms", t("learnt.cpu_time_per_step"), "ms"],
  ["per_request_us", t("learnt.cpu_time_per_running"), "µs"],
  ["collectives_percent", t("learnt.collectives"), "%"],
  ["experts_percent", t("learnt.routed_experts"), "%"],
  ["frontend_percent", t("learnt.front_end"), "%"],
  ["ttft_percent", t("learnt.remaining_ttft"), "%"],
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
    element("h3", {}, t("learnt.calibration_from_your_measurements")),
    element("p", {}, `${capital(feedback.learnt)}.`),
    element("p", { class: "hint" }, t("learnt.values_of_rows_used", { 1: plain(feedback.figures), 2: plain(feedback.rows) })),
    warningList(feedback),
    about === device.device && pictures(device.phases, rows),
    kept.length > 0 && beforeAndAfter(kept),
    element("details", {}, element("summary", {}, t("learnt.differences_from_the_model")), parameters(feedback)),
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
      element("h4", {}, t("learnt.one_instance", { a: name })),
      FIGURES.slice(0, 2).map(([member, title, unit]) =>
        measuredChart(`${title} (${unit})`, [
          { name: t("learnt.before"), look: "before", points: tried.filter(({ plain }) => plain).map((point) => pointOf(ofInstance(point), point.plain, member)) },
          { name: t("learnt.after"), look: "after", points: tried.map((point) => pointOf(ofInstance(point), point, member)) },
          { name: t("common.measured"), look: "measured", points: rows.filter((row) => row[member] !== undefined).map((row) => ({ x: row.concurrency, y: row[member] })) },
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
    PARAMETERS.map(([member, name, unit]) => fact(name, signed(learnt[member], unit))),
    fact(t("learnt.scale"), decimals(scale, 2)),
  );
}

function fact(name, value) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value));
}

function signed(value, unit) {
  const amount = unit === "%" ? percent(Math.abs(value)) : `${decimals(Math.abs(value), 2)} ${unit}`;
  return `${value < 0 ? "−" : "+"}${amount}`;
}
