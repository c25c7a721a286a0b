import { isMeasuredRow } from "./bands.js";
import { card, element } from "./dom.js";
import { decimals, gigabytes, percent, rowName, whole } from "./format.js";
import { t } from "./language.js";

/** Parts of bars, each with its colour. */
const TIME_PARTS = { memory: "part-1", communication: "part-2", compute_mma: "part-3", compute_gp: "part-4" };
const KERNEL_PARTS = { gemm: "part-3", attention: "part-1", experts: "part-4", communication: "part-2", elementwise: "part-5" };
const MEMORY_PARTS = { weight_gb: "part-1", kv_cache_gb: "part-3", activation_gb: "part-2", reserved_gb: "part-4", available_gb: "part-free" };
const ENGINE_MEMORY_PARTS = { weight_gb: "part-1", kv_cache_gb: "part-3", kept_gb: "part-4", free_for_cache_gb: "part-free" };

/** Parts of the memory that the device shows; GiB. */
const LAW_PARTS = { weights: "part-1", activation_gib: "part-2", other_gib: "part-4", graphs_gib: "part-5", kv_pool_gib: "part-3", unused: "part-free" };

/** Narrower parts have no room for a label, even on a phone. */
const LABEL_FROM_PERCENT = 10;

/** Where the time of each layout goes: by what bounds its operators, or by the kind of its kernels. */
export function breakdownBars({ rows }) {
  const kinds = ["breakdown", "prefill_breakdown", "decode_breakdown"].filter((kind) => rows.some((row) => row[kind]));
  // Without those that take no time anywhere, as experts of a dense model.
  const isUsed = ([member]) => rows.some((row) => kinds.some((kind) => row[kind][member] > 0));
  const parts = isMeasuredRow(rows[0]) ? Object.fromEntries(Object.entries(KERNEL_PARTS).filter(isUsed)) : TIME_PARTS;
  return card(
    t("bars.time_breakdown_percent"),
    legend(parts),
    kinds.map((kind) => [
      kind !== "breakdown" && element("h4", {}, t(`bar_part.${kind}`)),
      rows.map((row) => bar(rowName(row), partsOf(parts, row[kind], 100, percent, 0))),
    ]),
  );
}

/** Where each layout's device memory goes; a bar's whole width is the device's capacity. */
export function memoryBars({ rows }) {
  const [{ memory: best }] = rows;
  if (rows.every(({ memory }) => memory.seen_gib !== undefined)) {
    return card(
      t("bars.memory_breakdown_gib_per", { 1: decimals(best.seen_gib, 1) }),
      legend(LAW_PARTS),
      rows.map((row) => lawBar(rowName(row), row.memory)),
      element("p", { class: "hint" }, cacheInWords(best)),
    );
  }
  const parts = isMeasuredRow(rows[0]) ? ENGINE_MEMORY_PARTS : MEMORY_PARTS;
  return card(
    t("bars.memory_breakdown_per_device", { a: gigabytes(best.total_gb) }),
    legend(parts),
    rows.map((row) => memoryBar(row, parts)),
    rows.some((row) => row.memory.adjusted) && element("p", { class: "hint" }, t("bars.activations_reduced_tenth_as")),
    rows.some((row) => row.memory.exact === false) && element("p", { class: "hint" }, t("bars.activations_estimate_not_verified")),
  );
}

/** One rank that does not start, by the same parts. */
export function memoryParts(label, memory) {
  return [legend(LAW_PARTS), lawBar(label, memory)];
}

function lawBar(label, memory) {
  const weights = Object.values(memory.weights_gib).reduce((sum, part) => sum + part, 0);
  const taken = weights + memory.activation_gib + memory.other_gib + memory.graphs_gib + Math.max(memory.kv_pool_gib, 0);
  const all = { ...memory, weights, unused: Math.max(memory.seen_gib - taken, 0) };
  return bar(label, partsOf(LAW_PARTS, all, Math.max(memory.seen_gib, taken), gigabytes, 1).filter(({ share }) => share > 0));
}

/** Requests that the KV cache of the best plan holds, and that the low end of the memory band holds. */
function cacheInWords({ kv_tokens_printed: tokens, kv_tokens_band: band, requests_held: held, requests_held_low: low, request_tokens: each }) {
  return [
    `${t("bars.best_plans_kv_cache", { 1: whole(tokens), 2: whole(band.low), 3: whole(band.high) })} `,
    t("bars.it_holds_requests_tokens", { 1: whole(Math.floor(held)), 2: whole(each), 3: whole(Math.floor(Math.max(low, 0))) }),
  ];
}

/** What an engine keeps for itself is what weights and cache leave. */
function memoryBar({ memory, ...row }, kinds) {
  const { total_gb: total, weight_gb: weights, kv_cache_gb: cache, available_gb: free } = memory;
  const mark = (memory.adjusted ? "*" : "") + (memory.exact === false ? "†" : "");
  const all = { ...memory, kept_gb: total - weights - cache - free, free_for_cache_gb: free };
  return bar(rowName(row) + mark, partsOf(kinds, all, total, gigabytes, 1));
}

function partsOf(kinds, figures, total, textOf, digits) {
  return Object.entries(kinds).map(([member, className]) => ({
    share: (100 * Math.max(figures[member], 0)) / total,
    text: textOf(figures[member]),
    short: decimals(figures[member], digits),
    name: t(`bar_part.${member}`),
    className,
  }));
}

function bar(label, parts) {
  const spoken = parts.map(({ name, text }) => `${name} ${text}`).join(", ");
  return element(
    "div",
    { class: "bar-line" },
    element("span", { class: "bar-label", "aria-hidden": "true" }, label),
    element("div", { class: "bar", role: "img", "aria-label": `${label}: ${spoken}`, title: spoken }, parts.map(segment)),
  );
}

function segment({ share, short, className }) {
  const node = element("span", { class: className }, share >= LABEL_FROM_PERCENT ? short : "");
  node.style.width = `${share}%`;
  return node;
}

function legend(parts) {
  const keys = Object.entries(parts).map(([member, className]) => element("li", {}, element("i", { class: className }), t(`bar_part.${member}`)));
  return element("ul", { class: "legend", "aria-hidden": "true" }, keys);
}
