import { decimals, layout } from "./format.js";
import { t } from "./language.js";

/** Whether a row is of prefill instances that feed decode instances. */
export function isPair(row) {
  return row.parallel_d !== undefined;
}

/** What is simulated of a row, for a list of them. */
export function nameOf(row) {
  return isPair(row)
    ? `${row.prefill_instances} × ${layout(row.parallel_p)} : ${row.decode_instances} × ${layout(row.parallel_d)}`
    : layout(row.parallel);
}

/** Of a layout what a request says. */
export function sizesOf({ tp, dp, ep }) {
  return { tp, dp, ep };
}

/** The instances of a row, as simulations take them. */
export function pairOf(row, request) {
  return {
    prefill: { parallel: sizesOf(row.parallel_p), instances: row.prefill_instances },
    decode: { parallel: sizesOf(row.parallel_d), instances: row.decode_instances, device: row.device_d },
    kv_transfer: request.pd_ratio?.kv_transfer,
  };
}

/** What both sides did. */
export function sidesInWords({ prefill, decode }) {
  return (
    `${t("simulatedpair.prefill_ranks_busy_percent", { 1: decimals(100 * prefill.busy, 0), 2: decimals(prefill.wait_ms, 0) })} ` +
    t("simulatedpair.decode_ranks_busy_percent", { 1: decimals(100 * decode.busy, 0), 2: decimals(decode.running, 1) })
  );
}
