import { LOCALE_OF_DATES, t } from "./language.js";

const LOCALE = "en-US";
const WHOLE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const EXACT = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 3 });

/** A number with the given count of decimals, or a dash for none. */
export function decimals(value, digits) {
  return value === null || value === undefined
    ? "–"
    : value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A count with separators, or a dash for none. */
export function whole(value) {
  return value === null || value === undefined ? "–" : WHOLE.format(value);
}

/** A throughput in words: cut, not rounded, so that it never promises more than was found. */
export function promised(tokensPerSecond) {
  return WHOLE.format(Math.floor(tokensPerSecond));
}

/** A number as it was given, with separators. */
export function plain(value) {
  return typeof value === "number" ? EXACT.format(value) : String(value);
}

/** A share in percent. */
export function percent(value, digits = 1) {
  return `${decimals(value, digits)}%`;
}

/** A size in GB of 2^30 bytes. */
export function gigabytes(value) {
  return t("common.gib", { 1: decimals(value, 2) });
}

/** A layout without the dimensions that are 1, and what else was chosen of several values: "TP=4, DP=2, MTP=1". */
export function layout(parallel) {
  const dimensions = ["tp", "pp", "dp", "ep", "moe_tp", "moe_dp", "dcp"].filter((size) => size === "tp" || parallel[size] > 1);
  const split = dimensions.map((size) => [size.toUpperCase().replace("_", "-"), parallel[size]]);
  const { num_mtp_tokens: drafts, max_batched_tokens: budget, linear, non_expert_linear: others, attention } = parallel.variant ?? {};
  const chosen = [
    ["MTP", drafts],
    [t("format.budget"), budget],
    [t("format.linear"), linear],
    [t("format.non_expert"), others],
    [t("format.kv"), attention],
  ].filter(([, value]) => value !== undefined);
  return [...split, ...chosen].map(([name, value]) => `${name}=${value}`).join(", ");
}

/** What a row is called in a chart: its layout, or its place where two layouts make it too long. */
export function rowName({ parallel, rank }) {
  return parallel ? layout(parallel) : t("format.pair", { 1: rank });
}

/** When something happened, in the reader's time zone. */
export function moment(instant) {
  return instant ? new Date(instant).toLocaleString(LOCALE_OF_DATES, { dateStyle: "medium", timeStyle: "medium" }) : "–";
}

/** How long something took. */
export function duration(from, to) {
  const millis = new Date(to) - new Date(from);
  return millis < 1000 ? t("common.ms", { 1: millis }) : `${decimals(millis / 1000, 1)} s`;
}
