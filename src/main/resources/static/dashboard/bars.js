import { isMeasuredRow } from "./bands.js";
import { element } from "./dom.js";
import { decimals, gigabytes, percent, rowName, whole } from "./format.js";
import { t } from "./language.js";

const TIME_PARTS = [
  ["memory", t("common.memory_bandwidth"), "part-1"],
  ["communication", t("bars.communication"), "part-2"],
  ["compute_mma", t("bars.matrix_units"), "part-3"],
  ["compute_gp", t("bars.vector_units"), "part-4"],
];

const KERNEL_PARTS = [
  ["gemm", t("bars.matrix_multiplication"), "part-3"],
  ["attention", t("bars.attention"), "part-1"],
  ["experts", t("bars.experts"), "part-4"],
  ["communication", t("bars.communication"), "part-2"],
  ["elementwise", t("bars.elementwise"), "part-5"],
];

const MEMORY_PARTS = [
  ["weight_gb", t("bars.weights"), "part-1"],
  ["kv_cache_gb", t("common.kv_cache"), "part-3"],
  ["activation_gb", t("bars.activations"), "part-2"],
  ["reserved_gb", t("bars.reserved"), "part-4"],
  ["available_gb", t("common.free"), "part-free"],
];

const ENGINE_MEMORY_PARTS = [
  ["weight_gb", t("bars.weights"), "part-1"],
  ["kv_cache_gb", t("common.kv_cache"), "part-3"],
  ["kept_gb", t("bars.activations_graphs_and_reserve"), "part-4"],
  ["available_gb", t("bars.free_for_kv_cache"), "part-free"],
];

/** Parts of the memory that the device shows; GiB. */
const LAW_PARTS = [
  ["weights", t("bars.weights"), "part-1"],
  ["activation_gib", t("bars.activation"), "part-2"],
  ["other_gib", t("bars.other"), "part-4"],
  ["graphs_gib", t("bars.graphs"), "part-5"],
  ["kv_pool_gib", t("common.kv_cache"), "part-3"],
  ["unused", t("bars.outside_the_memory_share"), "part-free"],
];

/** Narrower parts have no room for a label, even on a phone. */
const LABEL_FROM_PERCENT = 10;

/** Where the time of each layout goes: by what bounds its operators, or by the kind of its kernels. */
export function breakdownBars(phase) {
  const kinds = [
    ["breakdown", null],
    ["prefill_breakdown", t("bars.prefill")],
    ["decode_breakdown", t("bars.decode")],
  ].filter(([member]) => phase.rows.some((row) => row[member]));
  const parts = isMeasuredRow(phase.rows[0]) ? kernelParts(phase, kinds) : TIME_PARTS;
  return element(
    "section",
    { class: "card" },
    element("h3", {}, t("bars.time_breakdown_percent")),
    legend(parts),
    kinds.map(([member, title]) => [
      title && element("h4", {}, title),
      phase.rows.map((row) => timeBar(row, row[member], parts)),
    ]),
  );
}

/** Without those that take no time anywhere, as experts of a dense model. */
function kernelParts(phase, kinds) {
  return KERNEL_PARTS.filter(([member]) => phase.rows.some((row) => kinds.some(([kind]) => row[kind][member] > 0)));
}

/** Where each layout's device memory goes; a bar's whole width is the device's capacity. */
export function memoryBars(phase) {
  if (phase.rows.every(({ memory }) => memory.seen_gib !== undefined)) {
    return lawBars(phase.rows);
  }
  const parts = isMeasuredRow(phase.rows[0]) ? ENGINE_MEMORY_PARTS : MEMORY_PARTS;
  return element(
    "section",
    { class: "card" },
    element("h3", {}, t("bars.memory_breakdown_per_device", { a: gigabytes(phase.rows[0].memory.total_gb) })),
    legend(parts),
    phase.rows.map((row) => memoryBar(row, parts)),
    phase.rows.some((row) => row.memory.adjusted) &&
      element(
        "p",
        { class: "hint" },
        t("bars.activations_reduced_tenth_as"),
      ),
    phase.rows.some((row) => row.memory.exact === false) &&
      element("p", { class: "hint" }, t("bars.activations_estimate_not_verified")),
  );
}

/** Parts of the engine's memory: each row, and the requests that the KV cache of the first one holds. */
function lawBars(rows) {
  const [{ memory: best }] = rows;
  return element(
    "section",
    { class: "card" },
    element("h3", {}, t("bars.memory_breakdown_gib_per", { 1: decimals(best.seen_gib, 1) })),
    legend(LAW_PARTS),
    rows.map((row) => lawBar(rowName(row), row.memory)),
    element("p", { class: "hint" }, cacheInWords(best), ` ${lowEndInWords(best)}`),
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
  const width = Math.max(memory.seen_gib, taken);
  const parts = LAW_PARTS.filter(([member]) => all[member] > 0).map(([member, name, className]) => ({
    share: (100 * all[member]) / width,
    text: t("common.gib", { 1: decimals(all[member], 2) }),
    short: decimals(all[member], 1),
    name,
    className,
  }));
  return bar(label, parts);
}

function cacheInWords({ kv_tokens_printed: tokens, kv_tokens_band: band }) {
  return t("bars.best_plans_kv_cache", { 1: whole(tokens), 2: whole(band.low), 3: whole(band.high) });
}

/** Requests that the KV cache holds, and that the low end of the memory band holds. */
function lowEndInWords({ requests_held: held, requests_held_low: low, request_tokens: tokens }) {
  return t("bars.it_holds_requests_tokens", { 1: decimals(held, 1), 2: whole(tokens), 3: decimals(Math.max(low, 0), 1) });
}

function timeBar(row, shares, kinds) {
  const parts = kinds.map(([member, name, className]) => ({
    share: shares[member],
    text: percent(shares[member]),
    short: decimals(shares[member], 0),
    name,
    className,
  }));
  return bar(rowName(row), parts);
}

function memoryBar(row, kinds) {
  const memory = isMeasuredRow(row) ? withRest(row.memory) : row.memory;
  const mark = (memory.adjusted ? "*" : "") + (memory.exact === false ? "†" : "");
  const parts = kinds.map(([member, name, className]) => ({
    share: (100 * Math.max(memory[member], 0)) / memory.total_gb,
    text: gigabytes(memory[member]),
    short: decimals(memory[member], 1),
    name,
    className,
  }));
  return bar(rowName(row) + mark, parts);
}

/** What an engine keeps for itself is what weights and cache leave. */
function withRest(memory) {
  const { total_gb: total, weight_gb: weights, kv_cache_gb: cache, available_gb: free } = memory;
  return { ...memory, kept_gb: total - weights - cache - free };
}

function bar(label, parts) {
  const spoken = parts.map(({ name, text }) => `${name} ${text}`).join(", ");
  return element(
    "div",
    { class: "bar-line" },
    element("span", { class: "bar-label", "aria-hidden": "true" }, label),
    element(
      "div",
      { class: "bar", role: "img", "aria-label": `${label}: ${spoken}`, title: spoken },
      parts.map(segment),
    ),
  );
}

function segment({ share, short, className }) {
  const node = element("span", { class: className }, share >= LABEL_FROM_PERCENT ? short : "");
  node.style.width = `${share}%`;
  return node;
}

function legend(parts) {
  return element(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    parts.map(([, name, className]) => element("li", {}, element("i", { class: className }), name)),
  );
}
