import { endsInWords, figureInWords, flagsExplained, hasBands } from "./bands.js";
import { breakdownBars, memoryBars } from "./bars.js";
import { figure, heroCard, noAnswerCard, shortageOf } from "./card.js";
import { chartPanel, chartsOf } from "./chartpanel.js";
import { columnsOf } from "./columns.js";
import { element, part } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { basisSection, burstInWords, rejected, ttftName, ttftSection } from "./phase.js";
import { SimulationPanel } from "./simulation.js";
import { table } from "./table.js";
import { limitsOf } from "./words.js";

/** Bars are drawn for so many pairs. */
const DRAWN = 8;

/** Pairs that are listed before somebody asks for all. */
const LISTED = 12;

/** The table of pairs: of measured kernels, in the whole numbers of instances that are best for them, or by their ratio alone. */
function tableOf([best]) {
  if (best.flags !== undefined) {
    return "measured_pairs";
  }
  return best.requests_per_s_per_device === undefined ? "ratios" : "counts";
}

export function pairColumns(rows) {
  return columnsOf(tableOf(rows), rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}

/** How many prefill instances serve how many decode instances. */
export function pairsSection({ rows, omitted_rows: leftOut }, device, { request }, signal) {
  return part(
    t("common.p_d_ratio"),
    device.device,
    rows.length > 0 && table(t("common.plans_by", { a: rankedBy(rows, t(`pairs_by.${tableOf(rows)}`)) }), pairColumns(rows), rows, (row) => row.rank === 1, LISTED),
    leftOut && element("p", { class: "hint" }, t("pdpairs.lower_ranked_plans_omitted", { 1: plain(leftOut) })),
    device.calibration && measuredDetails(rows, device, request, signal),
  );
}

function measuredDetails(rows, device, request, signal) {
  const [best] = rows;
  const slo = limitsOf(request);
  const drawn = { rows: rows.slice(0, DRAWN) };
  return [
    best && [
      flagsExplained(rows),
      element("p", { class: "notice" }, best.kv_transfer_ms === undefined ? t("pdsilicon.disaggregated_ttft_excludes_kv") : t("pdsilicon.disaggregated_ttft_excludes_router")),
      ttftSection(best, slo),
      new SimulationPanel({ rows }, device, request, signal).node,
      element("div", { class: "columns" }, breakdownBars(drawn), memoryBars(drawn)),
    ],
    device.phases.map((phase) => chartPanel(t("pdsilicon.pairs"), chartsOf({ ...phase, rows }, slo), signal)),
    device.phases.filter((phase) => phase.rejected.length > 0).map(rejected),
    basisSection(device, request, hasBands(rows) ? request.band_coverage : undefined),
  ];
}

/** The best pair; or that there is none, and what would be. */
export function pairCard({ rows }, device, costs, ...notes) {
  const [best] = rows;
  if (!best) {
    return noAnswerCard(t("common.no_pair_prefill_and"), [device], shortageOf(device.phases.flatMap(({ rejected: out }) => out)), notes);
  }
  const [words, figures] = { measured_pairs: measuredPair, counts: countedPair, ratios: pairByRatio }[tableOf(rows)](best);
  const left = tableOf(rows) === "ratios" && !best.prefill_instances && element("p", { class: "hint" }, t("pdratio.devices_cannot_hold_both", { 1: plain(device.num_devices) }));
  return heroCard(words, [figures, costs, onDevices(best)], best, device, left, notes);
}

function measuredPair(best) {
  return [
    [
      `${t("pdsilicon.for_concurrent_requests", { ...instancesInWords(best), 1: whole(best.concurrency) })} `,
      element("strong", {}, t("common.tokens_s_count", { 1: decimals(best.tokens_per_s, 0) })),
      ` ${endsInWords(best, "tokens_per_s", 0)}`,
    ],
    [
      figure(t("common.per_device"), figureInWords(best, "tokens_per_s_per_device", 1, "tokens/s")),
      figure(ttftName(best), figureInWords(best, "ttft_ms", 1, "ms"), burstInWords(best)),
      best.kv_transfer_ms !== undefined &&
        figure(t("pdsilicon.kv_transfer"), t("pdsilicon.ms_ttft_for_gib", { 1: decimals(best.kv_transfer_ms, 1), 2: decimals(best.kv_transfer_gb, 3) })),
      figure("TPOT", figureInWords(best, "tpot_ms", 1, "ms")),
      best.e2e_latency_ms !== undefined && figure(t("common.e2e_latency"), figureInWords(best, "e2e_latency_ms", 1, "ms")),
      figure(t("common.requests"), t("common.per_second", { a: figureInWords(best, "requests_per_s", 2) })),
      ranked(best),
      figure(t("pdsilicon.prefill_layout"), `${layout(best.parallel_p)}${sustained(best.prefill_sustained_requests_per_s)}`),
      figure(t("pdsilicon.decode_layout"), `${layout(best.parallel_d)}${sustained(best.decode_sustained_requests_per_s)}`),
    ],
  ];
}

function countedPair(best) {
  const prefill = t("pdpairs.prefill_instances_of", { 1: plain(best.prefill_instances), 2: best.num_devices_p, a: best.device_p });
  const decode = t("pdpairs.decode_instances_of", { 1: plain(best.decode_instances), 2: best.num_devices_d, a: best.device_d });
  return [
    [
      `${t("pdpairs.for", { a: prefill, b: decode })} `,
      element("strong", {}, t("common.requests_s_count", { 1: decimals(best.requests_per_s, 2) })),
      ` ${t("pdpairs.on_devices", { 1: plain(best.devices_used) })}`,
    ],
    [
      figure(t("common.per_device"), t("common.requests_s_count", { 1: decimals(best.requests_per_s_per_device, 4) }), t("common.tokens_s_count", { 1: decimals(best.tokens_per_s_per_device, 1) })),
      figure("TTFT", t("common.ms", { 1: decimals(best.ttft_ms, 1) }), transferInWords(best)),
      wholeAnswer(best),
      prefillFigure(best, t("pdpairs.requests_s", { a: decimals(best.prefill_requests_per_s, 2), b: sustained(best.prefill_sustained_requests_per_s) })),
      decodeFigure(best),
      ranked(best, t("pdpairs.for_all_instances")),
    ],
  ];
}

function pairByRatio(best) {
  const slower = best.prefill_requests_per_s < best.decode_requests_per_s ? t("pdratio.prefill") : t("pdratio.decode");
  return [
    [
      best.prefill_instances ? t("pdratio.for", instancesInWords(best)) : t("pdratio.prefill_instances_for_each", { 1: decimals(best.pd_ratio, 2) }),
      `${t("pdratio.one_pair_serves")} `,
      element("strong", {}, t("common.requests_s_count", { 1: decimals(best.balanced_requests_per_s, 2) })),
      best.prefill_requests_per_s !== best.decode_requests_per_s && t("pdratio.limited_by", { a: slower }),
    ],
    [
      prefillFigure(best, t("pdratio.requests_s_ttft_ms", { a: decimals(best.prefill_requests_per_s, 2), b: sustained(best.prefill_sustained_requests_per_s), c: decimals(best.ttft_ms, 1) })),
      decodeFigure(best),
      wholeAnswer(best),
      figure(t("common.p_d"), decimals(best.pd_ratio, 2), t("pdratio.prefill_instances_per_decode")),
      ranked(best, t("pdratio.for_instances_in_this")),
    ],
  ];
}

/** Both sides of a pair, as values of a phrase. */
function instancesInWords(best) {
  return {
    a: t("common.prefill_instances_of_devices", { 1: plain(best.prefill_instances), 2: plain(best.num_devices_p) }),
    b: t("common.decode_instances_of_devices", { 1: plain(best.decode_instances), 2: plain(best.num_devices_d) }),
  };
}

function prefillFigure(best, remark) {
  return figure(t("common.prefill_instance"), t("common.batch_size_count", { a: layout(best.parallel_p), 1: whole(best.batch_size_p) }), remark);
}

function decodeFigure(best) {
  const remark = t("common.requests_s_tpot_ms", { a: decimals(best.decode_requests_per_s, 2), b: sustained(best.decode_sustained_requests_per_s), c: decimals(best.tpot_ms, 2) });
  return figure(t("common.decode_instance"), t("common.batch_size_count", { a: layout(best.parallel_d), 1: whole(best.batch_size_d) }), remark);
}

function ranked({ objective }, remark) {
  return objectiveInWords(objective) && figure(t("common.ranked_by"), objectiveInWords(objective), remark);
}

/** How long a whole answer takes, where a limit is on it. */
function wholeAnswer({ e2e_latency_ms: millis }) {
  return millis !== undefined && figure(t("common.e2e_latency"), t("common.ms", { 1: decimals(millis, 1) }));
}

/** What the passes of an instance leave time for, where it is known. */
function sustained(rate) {
  return rate === undefined ? "" : t("pdpairs.sustained", { 1: decimals(rate, 2) });
}

/** How much of the TTFT of a row is the transfer of the KV cache. */
export function transferInWords({ kv_transfer_ms: millis, kv_transfer_gb: size }) {
  return millis === undefined
    ? t("pdpairs.excludes_kv_transfer")
    : t("pdpairs.includes_ms_kv_transfer", { 1: decimals(millis, 1), 2: decimals(size, 3) });
}

/** What the devices make of a pair: what stands idle, and the numbers that serve most. */
function onDevices({ devices_idle: idle, most }) {
  return [
    idle > 0 && figure(t("ondevices.idle"), t("common.devices_count", { 1: plain(idle) }), t("ondevices.not_used_by_any")),
    most &&
      figure(
        t("ondevices.maximum_on_these_devices"),
        t("common.requests_s_count", { 1: decimals(most.requests_per_s, 2) }),
        t("ondevices.instances_on_devices_tokens", { 1: most.prefill_instances, 2: most.decode_instances, 3: plain(most.devices_used), 4: whole(most.tokens_per_s) }),
      ),
  ];
}

function onDevicesColumns(rows) {
  const most = rows.some((row) => row.most);
  return [
    rows.some((row) => row.devices_idle > 0) && { title: t("ondevices.idle"), text: (row) => whole(row.devices_idle) },
    most && { title: t("ondevices.maximum"), text: (row) => (row.most ? `${row.most.prefill_instances} : ${row.most.decode_instances}` : "–") },
    most && { title: t("common.max_requests_s"), text: (row) => decimals(row.most?.requests_per_s, 2) },
  ];
}
