import { figure, heroCard } from "./card.js";
import { columnsOf } from "./columns.js";
import { element } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { onDevices, onDevicesColumns } from "./ondevices.js";
import { pairRanking } from "./table.js";

/** Whether pairs stand in the whole numbers of instances that are best for them. */
export function haveCounts(rows) {
  return rows[0]?.requests_per_s_per_device !== undefined;
}

/** Such pairs by rank. */
export function pairCounts({ rows, omitted_rows: leftOut }) {
  return [
    ranking(rows),
    leftOut && element("p", { class: "hint" }, t("pdpairs.lower_ranked_plans_omitted", { 1: plain(leftOut) })),
  ].filter(Boolean);
}

/** The best of such pairs. */
export function pairCountsCard(best, device, costs) {
  const prefill = t("pdpairs.prefill_instances_of", { 1: plain(best.prefill_instances), 2: best.num_devices_p, a: best.device_p });
  const decode = t("pdpairs.decode_instances_of", { 1: plain(best.decode_instances), 2: best.num_devices_d, a: best.device_d });
  return heroCard(
    [
      `${t("pdpairs.for", { a: prefill, b: decode })} `,
      element("strong", {}, t("common.requests_s_count", { 1: decimals(best.requests_per_s, 2) })),
      ` ${t("pdpairs.on_devices", { 1: plain(best.devices_used) })}`,
    ],
    [
      figure(t("common.per_device"), t("common.requests_s_count", { 1: decimals(best.requests_per_s_per_device, 4) }), t("common.tokens_s_count", { 1: decimals(best.tokens_per_s_per_device, 1) })),
      figure("TTFT", t("common.ms", { 1: decimals(best.ttft_ms, 1) }), transferInWords(best)),
      wholeAnswer(best),
      costs,
      figure(t("common.prefill_instance"), t("common.batch_size_count", { a: layout(best.parallel_p), 1: whole(best.batch_size_p) }), t("pdpairs.requests_s", { a: decimals(best.prefill_requests_per_s, 2), b: sustained(best.prefill_sustained_requests_per_s) })),
      figure(
        t("common.decode_instance"),
        t("common.batch_size_count", { a: layout(best.parallel_d), 1: whole(best.batch_size_d) }),
        t("common.requests_s_tpot_ms", { a: decimals(best.decode_requests_per_s, 2), b: sustained(best.decode_sustained_requests_per_s), c: decimals(best.tpot_ms, 2) }),
      ),
      onDevices(best),
      objectiveInWords(best.objective) && figure(t("common.ranked_by"), objectiveInWords(best.objective), t("pdpairs.for_all_instances")),
    ],
    best,
    device,
  );
}

/** How long a whole answer takes, where a limit is on it. */
export function wholeAnswer({ e2e_latency_ms: millis }) {
  return millis !== undefined && figure(t("common.e2e_latency"), t("common.ms", { 1: decimals(millis, 1) }));
}

/** What the passes of an instance leave time for, where it is known. */
export function sustained(rate) {
  return rate === undefined ? "" : t("pdpairs.sustained", { 1: decimals(rate, 2) });
}

/** How much of the TTFT of a row is the transfer of the KV cache. */
export function transferInWords({ kv_transfer_ms: millis, kv_transfer_gb: size }) {
  return millis === undefined
    ? t("pdpairs.excludes_kv_transfer")
    : t("pdpairs.includes_ms_kv_transfer", { 1: decimals(millis, 1), 2: decimals(size, 3) });
}

function ranking(rows) {
  const caption = t("common.plans_by", { a: rankedBy(rows, t("pdpairs.balanced_requests_s_per")) });
  return pairRanking(caption, pairCountColumns(rows), rows);
}

/** Columns that show such pairs. */
export function pairCountColumns(rows) {
  return columnsOf("counts", rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}
