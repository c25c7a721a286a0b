import { endsInWords } from "./bands.js";
import { element } from "./dom.js";
import { decimals, gigabytes, percent, plain } from "./format.js";
import { t } from "./language.js";
import { heldOf, limitedName } from "./percentiles.js";

const LATENCIES = [
  ["TTFT", "ttft_ms", "ttft"],
  ["TPOT", "tpot_ms", "tpot"],
];

/** A bar for each limit of the best row: how much of it is used, and which one keeps the row from more requests. */
export function limitBars(row, slo) {
  const binds = row.limited_by ?? [];
  const bars = LATENCIES.map(([name, member, limit]) => latencyBar(row, slo, { name, member }, binds.includes(limit)));
  return element("ul", { class: "limit-bars", "aria-label": t("common.targets") }, bars, binds.includes("memory") && memoryBar(row));
}

function latencyBar(row, slo, { name, member }, binds) {
  const limit = slo[member];
  const settled = member === "ttft_ms" && slo.ttft_basis === "settled";
  const shown = settled ? "ttft_settled_ms" : member;
  const held = typeof limit === "number" ? heldOf(row, member, slo) : undefined;
  const [source, figure] = held ? [held, member] : [row, shown];
  if (source[figure] === undefined) {
    return null;
  }
  const called = held ? limitedName(name, slo) : settled ? t("common.steady_state_ttft") : name;
  const value = `${millis(source[figure])}${typeof limit === "number" ? t("limitbars.of", { 1: plain(limit) }) : ""} ms`;
  return bar(called, value, endsInWords(source, figure, 0), source[figure] / limit, binds);
}

/** Weights and what is kept for requests, of the memory of a device. */
function memoryBar({ memory: { total_gb: total, available_gb: free } }) {
  if (free === undefined) {
    return null;
  }
  return bar(t("common.memory"), t("limitbars.of_value", { a: gigabytes(total - free), b: gigabytes(total) }), "", (total - free) / total, true);
}

/** @param {number} share of the limit, not a number without one */
function bar(name, value, ends, share, binds) {
  const limited = Number.isFinite(share);
  const filled = element("span", { class: "fill" });
  filled.style.width = `${limited ? Math.min(100 * share, 100) : 0}%`;
  return element(
    "li",
    { class: binds ? "binds" : null },
    element("span", { class: "limit-name" }, name),
    limited
      ? element("span", { class: "limit-track", role: "img", "aria-label": t("common.of_target", { a: percent(100 * share, 0) }) }, filled)
      : element("span", { class: "limit-none" }, t("common.no_target")),
    element("span", { class: "limit-value" }, value, ends && element("small", {}, ` ${ends}`), binds && element("strong", {}, ` ${t("limitbars.bottleneck")}`)),
  );
}

function millis(value) {
  return decimals(value, value < 1000 ? 1 : 0);
}
