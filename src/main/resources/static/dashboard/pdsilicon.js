import { endsInWords, figureInWords, flagsExplained, hasBands } from "./bands.js";
import { breakdownBars, memoryBars } from "./bars.js";
import { basisSection } from "./basis.js";
import { figure, heroCard, noAnswerCard, shortageOf } from "./card.js";
import { chartPanel } from "./chartpanel.js";
import { columnsOf } from "./columns.js";
import { chartsOf } from "./curves.js";
import { element } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { onDevices, onDevicesColumns } from "./ondevices.js";
import { sustained } from "./pdpairs.js";
import { rejected } from "./phase.js";
import { pairRanking } from "./table.js";
import { SimulationPanel } from "./simulation.js";
import { burstInWords, ttftName, ttftSection } from "./ttft.js";
import { certainty } from "./whiskers.js";

/** Bars are drawn for so many pairs. */
const DRAWN = 8;

/** How many prefill instances serve how many decode instances, by measured kernels. */
export function measuredPairsSection({ rows }, device, { request }, signal) {
  const [best] = rows;
  const slo = limitsOf(request);
  const drawn = { rows: rows.slice(0, DRAWN) };
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, t("common.p_d_ratio"), element("span", { class: "device" }, ` ${t("common.on", { a: device.device })}`)),
    best && ranking(rows),
    best && flagsExplained(rows),
    best &&
      element(
        "p",
        { class: "notice" },
        best.kv_transfer_ms === undefined
          ? t("pdsilicon.disaggregated_ttft_excludes_kv")
          : t("pdsilicon.disaggregated_ttft_excludes_router"),
      ),
    best && element("div", { class: "columns" }, certainty({ rows }, slo), ttftSection(best, slo)),
    best && new SimulationPanel({ rows }, device, request).node,
    best && element("div", { class: "columns" }, breakdownBars(drawn), memoryBars(drawn)),
    device.phases.map((phase) => chartPanel(t("pdsilicon.pairs"), chartsOf({ ...phase, rows }, slo), signal)),
    device.phases.filter((phase) => phase.rejected.length > 0).map(rejected),
    basisSection(device, request, hasBands(rows) ? request.band_coverage : undefined),
  );
}

function ranking(rows) {
  const caption = t("common.plans_by", { a: rankedBy(rows, t("pdsilicon.tokens_s_per_device")) });
  return pairRanking(caption, measuredPairColumns(rows), rows);
}

/** The best pair, or that there is none. */
export function measuredPairCard({ rows }, device, costs, ...notes) {
  const [best] = rows;
  return best
    ? hero(best, device, costs, notes)
    : noAnswerCard(t("common.no_pair_prefill_and"), [device], shortageOf(device.phases.flatMap(({ rejected: out }) => out)), notes);
}

function hero(best, device, costs, notes) {
  const prefill = t("common.prefill_instances_of_devices", { 1: plain(best.prefill_instances), 2: plain(best.num_devices_p) });
  const decode = t("common.decode_instances_of_devices", { 1: plain(best.decode_instances), 2: plain(best.num_devices_d) });
  return heroCard(
    [
      `${t("pdsilicon.for_concurrent_requests", { a: prefill, b: decode, 1: whole(best.concurrency) })} `,
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
      costs,
      onDevices(best),
      objectiveInWords(best.objective) && figure(t("common.ranked_by"), objectiveInWords(best.objective)),
      figure(t("pdsilicon.prefill_layout"), `${layout(best.parallel_p)}${sustained(best.prefill_sustained_requests_per_s)}`),
      figure(t("pdsilicon.decode_layout"), `${layout(best.parallel_d)}${sustained(best.decode_sustained_requests_per_s)}`),
    ],
    best,
    device,
    notes,
  );
}

/** Columns that show pairs of layouts. */
export function measuredPairColumns(rows) {
  return columnsOf("measured_pairs", rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}
