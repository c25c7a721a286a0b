import { endsOf, figureCell, figureInWords, flagsExplained, hasBands, isMeasuredRow, rounded } from "./bands.js";
import { breakdownBars, memoryBars } from "./bars.js";
import { figure } from "./card.js";
import { chartPanel, chartsOf } from "./chartpanel.js";
import { columnsOf } from "./columns.js";
import { card, element, fill, part, select } from "./dom.js";
import { layout, percent, plain, promised, rowName, whole } from "./format.js";
import { t } from "./language.js";
import { commandColumn } from "./launch.js";
import { isOfUsers, objectiveColumn, rankedBy } from "./objective.js";
import { SimulationPanel } from "./simulation.js";
import { table } from "./table.js";
import { bindsInWords, heldOf, LATENCIES, limitedName, limitedOf, limitsOf, phaseName, reasonName } from "./words.js";

/** Bars are drawn for so many rows. */
const DRAWN = 20;

/** Rows whose memory the card above has. */
const IN_CARD = 5;

/** What the search of one phase on one kind of device found; `alone` without the cards of the plan. */
export function phaseSection(phase, device, { request }, signal, commands, alone) {
  const best = phase.rows[0];
  const simulation = best && isMeasuredRow(best) && new SimulationPanel(phase, device, request, signal);
  return part(
    phaseName(phase.phase),
    device.device,
    best && ranking(phase, device, request, simulation, commands),
    best && flagsExplained(phase.rows),
    best && !isOfUsers(request) && unranked(best, phase),
    best && isMeasuredRow(best) && ttftSection(best, limitsOf(request)),
    simulation && simulation.node,
    chartPanel(phaseName(phase.phase), chartsOf(phase, limitsOf(request)), signal),
    best && bars(phase, alone || device.phases.length > 1 || phase.rows.length > IN_CARD),
    best?.composition && compositionSection(phase),
    phase.rejected.length > 0 && rejected(phase),
    device.calibration && basisSection(device, request, hasBands(phase.rows) ? request.band_coverage : undefined),
  );
}

function bars(phase, withMemory) {
  const drawn = { ...phase, rows: phase.rows.slice(0, DRAWN) };
  return [
    element("div", { class: "columns" }, breakdownBars(drawn), withMemory && memoryBars(drawn)),
    phase.rows.length > DRAWN && element("p", { class: "hint" }, t("phase.bars_show_first_plans", { 1: DRAWN, 2: phase.rows.length })),
  ];
}

function ranking(phase, device, request, simulation, commands) {
  const slo = limitsOf(request);
  const ranked = objectiveColumn(phase.rows);
  const figures = columnsOf("rows", phase.rows, {
    objective: ranked,
    of_the_best: !simulation && !ranked && { title: t("common.vs_best"), text: (row) => percent((100 * row.tokens_per_s) / phase.rows[0].tokens_per_s, 0) },
    percentiles: limitedOf(slo).map((member) => ({
      title: `${limitedName(LATENCIES[member], slo)} (ms)`,
      text: (row) => figureCell(heldOf(row, member, slo) ?? {}, member, 1),
    })),
    load: simulation && { title: t("common.simulation"), text: (row) => simulation.buttonFor(row), className: "action" },
    limited_by: phase.rows[0].limited_by && !isOfUsers(request) && { title: t("common.limited_by"), text: (row) => bindsInWords(row, request), className: "words" },
  });
  // Of two phases a row of each is started together: the panel says which.
  const columns = device.phases.length === 1 && !device.pd_ratio ? [...figures, commandColumn(commands, () => device.device)] : figures;
  const caption = t("phase.layouts_by_each_at", { a: phaseName(phase.phase), b: rankedBy(phase.rows, t("phase.throughput")) });
  return table(caption, columns, phase.rows, (row) => row.rank === 1);
}

/** The batch search ranks only what it bisects: a probe before that can keep the limits, serve more, and yet have no row. */
function unranked(best, phase) {
  const better = phase.points
    .filter((point) => point.within_slo && point.tokens_per_s > best.tokens_per_s)
    .toSorted((left, right) => right.tokens_per_s - left.tokens_per_s)[0];
  return (
    better &&
    element(
      "p",
      { class: "notice" },
      `${t("phase.initial_probe_at_batch", { a: layout(better.parallel), 1: whole(better.batch_size) })} `,
      `${t("phase.tokens_s_but_this", { 1: promised(better.tokens_per_s) })} `,
      t("phase.strategy_exhaustive_ranks_all"),
    )
  );
}

/** The layouts of a phase that are out, and why. */
export function rejected(phase) {
  const columns = [
    { title: t("common.layout"), text: (candidate) => layout(candidate.parallel), className: "words" },
    { title: t("phase.rejected_because"), text: (candidate) => reasonName(candidate.reason), className: "words" },
    { title: t("phase.margin"), text: (candidate) => candidate.detail, className: "words" },
    { title: t("common.batch_size"), text: (candidate) => whole(candidate.batch_size) },
  ];
  return table(t("phase.rejected_layouts", { a: phaseName(phase.phase) }), columns, phase.rejected);
}

const DECODING = [
  { title: t("common.output_tokens"), text: (part) => whole(part.num_output_tokens) },
  { title: t("composition.mean_context"), text: (part) => whole(part.context_tokens) },
];

function compositionSection(phase) {
  const detail = element("div", {});
  const show = (row) => fill(detail, compositionTable(row), leftOut(row));
  const names = phase.rows.map((row, index) => [index, t("common.batch_size_count", { a: layout(row.parallel), 1: row.batch_size })]);
  const row = select(names, () => show(phase.rows[row.value]));
  show(phase.rows[0]);
  return card(
    t("composition.batch_composition"),
    element("p", { class: "picker" }, element("label", { for: row.id }, t("common.layout")), " ", row),
    detail,
  );
}

function compositionTable(row) {
  const most = Math.max(...row.composition.map((part) => part.samples));
  const decodes = row.composition.some((part) => part.num_output_tokens !== undefined);
  return table(
    t("composition.concurrent_requests_by_length", { 1: whole(row.samples), a: decodes ? t("composition.input_and_output") : t("composition.input") }),
    [
      { title: t("common.input_tokens"), text: (part) => whole(part.num_input_tokens) },
      ...(decodes ? DECODING : [{ title: t("composition.uncached_tokens"), text: (part) => whole(part.query_len) }]),
      { title: decodes ? t("composition.share_of_the_batch") : t("composition.share_of_traffic"), text: (part) => percent(100 * part.request_ratio, 1) },
      { title: t("common.requests"), text: (part) => whole(part.samples) },
      { title: t("composition.share_chart"), text: (part) => bar(part.samples / most), className: "words bar-cell" },
    ],
    row.composition,
  );
}

/** That the figures do not speak of all requests; empty where they do. */
function leftOut(row) {
  return row.omitted_ratio === undefined
    ? []
    : element(
        "p",
        { class: "hint left-out" },
        `${t("composition.this_batch_too_small", { 1: percent(100 * row.omitted_ratio, 2) })} `,
        t("composition.and_its_results_exclude"),
      );
}

function bar(share) {
  const node = element("span", { class: "inline-bar", "aria-hidden": "true" });
  node.style.width = `${100 * share}%`;
  return node;
}

/** What the figures of a measured device are based on. */
export function basisSection({ device, calibration }, { model_id: model = "" }, coverage) {
  const versions = Object.entries(calibration.versions).map(([name, measured]) => `${name} ${measured.join(", ")}`);
  return element(
    "details",
    { class: "card" },
    element("summary", {}, t("basis.calibration")),
    element(
      "p",
      {},
      `${t("basis.kernels_as_launched_by", { a: calibration.backend, B: versions.join("; ") })} `,
      coverage !== undefined && `${t("common.intervals_hold_measured_servers", { 1: percent(100 * coverage, 0) })} `,
      element("a", { href: `#/accuracy/${[model, device, calibration.backend].map(encodeURIComponent).join("/")}` }, t("common.accuracy_measured_and_modeled")),
      ".",
    ),
    calibration.bases.length === 0
      ? element("p", {}, t("basis.every_kernel_was_measured"))
      : table(
          t("basis.kernels_without_matching_measurements"),
          [
            { title: t("basis.kernel"), text: (use) => use.class, className: "words" },
            { title: t("basis.type"), text: (use) => use.dtype, className: "words" },
            { title: t("basis.based_on"), text: (use) => t(`kernel_basis.${use.basis.replace("-", "_")}`), className: "words" },
          ],
          calibration.bases,
        ),
  );
}

const BENCHMARK = ["ttft_ms", t("ttft.benchmark"), t("ttft.mean_benchmark_reports_including")];
const OTHERS = [
  ["ttft_settled_ms", t("ttft.steady_state"), t("ttft.mean_service_in_steady")],
  ["ttft_burst_ms", t("ttft.burst"), t("ttft.mean_requests_opening_burst")],
];

const NAMES = { settled: t("common.steady_state_ttft"), benchmark: t("common.benchmark_ttft") };

/** What the TTFT of a row is called, by its basis if it has one. */
export function ttftName({ ttft_basis: basis }) {
  return NAMES[basis] ?? "TTFT";
}

/** The TTFT of the opening burst, which stands beside that of the basis. */
export function burstInWords(row) {
  return row.ttft_basis && t("limitbars.burst", { 1: rounded(row.ttft_burst_ms, endsOf(row, "ttft_burst_ms"), 0) });
}

/** The means that are called TTFT, of the best row; that of a benchmark where it is the basis. */
export function ttftSection(row, slo) {
  const isSettled = row.ttft_basis === "settled";
  const against = isSettled ? "ttft_settled_ms" : "ttft_ms";
  const kinds = isSettled ? OTHERS : [BENCHMARK, ...OTHERS];
  const held = slo.percentile === undefined ? t("ttft.this_mean") : t("ttft.percentile_by_simulation", { 1: plain(slo.percentile) });
  return card(
    t("ttft.ttft_definition", { a: rowName(row) }),
    element(
      "dl",
      { class: "figures" },
      kinds.map(([member, label, words]) =>
        figure(label, figureInWords(row, member, 0, "ms"), [words, member === against && typeof slo.ttft_ms === "number" && t("ttft.your_target_applies_to", { a: held })]),
      ),
    ),
  );
}
