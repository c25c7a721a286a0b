import { endsInWords, endsOf, rounded } from "./bands.js";
import { element } from "./dom.js";
import { gigabytes, percent, plain } from "./format.js";
import { t } from "./language.js";
import { heldOf, limitedName } from "./percentiles.js";
import { burstInWords, ttftName } from "./ttft.js";

const LATENCIES = [
  ["TTFT", "ttft_ms", "ttft"],
  ["TPOT", "tpot_ms", "tpot"],
  [t("common.e2e_latency"), "e2e_latency_ms", "e2e_latency"],
];

/** A bar for each limit of the best row: how much of it is used, and which one keeps the row from more requests. */
export function limitBars(row, slo) {
  const binds = row.limited_by ?? [];
  const bars = LATENCIES.map(([name, member, limit]) => latencyBar(row, slo, { name, member }, binds.includes(limit)));
  return element("ul", { class: "limit-bars", "aria-label": t("common.targets") }, bars, binds.includes("memory") && memoryBar(row));
}

function latencyBar(row, slo, { name, member }, binds) {
  const limit = slo[member];
  const held = typeof limit === "number" ? heldOf(row, member, slo) : undefined;
  const source = held ?? row;
  if (source[member] === undefined) {
    return null;
  }
  const isTtft = !held && member === "ttft_ms";
  const called = held ? limitedName(name, slo) : isTtft ? ttftName(row) : name;
  const ends = endsOf(source, member);
  const value = `${millis(source[member], ends)}${typeof limit === "number" ? t("limitbars.of", { 1: plain(limit) }) : ""} ms`;
  const beside = [endsInWords(source, member, 0), isTtft && burstInWords(row)].filter(Boolean).join(", ");
  return bar(called, value, beside, source[member] / limit, binds, ends && typeof limit === "number" && { low: ends.low / limit, high: ends.high / limit });
}

/** Weights and what is kept for requests, of the memory of a device. */
function memoryBar({ memory: { total_gb: total, available_gb: free } }) {
  if (free === undefined) {
    return null;
  }
  return bar(t("common.memory"), t("limitbars.of_value", { a: gigabytes(total - free), b: gigabytes(total) }), "", (total - free) / total, true);
}

/** Share of a track at which the limit is marked, so that a band has room beyond it. */
const LIMIT_AT = 72;

/**
 * @param {number} share of the limit, not a number without one
 * @param {{low: number, high: number}} [band] the same of the ends of the band
 */
function bar(name, value, ends, share, binds, band) {
  const limited = Number.isFinite(share);
  const at = (part) => Math.min(LIMIT_AT * (part || 0), 100);
  const filled = element("span", { class: "fill" });
  filled.style.width = `${limited ? at(share) : 0}%`;
  const spread = band && element("span", { class: "spread" });
  if (spread) {
    spread.style.left = `${at(band.low)}%`;
    spread.style.width = `${at(band.high ?? Infinity) - at(band.low)}%`;
  }
  return element(
    "li",
    { class: binds ? "binds" : null },
    element("span", { class: "limit-name" }, name),
    limited
      ? element("span", { class: "limit-track", role: "img", "aria-label": t("common.of_target", { a: percent(100 * share, 0) }) }, filled, spread, element("span", { class: "limit-mark" }))
      : element("span", { class: "limit-none" }, t("common.no_target")),
    element("span", { class: "limit-value" }, value, ends && element("small", {}, ` ${ends}`), binds && element("strong", {}, ` ${t("limitbars.bottleneck")}`)),
  );
}

function millis(value, ends) {
  return rounded(value, ends, value < 1000 ? 1 : 0);
}
