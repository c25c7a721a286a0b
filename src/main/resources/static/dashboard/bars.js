import { element } from "./dom.js";
import { decimals, gigabytes, layout, percent } from "./format.js";

const TIME_PARTS = [
  ["memory", "Memory bandwidth", "part-1"],
  ["communication", "Communication", "part-2"],
  ["compute_mma", "Matrix units", "part-3"],
  ["compute_gp", "General units", "part-4"],
];

const MEMORY_PARTS = [
  ["weight_gb", "Weights", "part-1"],
  ["kv_cache_gb", "KV cache", "part-3"],
  ["activation_gb", "Activations", "part-2"],
  ["reserved_gb", "Reserved", "part-4"],
  ["available_gb", "Free", "part-free"],
];

/** Narrower parts have no room for a label, even on a phone. */
const LABEL_FROM_PERCENT = 10;

/** Where the time of each layout goes, by what bounds its operators. */
export function breakdownBars(phase) {
  const kinds = [
    ["breakdown", null],
    ["prefill_breakdown", "Prefill"],
    ["decode_breakdown", "Decode"],
  ].filter(([member]) => phase.rows.some((row) => row[member]));
  return element(
    "section",
    { class: "card" },
    element("h3", {}, "Where the time goes, in percent"),
    legend(TIME_PARTS),
    kinds.map(([member, title]) => [
      title && element("h4", {}, title),
      phase.rows.map((row) => timeBar(row, row[member])),
    ]),
  );
}

/** Where each layout's device memory goes; a bar's whole width is the device's capacity. */
export function memoryBars(phase) {
  return element(
    "section",
    { class: "card" },
    element("h3", {}, `Where the memory goes, of ${gigabytes(phase.rows[0].memory.total_gb)} a device`),
    legend(MEMORY_PARTS),
    phase.rows.map((row) => memoryBar(row)),
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

function timeBar(row, shares) {
  const parts = TIME_PARTS.map(([member, name, className]) => ({
    share: shares[member],
    text: percent(shares[member]),
    short: decimals(shares[member], 0),
    name,
    className,
  }));
  return bar(layout(row.parallel), parts);
}

function memoryBar(row) {
  const { memory } = row;
  const mark = (memory.adjusted ? "*" : "") + (memory.exact === false ? "†" : "");
  const parts = MEMORY_PARTS.map(([member, name, className]) => ({
    share: (100 * Math.max(memory[member], 0)) / memory.total_gb,
    text: gigabytes(memory[member]),
    short: decimals(memory[member], 1),
    name,
    className,
  }));
  return bar(layout(row.parallel) + mark, parts);
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
