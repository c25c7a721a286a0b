import { figure, heroCard } from "./card.js";
import { columnsOf } from "./columns.js";
import { element } from "./dom.js";
import { decimals, layout, whole } from "./format.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { onDevices, onDevicesColumns } from "./ondevices.js";
import { pairRanking } from "./table.js";
import { counted } from "./words.js";

/** Whether pairs stand in the whole numbers of instances that are best for them. */
export function haveCounts(rows) {
  return rows[0]?.requests_per_s_per_device !== undefined;
}

/** The best of such pairs, and all of them by rank. */
export function pairCounts({ rows, omitted_rows: leftOut }, device) {
  return [
    pairCountsCard(rows[0], device),
    ranking(rows),
    leftOut && element("p", { class: "hint" }, `${counted(leftOut, "worse pair")} not listed.`),
  ].filter(Boolean);
}

/** The best of such pairs. */
export function pairCountsCard(best, device) {
  const prefill = `${counted(best.prefill_instances, "prefill instance")} of ${best.num_devices_p} × ${best.device_p}`;
  const decode = `${counted(best.decode_instances, "decode instance")} of ${best.num_devices_d} × ${best.device_d}`;
  return heroCard(
    [
      `${prefill} for ${decode}: `,
      element("strong", {}, `${decimals(best.requests_per_s, 2)} requests/s`),
      ` on ${counted(best.devices_used, "device")}`,
    ],
    [
      figure("Per device", `${decimals(best.requests_per_s_per_device, 4)} requests/s`, `${decimals(best.tokens_per_s_per_device, 1)} tokens/s`),
      figure("TTFT", `${decimals(best.ttft_ms, 1)} ms`, transferInWords(best)),
      wholeAnswer(best),
      figure("Prefill instance", `${layout(best.parallel_p)}, batch ${whole(best.batch_size_p)}`, `${decimals(best.prefill_requests_per_s, 2)} requests/s${sustained(best.prefill_sustained_requests_per_s)}`),
      figure(
        "Decode instance",
        `${layout(best.parallel_d)}, batch ${whole(best.batch_size_d)}`,
        `${decimals(best.decode_requests_per_s, 2)} requests/s${sustained(best.decode_sustained_requests_per_s)}, TPOT ${decimals(best.tpot_ms, 2)} ms`,
      ),
      onDevices(best),
      objectiveInWords(best.objective) && figure("Ranked by", objectiveInWords(best.objective), "of all instances"),
    ],
    best,
    device,
  );
}

/** How long a whole answer takes, where a limit is on it. */
export function wholeAnswer({ e2e_latency_ms: millis }) {
  return millis !== undefined && figure("Request latency", `${decimals(millis, 1)} ms`);
}

/** What the passes of an instance leave time for, where it is known. */
export function sustained(rate) {
  return rate === undefined ? "" : `, ${decimals(rate, 2)} sustained`;
}

/** How much of the TTFT of a row is the transfer of the KV cache. */
export function transferInWords({ kv_transfer_ms: millis, kv_transfer_gb: size }) {
  return millis === undefined
    ? "without a transfer of the KV cache"
    : `${decimals(millis, 1)} ms of it for ${decimals(size, 3)} GB of KV cache`;
}

function ranking(rows) {
  const caption = `Pairs of layouts by ${rankedBy(rows, "balanced requests per second and device")}`;
  return pairRanking(caption, pairCountColumns(rows), rows);
}

/** Columns that show such pairs. */
export function pairCountColumns(rows) {
  return columnsOf("counts", rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}
