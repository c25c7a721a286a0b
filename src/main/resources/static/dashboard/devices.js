import { element } from "./dom.js";
import { flagsExplained } from "./bands.js";
import { columnsOf } from "./columns.js";
import { decimals } from "./format.js";
import { t } from "./language.js";
import { objectiveColumn } from "./objective.js";
import { haveCounts, pairCountColumns } from "./pdpairs.js";
import { pairColumns } from "./pdratio.js";
import { measuredPairColumns } from "./pdsilicon.js";
import { table } from "./table.js";
import { phaseName } from "./words.js";

const DEVICE = { title: t("common.device"), text: (row) => row.device, className: "words" };

/** Devices against each other: their best rows per phase, then what each device reaches. */
export function crossHardware(result) {
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, t("devices.device_comparison")),
    result.cross_hardware.map((ranking) => rankingTable(ranking)),
    result.device_profiles && profiles(result.device_profiles),
  );
}

function rankingTable({ phase, rows }) {
  if (rows.length === 0) {
    return element("p", { class: "notice" }, t("devices.no_device_meets_targets", { a: phaseName(phase) }));
  }
  const caption = t("devices.best_plan_per_device", { a: phaseName(phase) });
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
    of_the_best: !ranked && { title: t("common.vs_best"), text: (row) => `${decimals((100 * row.tokens_per_s) / most, 0)}%` },
  });
}

function profiles(figures) {
  return table(
    t("devices.effective_device_rates_peak"),
    [
      DEVICE,
      { title: t("devices.matrix_units_tflops"), text: (row) => decimals(row.matrix_tflops, 1) },
      { title: t("devices.vector_units_tflops"), text: (row) => decimals(row.general_tflops, 1) },
      { title: t("devices.memory_tb_s"), text: (row) => decimals(row.memory_tb_per_s, 3) },
      { title: t("devices.memory_gib"), text: (row) => decimals(row.memory_gb, 1) },
      { title: t("devices.topology"), text: (row) => row.grid.join(" × "), className: "words" },
      {
        title: t("devices.links_gb_s"),
        text: (row) => row.link_gb_per_s.map((rate) => decimals(rate, 1)).join(" | "),
        className: "words",
      },
    ],
    figures,
  );
}
