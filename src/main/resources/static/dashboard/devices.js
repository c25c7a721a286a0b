import { element } from "./dom.js";
import { flagsExplained } from "./bands.js";
import { columnsOf } from "./columns.js";
import { decimals } from "./format.js";
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
  const columns = rankedColumns(rows);
  return [
    table(caption, [columns[0], DEVICE, ...columns.slice(1)], rows, (row) => row.rank === 1),
    flagsExplained(rows),
  ];
}

function rankedColumns(rows) {
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
  const ranked = objectiveColumn(rows);
  return columnsOf("devices", rows, {
    objective: ranked,
    of_the_best: !ranked && { title: "Of the best", text: (row) => `${decimals((100 * row.tokens_per_s) / most, 0)} %` },
  });
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
