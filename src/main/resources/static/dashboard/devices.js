import { element } from "./dom.js";
import { figureCell, flagsCell, flagsExplained } from "./bands.js";
import { decimals, layout, whole } from "./format.js";
import { objectiveColumn } from "./objective.js";
import { haveCounts, pairCountColumns } from "./pdpairs.js";
import { pairColumns } from "./pdratio.js";
import { measuredPairColumns } from "./pdsilicon.js";
import { table } from "./table.js";
import { phaseName } from "./words.js";

const DEVICE = { title: "Device", text: (row) => row.device, className: "words" };

/** Devices against each other: their best rows per phase, then what each device reaches. */
export function crossHardware(result) {
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, "Devices compared"),
    result.cross_hardware.map((ranking) => rankingTable(ranking)),
    result.device_profiles && profiles(result.device_profiles),
  );
}

function rankingTable({ phase, rows }) {
  if (rows.length === 0) {
    return element("p", { class: "notice" }, `${phaseName(phase)}: no device keeps the limits.`);
  }
  const caption = `${phaseName(phase)}: each device at its best`;
  const columns = columnsOf(rows);
  return [
    table(caption, [columns[0], DEVICE, ...columns.slice(1)], rows, (row) => row.rank === 1),
    flagsExplained(rows),
  ];
}

function columnsOf(rows) {
  if (rows[0].parallel) {
    return rowColumns(rows);
  }
  if (rows[0].flags) {
    return measuredPairColumns(rows);
  }
  return haveCounts(rows) ? pairCountColumns(rows) : pairColumns(rows);
}

function rowColumns(rows) {
  const most = rows[0].tokens_per_s;
  const has = (member) => rows.some((row) => row[member] !== undefined);
  const digits = has("flags") ? 1 : 2;
  const columns = [
    { title: "Rank", text: (row) => row.rank },
    { title: "Devices", text: (row) => whole(row.num_devices) },
    objectiveColumn(rows),
    { title: "Tokens/s", text: (row) => figureCell(row, "tokens_per_s", digits) },
    !objectiveColumn(rows) && { title: "Of the best", text: (row) => `${decimals((100 * row.tokens_per_s) / most, 0)} %` },
    has("sustained_qps") && { title: "Sustained req/s", text: (row) => decimals(row.sustained_qps, 2) },
    has("ttft_ms") && { title: "TTFT (ms)", text: (row) => figureCell(row, "ttft_ms", digits) },
    has("tpot_ms") && { title: "TPOT (ms)", text: (row) => figureCell(row, "tpot_ms", digits) },
    { title: "Layout", text: (row) => layout(row.parallel), className: "words" },
    { title: "Batch", text: (row) => whole(row.batch_size) },
    { title: "Concurrency", text: (row) => whole(row.concurrency) },
    has("flags") && { title: "Less certain", text: flagsCell, className: "words" },
  ];
  return columns.filter(Boolean);
}

function profiles(figures) {
  return table(
    "What each device reaches: peaks times efficiencies",
    [
      DEVICE,
      { title: "Matrix units (TFLOPS)", text: (row) => decimals(row.matrix_tflops, 1) },
      { title: "General units (TFLOPS)", text: (row) => decimals(row.general_tflops, 1) },
      { title: "Memory (TB/s)", text: (row) => decimals(row.memory_tb_per_s, 3) },
      { title: "Memory (GB)", text: (row) => decimals(row.memory_gb, 1) },
      { title: "Grid", text: (row) => row.grid.join(" × "), className: "words" },
      {
        title: "Links (GB/s)",
        text: (row) => row.link_gb_per_s.map((rate) => decimals(rate, 1)).join(" | "),
        className: "words",
      },
    ],
    figures,
  );
}
