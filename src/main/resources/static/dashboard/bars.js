import { isMeasuredRow } from "./bands.js";
import { element } from "./dom.js";
import { decimals, gigabytes, percent, rowName, whole } from "./format.js";

const TIME_PARTS = [
  ["memory", "Memory bandwidth", "part-1"],
  ["communication", "Communication", "part-2"],
  ["compute_mma", "Matrix units", "part-3"],
  ["compute_gp", "General units", "part-4"],
];

const KERNEL_PARTS = [
  ["gemm", "Matrix products", "part-3"],
  ["attention", "Attention", "part-1"],
  ["experts", "Experts", "part-4"],
  ["communication", "Communication", "part-2"],
  ["elementwise", "Moves", "part-5"],
];

const MEMORY_PARTS = [
  ["weight_gb", "Weights", "part-1"],
  ["kv_cache_gb", "KV cache", "part-3"],
  ["activation_gb", "Activations", "part-2"],
  ["reserved_gb", "Reserved", "part-4"],
  ["available_gb", "Free", "part-free"],
];

const ENGINE_MEMORY_PARTS = [
  ["weight_gb", "Weights", "part-1"],
  ["kv_cache_gb", "KV cache", "part-3"],
  ["kept_gb", "Activations, graphs and reserve", "part-4"],
  ["available_gb", "Free for the KV cache", "part-free"],
];

/** Parts of the memory that the device shows; GiB. */
const LAW_PARTS = [
  ["weights", "Weights", "part-1"],
  ["activation_gib", "Activation", "part-2"],
  ["other_gib", "Other", "part-4"],
  ["graphs_gib", "Graphs", "part-5"],
  ["kv_pool_gib", "KV cache", "part-3"],
  ["unused", "Outside the share", "part-free"],
];

/** Narrower parts have no room for a label, even on a phone. */
const LABEL_FROM_PERCENT = 10;

/** Where the time of each layout goes: by what bounds its operators, or by the kind of its kernels. */
export function breakdownBars(phase) {
  const kinds = [
    ["breakdown", null],
    ["prefill_breakdown", "Prefill"],
    ["decode_breakdown", "Decode"],
  ].filter(([member]) => phase.rows.some((row) => row[member]));
  const parts = isMeasuredRow(phase.rows[0]) ? kernelParts(phase, kinds) : TIME_PARTS;
  return element(
    "section",
    { class: "card" },
    element("h3", {}, "Where the time goes, in percent"),
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
    element("h3", {}, `Where the memory goes, of ${gigabytes(phase.rows[0].memory.total_gb)} a device`),
    legend(parts),
    phase.rows.map((row) => memoryBar(row, parts)),
    phase.rows.some((row) => row.memory.adjusted) &&
      element(
        "p",
        { class: "hint" },
        "* Activations cut to a tenth, as the reference does when lengths differ and memory is short.",
      ),
    phase.rows.some((row) => row.memory.exact === false) &&
      element("p", { class: "hint" }, "† Activations are an estimate that is not proved equal to the reference."),
  );
}

/** Parts of the engine's memory: each row, and the requests that the KV cache of the first one holds. */
function lawBars(rows) {
  const [{ memory: best }] = rows;
  return element(
    "section",
    { class: "card" },
    element("h3", {}, `Where the memory goes, of ${decimals(best.seen_gib, 1)} GiB a device`),
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
    text: `${decimals(all[member], 2)} GiB`,
    short: decimals(all[member], 1),
    name,
    className,
  }));
  return bar(label, parts);
}

function cacheInWords({ kv_tokens_printed: tokens, kv_tokens_band: band }) {
  return `The KV cache of the best row has ${whole(tokens)} tokens (${whole(band.low)} to ${whole(band.high)}).`;
}

/** Requests that the KV cache holds, and that the low end of the memory band holds. */
function lowEndInWords({ requests_held: held, requests_held_low: low, request_tokens: tokens }) {
  return `It holds ${decimals(held, 1)} requests of ${whole(tokens)} tokens, ${decimals(Math.max(low, 0), 1)} at the low end of the memory band.`;
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
