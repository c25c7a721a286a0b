import { figureCell, flagsExplained, hasBands, isMeasuredRow } from "./bands.js";
import { basisSection } from "./basis.js";
import { bindsInWords } from "./binds.js";
import { breakdownBars, memoryBars } from "./bars.js";
import { chartPanel } from "./chartpanel.js";
import { columnsOf } from "./columns.js";
import { commandColumn } from "./commands.js";
import { chartsOf } from "./curves.js";
import { compositionSection } from "./composition.js";
import { element } from "./dom.js";
import { layout, percent, promised, whole } from "./format.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { table } from "./table.js";
import { isOfUsers, objectiveColumn, rankedBy } from "./objective.js";
import { heldOf, limitedName, limitedOf } from "./percentiles.js";
import { SimulationPanel } from "./simulation.js";
import { ttftSection } from "./ttft.js";
import { certainty } from "./whiskers.js";
import { phaseName, reasonName } from "./words.js";

const NAMES = { ttft_ms: "TTFT", tpot_ms: "TPOT", e2e_latency_ms: t("common.e2e_latency") };

/** Bars are drawn for so many rows. */
const DRAWN = 20;

/** What the search of one phase on one kind of device found. */
export function phaseSection(phase, device, { request }, signal, commands) {
  const best = phase.rows[0];
  const simulation = best && isMeasuredRow(best) && new SimulationPanel(phase, device, request);
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, phaseName(phase.phase), element("span", { class: "device" }, ` ${t("common.on", { a: device.device })}`)),
    best && ranking(phase, device, request, simulation, commands),
    best && flagsExplained(phase.rows),
    best && !isOfUsers(request) && unranked(best, phase),
    best && isMeasuredRow(best) && element("div", { class: "columns" }, certainty(phase, limitsOf(request)), ttftSection(best, limitsOf(request))),
    simulation && simulation.node,
    chartPanel(phaseName(phase.phase), chartsOf(phase, limitsOf(request)), signal),
    best && bars(phase),
    best?.composition && compositionSection(phase),
    phase.rejected.length > 0 && rejected(phase),
    device.calibration && basisSection(device, request, hasBands(phase.rows) ? request.band_coverage : undefined),
  );
}

function bars(phase) {
  const drawn = { ...phase, rows: phase.rows.slice(0, DRAWN) };
  return [
    element("div", { class: "columns" }, breakdownBars(drawn), memoryBars(drawn)),
    phase.rows.length > DRAWN && element("p", { class: "hint" }, t("phase.bars_show_first_plans", { 1: DRAWN, 2: phase.rows.length })),
  ];
}

function ranking(phase, device, request, simulation, commands) {
  const slo = limitsOf(request);
  const ranked = objectiveColumn(phase.rows);
  const figures = columnsOf("rows", phase.rows, {
    objective: ranked,
    of_the_best: !simulation && !ranked && { title: t("common.vs_best"), text: (row) => percent((100 * row.tokens_per_s) / phase.rows[0].tokens_per_s, 0) },
    percentiles: limitedOf(slo).map((member) => ({
      title: `${limitedName(NAMES[member], slo)} (ms)`,
      text: (row) => figureCell(heldOf(row, member, slo) ?? {}, member, 1),
    })),
    load: simulation && { title: t("common.simulation"), text: (row) => simulation.buttonFor(row), className: "action" },
    limited_by: phase.rows[0].limited_by && !isOfUsers(request) && { title: t("common.limited_by"), text: (row) => bindsInWords(row, request), className: "words" },
  });
  // Of two phases a row of each is started together: the panel says which.
  const columns = device.phases.length === 1 && !device.pd_ratio ? [...figures, commandColumn(commands, () => device.device)] : figures;
  const caption = t("phase.layouts_by_each_at", { a: phaseName(phase.phase), b: rankedBy(phase.rows, t("phase.throughput")) });
  return table(caption, columns, phase.rows, (row) => row.rank === 1);
}

/** The batch search ranks only what it bisects: a probe before that can keep the limits, serve more, and yet have no row. */
function unranked(best, phase) {
  const better = phase.points
    .filter((point) => point.within_slo && point.tokens_per_s > best.tokens_per_s)
    .toSorted((left, right) => right.tokens_per_s - left.tokens_per_s)[0];
  return (
    better &&
    element(
      "p",
      { class: "notice" },
      `${t("phase.initial_probe_at_batch", { a: layout(better.parallel), 1: whole(better.batch_size) })} `,
      `${t("phase.tokens_s_but_this", { 1: promised(better.tokens_per_s) })} `,
      t("phase.strategy_exhaustive_ranks_all"),
    )
  );
}

/** The layouts of a phase that are out, and why. */
export function rejected(phase) {
  const columns = [
    { title: t("common.layout"), text: (candidate) => layout(candidate.parallel), className: "words" },
    { title: t("phase.rejected_because"), text: (candidate) => reasonName(candidate.reason), className: "words" },
    { title: t("phase.margin"), text: (candidate) => candidate.detail, className: "words" },
    { title: t("common.batch_size"), text: (candidate) => whole(candidate.batch_size) },
  ];
  return table(t("phase.rejected_layouts", { a: phaseName(phase.phase) }), columns, phase.rejected);
}
