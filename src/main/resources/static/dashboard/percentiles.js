import { decimals, plain } from "./format.js";
import { t } from "./language.js";

/** Whose limit it is: "TTFT", or with a limit on a percentile "TTFT p95". */
export function limitedName(name, { percentile }) {
  return percentile === undefined ? name : `${name} p${plain(percentile)}`;
}

/** Behind limits: " for 95 of 100 requests"; empty where they are on means. */
export function shareInWords(percentile) {
  return percentile === undefined ? "" : t("percentiles.for_of_100_requests", { 1: plain(percentile) });
}

/**
 * What the limit of a row's figure is held against, with its ends, under the names by which figures of a row are found: what its
 * simulation showed, where limits are on a percentile. Nothing where they are on means, or the row was not simulated.
 *
 * @param {string} member `ttft_ms`, `tpot_ms` or `e2e_latency_ms`
 */
export function heldOf(row, member, { percentile }) {
  const other = percentile === undefined ? undefined : row.simulation?.[member]?.others.find((one) => one.percentile === percentile);
  return other && { flags: row.flags, [member]: other.ms, [`${member}_band`]: other.ms_band, [`${member}_range`]: other.ms_range };
}

/** The figures that have a limit on a percentile. */
export function limitedOf(slo) {
  return ["ttft_ms", "tpot_ms", "e2e_latency_ms"].filter((member) => slo.percentile !== undefined && typeof slo[member] === "number");
}

/** The mean of the law, beside a percentile that the limit is held against. */
export function meanInWords(value) {
  return t("percentiles.mean_ms", { 1: decimals(value, value < 1000 ? 1 : 0) });
}
