import { figure, heroCard, noAnswerCard } from "./card.js";
import { columnsOf } from "./columns.js";
import { element } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { onDevices, onDevicesColumns } from "./ondevices.js";
import { haveCounts, pairCounts, pairCountsCard, sustained, wholeAnswer } from "./pdpairs.js";
import { table } from "./table.js";

/** How many prefill instances serve how many decode instances. */
export function pdRatioSection(found, device) {
  const { rows } = found;
  const [best] = rows;
  if (haveCounts(rows)) {
    return element("section", { class: "phase" }, title(device), pairCounts(found));
  }
  return element(
    "section",
    { class: "phase" },
    title(device),
    best && table(t("common.plans_by", { a: rankedBy(rows, t("pdratio.balanced_requests_s")) }), pairColumns(rows), rows, (row) => row === best),
  );
}

/** The best pair; or that there is none, and what would be. */
export function pairCard({ rows }, device, costs, nearest) {
  const [best] = rows;
  if (!best) {
    return noAnswerCard(t("common.no_pair_prefill_and"), [device], nearest);
  }
  return haveCounts(rows) ? pairCountsCard(best, device, costs) : hero(best, device, costs);
}

function title(device) {
  return element("h2", {}, t("common.p_d_ratio"), element("span", { class: "device" }, ` ${t("common.on", { a: device.device })}`));
}

function hero(best, device, costs) {
  return heroCard(
    [
      ratioInWords(best),
      `${t("pdratio.one_pair_serves")} `,
      element("strong", {}, t("common.requests_s_count", { 1: decimals(best.balanced_requests_per_s, 2) })),
      best.prefill_requests_per_s !== best.decode_requests_per_s && t("pdratio.limited_by", { a: best.prefill_requests_per_s < best.decode_requests_per_s ? t("pdratio.prefill") : t("pdratio.decode") }),
    ],
    [
      figure(
        t("common.prefill_instance"),
        t("common.batch_size_count", { a: layout(best.parallel_p), 1: whole(best.batch_size_p) }),
        t("pdratio.requests_s_ttft_ms", { a: decimals(best.prefill_requests_per_s, 2), b: sustained(best.prefill_sustained_requests_per_s), c: decimals(best.ttft_ms, 1) }),
      ),
      figure(
        t("common.decode_instance"),
        t("common.batch_size_count", { a: layout(best.parallel_d), 1: whole(best.batch_size_d) }),
        t("common.requests_s_tpot_ms", { a: decimals(best.decode_requests_per_s, 2), b: sustained(best.decode_sustained_requests_per_s), c: decimals(best.tpot_ms, 2) }),
      ),
      wholeAnswer(best),
      costs,
      onDevices(best),
      figure(t("common.p_d"), decimals(best.pd_ratio, 2), t("pdratio.prefill_instances_per_decode")),
      objectiveInWords(best.objective) && figure(t("common.ranked_by"), objectiveInWords(best.objective), t("pdratio.for_instances_in_this")),
    ],
    best,
    device,
    !best.prefill_instances &&
      element(
        "p",
        { class: "hint" },
        t("pdratio.devices_cannot_hold_both", { 1: plain(device.num_devices) }),
      ),
  );
}

function ratioInWords(best) {
  if (!best.prefill_instances) {
    return t("pdratio.prefill_instances_for_each", { 1: decimals(best.pd_ratio, 2) });
  }
  const prefill = t("common.prefill_instances_of_devices", { 1: plain(best.prefill_instances), 2: plain(best.num_devices_p) });
  const decode = t("common.decode_instances_of_devices", { 1: plain(best.decode_instances), 2: plain(best.num_devices_d) });
  return t("pdratio.for", { a: prefill, b: decode });
}

/** Columns that show pairs of layouts. */
export function pairColumns(rows) {
  return columnsOf("ratios", rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}
