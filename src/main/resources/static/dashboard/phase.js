import { endsInWords, figureCell, figureInWords, flagsExplained, hasBands, isMeasuredRow } from "./bands.js";
import { basisSection } from "./basis.js";
import { bindsInWords } from "./binds.js";
import { breakdownBars, memoryBars } from "./bars.js";
import { beyondMeans } from "./beyondmeans.js";
import { figure, heroCard, noAnswerCard, shortageOf } from "./card.js";
import { chartPanel } from "./chartpanel.js";
import { columnsOf } from "./columns.js";
import { commandColumn } from "./commands.js";
import { chartsOf } from "./curves.js";
import { compositionSection } from "./composition.js";
import { element } from "./dom.js";
import { askButton, nearestPlans } from "./explanation.js";
import { decimals, layout, percent, plain, promised, whole } from "./format.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { table } from "./table.js";
import { isOfUsers, objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { heldOf, limitedName, limitedOf } from "./percentiles.js";
import { SimulationPanel } from "./simulation.js";
import { ttftSection } from "./ttft.js";
import { certainty } from "./whiskers.js";
import { bestInWords, latency, phaseName, reasonName } from "./words.js";

const NAMES = { ttft_ms: "TTFT", tpot_ms: "TPOT", e2e_latency_ms: t("common.e2e_latency") };

/** Bars are drawn for so many rows. */
const DRAWN = 20;

/** What the search of one phase on one kind of device found. */
export function phaseSection(phase, device, { result, request }, signal, commands) {
  const best = phase.rows[0];
  const simulation = best && isMeasuredRow(best) && new SimulationPanel(phase, device, request);
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, phaseName(phase.phase), element("span", { class: "device" }, ` ${t("common.on", { a: device.device })}`)),
    best ? hero(best, phase, request, device, signal) : nothingFeasible(phase, device, result, request),
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

function hero(best, phase, request, device, signal) {
  const words = bestInWords(best, limitsOf(request), isOfUsers(request) ? "" : bindsInWords(best, request));
  return heroCard(
    [
      words.lead,
      element("strong", {}, words.figure),
      isMeasuredRow(best) && ` ${endsInWords(best, "tokens_per_s", 0)}`,
      words.rest,
    ],
    [phase.instances && figure(t("common.deployment"), phase.instances), keyFigures(best, limitsOf(request))],
    best,
    device,
    beyondMeans(best, device, request, signal),
  );
}

function keyFigures(best, slo) {
  const ranked = objectiveInWords(best.objective);
  const onMeans = slo.percentile === undefined ? slo : {};
  return [
    ranked && figure(t("common.ranked_by"), ranked),
    figure(t("common.per_device"), t("common.tokens_s_count", { 1: decimals(best.tokens_per_s_per_device, 1) }), endsInWords(best, "tokens_per_s_per_device", 1)),
    best.ttft_ms !== undefined && latencyFigure("TTFT", best, "ttft_ms", 1, slo.ttft_basis === "settled" ? null : onMeans.ttft_ms),
    slo.ttft_basis === "settled" && latencyFigure(t("phase.steady_state_ttft"), best, "ttft_settled_ms", 1, onMeans.ttft_ms),
    best.tpot_ms !== undefined && latencyFigure("TPOT", best, "tpot_ms", isMeasuredRow(best) ? 1 : 2, onMeans.tpot_ms),
    best.e2e_latency_ms !== undefined && latencyFigure(t("common.e2e_latency"), best, "e2e_latency_ms", 1, onMeans.e2e_latency_ms),
    limitedOf(slo).map((member) => heldFigure(best, member, slo)),
    stepFigure(best),
    figure(t("common.concurrency"), whole(best.concurrency)),
    best.requests_per_s !== undefined && figure(t("common.requests"), t("common.per_second", { a: decimals(best.requests_per_s, 2) }), endsInWords(best, "requests_per_s", 2)),
    best.sustained_requests_per_s !== undefined && figure(t("phase.sustained"), t("common.requests_s_value", { a: decimals(best.sustained_requests_per_s, 2) }), t("phase.upper_bound_from_forward")),
  ];
}

function latencyFigure(name, row, member, digits, limit) {
  return figure(name, figureInWords(row, member, digits, "ms"), share(row[member], limit));
}

/** A decode step that drafts: what it yields, and where it is told from a token, what it takes. */
function stepFigure({ speculation, parallel, tpot_ms: tpot }) {
  const accepted = speculation?.acceptance_length ?? (tpot === undefined ? undefined : parallel.variant?.acceptance_length);
  return (
    accepted !== undefined &&
    figure(t("common.tokens_per_step"), String(accepted), speculation && t("phase.in_ms_it_for", { 1: decimals(speculation.step_ms, 1), 2: decimals(speculation.draft_ms, 1) }))
  );
}

/** A percentile against its limit. */
function heldFigure(row, member, slo) {
  const held = heldOf(row, member, slo);
  return held && latencyFigure(limitedName(NAMES[member], slo), held, member, 1, slo[member]);
}

function share(value, limit) {
  return typeof limit === "number" ? t("common.of_target", { a: percent((100 * value) / limit, 1) }) : null;
}

function nothingFeasible(phase, device, result, request) {
  const slo = limitsOf(request);
  const closest = closestMiss(phase.points, slo);
  const broken = closest && [
    closest.ttft_ms > slo.ttft_ms && latency("TTFT", closest.ttft_ms, slo.ttft_ms),
    closest.tpot_ms > slo.tpot_ms && latency("TPOT", closest.tpot_ms, slo.tpot_ms),
    closest.e2e_latency_ms > slo.e2e_latency_ms && latency(t("common.e2e_latency"), closest.e2e_latency_ms, slo.e2e_latency_ms),
  ];
  return noAnswerCard(
    t("common.no_layout_meets_targets"),
    [device],
    closest &&
      element(
        "p",
        {},
        `${t("phase.at_batch_size_nearest", { a: layout(closest.parallel), 1: whole(closest.batch_size) })} `,
        `${broken.filter(Boolean).join(", ")}.`,
      ),
    element("p", {}, t("phase.search_tried_layouts_table", { 1: plain(phase.rejected.length) })),
    shortageOf(phase.rejected),
    nearestPlans(result, device, phase.phase, (changes) => askButton(changes, request)),
  );
}

/** The probe that exceeds its limits by the smallest factor. Probes are means, which no percentile is told by. */
function closestMiss(points, slo) {
  if (slo.percentile !== undefined) {
    return undefined;
  }
  const excess = (point) => Math.max(...Object.keys(NAMES).map((member) => point[member] / slo[member] || 0));
  return points.filter((point) => excess(point) > 1).toSorted((left, right) => excess(left) - excess(right))[0];
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
