import { isMeasuredRow } from "./bands.js";
import { strategyNamed } from "./catalogue.js";
import { limitedName } from "./percentiles.js";
import { PEAK } from "./words.js";

/**
 * What keeps a row's layout from serving more, as far as the probes of the search tell: the limits that the next batch size
 * breaks, memory, the batch range, or that more requests at once serve no more tokens. Empty where they do not tell.
 */
export function limitOf(row, phase, request) {
  if (isMeasuredRow(row) && phase.points.length === 0) {
    return "";
  }
  const above = phase.points.filter(
    (point) => point.parallel.label === row.parallel.label && point.batch_size > row.batch_size,
  );
  const next = above.find((point) => point.batch_size === row.batch_size + 1);
  if (next && !next.within_slo) {
    return request.slo?.percentile === undefined ? brokenLimits(next, request).join(" and ") : percentileLimits(request.slo);
  }
  if (above.some((point) => point.within_slo)) {
    return above.every((point) => point.tokens_per_s <= row.tokens_per_s) ? PEAK : "";
  }
  if (row.batch_size === lastBatchSize(request.search ?? {})) {
    return "the batch range";
  }
  return !isMeasuredRow(row) && triesNextBatchSize(request.search ?? {}) ? "memory" : "";
}

/**
 * Limits that a probe breaks. Figures are rounded, so that one just above its limit can look equal to it; a transfer of caches
 * takes its part of the limit on TTFT.
 */
function brokenLimits(point, { slo = {}, pd_ratio: ratio }) {
  const limited = [
    ["TPOT", point.tpot_ms, slo.tpot_ms],
    slo.ttft_basis === "settled" ? ["TTFT", point.ttft_settled_ms, slo.ttft_ms] : ["TTFT", point.ttft_ms, slo.ttft_ms],
  ].filter(([, value, limitMs]) => typeof value === "number" && typeof limitMs === "number");
  const broken = limited.filter(([, value, limitMs]) => value > limitMs);
  const reached = limited.filter(([, value, limitMs]) => value === limitMs);
  const named = (broken.length > 0 ? broken : reached).map(([name]) => name);
  return named.length === 0 && ratio?.kv_transfer ? ["TTFT with the KV transfer"] : named;
}

/** Probes have means alone: which of two limits on a percentile one breaks they do not tell. */
function percentileLimits(slo) {
  return [
    ["TTFT", slo.ttft_ms],
    ["TPOT", slo.tpot_ms],
  ]
    .filter(([, limitMs]) => typeof limitMs === "number")
    .map(([name]) => limitedName(name, slo))
    .join(" or ");
}

function lastBatchSize({ batch_range: range, strategy }) {
  return range?.at(-1) ?? strategyNamed(strategy).largest_batch_size;
}

/**
 * Whether the search has surely tried the batch size after the largest one within the limits, which is then no probe for one
 * reason only: it did not fit in memory. Extrapolation may stop before.
 */
function triesNextBatchSize({ batch_range: range, strategy }) {
  return Boolean(range) || strategyNamed(strategy).tries_next_batch_size;
}
