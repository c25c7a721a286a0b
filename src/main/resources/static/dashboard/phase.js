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
import { decimals, layout, percent, promised, whole } from "./format.js";
import { limitsOf } from "./limits.js";
import { table } from "./table.js";
import { isOfUsers, objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { heldOf, limitedName, limitedOf } from "./percentiles.js";
import { SimulationPanel } from "./simulation.js";
import { ttftSection } from "./ttft.js";
import { certainty } from "./whiskers.js";
import { bestInWords, counted, latency, phaseName, reasonName } from "./words.js";

const NAMES = { ttft_ms: "TTFT", tpot_ms: "TPOT", e2e_latency_ms: "Request latency" };

/** Bars are drawn for so many rows. */
const DRAWN = 20;

/** What the search of one phase on one kind of device found. */
export function phaseSection(phase, device, { result, request }, signal, commands) {
  const best = phase.rows[0];
  const simulation = best && isMeasuredRow(best) && new SimulationPanel(phase, device, request);
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, phaseName(phase.phase), element("span", { class: "device" }, ` on ${device.device}`)),
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
    phase.rows.length > DRAWN && element("p", { class: "hint" }, `Bars are those of the first ${DRAWN} of ${phase.rows.length} rows.`),
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
    [phase.instances && figure("Deployment", phase.instances), keyFigures(best, limitsOf(request))],
    best,
    device,
    beyondMeans(best, device, request, signal),
  );
}

function keyFigures(best, slo) {
  const ranked = objectiveInWords(best.objective);
  const onMeans = slo.percentile === undefined ? slo : {};
  return [
    ranked && figure("Ranked by", ranked),
    figure("Per device", `${decimals(best.tokens_per_s_per_device, 1)} tokens/s`, endsInWords(best, "tokens_per_s_per_device", 1)),
    best.ttft_ms !== undefined && latencyFigure("TTFT", best, "ttft_ms", 1, slo.ttft_basis === "settled" ? null : onMeans.ttft_ms),
    slo.ttft_basis === "settled" && latencyFigure("Settled TTFT", best, "ttft_settled_ms", 1, onMeans.ttft_ms),
    best.tpot_ms !== undefined && latencyFigure("TPOT", best, "tpot_ms", isMeasuredRow(best) ? 1 : 2, onMeans.tpot_ms),
    best.e2e_latency_ms !== undefined && latencyFigure("Request latency", best, "e2e_latency_ms", 1, onMeans.e2e_latency_ms),
    limitedOf(slo).map((member) => heldFigure(best, member, slo)),
    stepFigure(best),
    figure("Concurrency", whole(best.concurrency)),
    best.requests_per_s !== undefined && figure("Requests", `${decimals(best.requests_per_s, 2)} a second`, endsInWords(best, "requests_per_s", 2)),
    best.sustained_requests_per_s !== undefined && figure("Sustained", `${decimals(best.sustained_requests_per_s, 2)} requests a second`, "what the time of the passes suffices for"),
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
    figure("Tokens a step", String(accepted), speculation && `in ${decimals(speculation.step_ms, 1)} ms, of which drafts take ${decimals(speculation.draft_ms, 1)}`)
  );
}

/** A percentile against its limit. */
function heldFigure(row, member, slo) {
  const held = heldOf(row, member, slo);
  return held && latencyFigure(limitedName(NAMES[member], slo), held, member, 1, slo[member]);
}

function share(value, limit) {
  return typeof limit === "number" ? `${percent((100 * value) / limit, 1)} of the limit` : null;
}

function nothingFeasible(phase, device, result, request) {
  const slo = limitsOf(request);
  const closest = closestMiss(phase.points, slo);
  const broken = closest && [
    closest.ttft_ms > slo.ttft_ms && latency("TTFT", closest.ttft_ms, slo.ttft_ms),
    closest.tpot_ms > slo.tpot_ms && latency("TPOT", closest.tpot_ms, slo.tpot_ms),
    closest.e2e_latency_ms > slo.e2e_latency_ms && latency("request latency", closest.e2e_latency_ms, slo.e2e_latency_ms),
  ];
  return noAnswerCard(
    "No layout keeps the limits.",
    [device],
    closest &&
      element(
        "p",
        {},
        `${layout(closest.parallel)} at batch ${whole(closest.batch_size)} comes closest: `,
        `${broken.filter(Boolean).join(", ")}.`,
      ),
    element("p", {}, `The search tried ${counted(phase.rejected.length, "layout")}; below is why each one is out.`),
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
    of_the_best: !simulation && !ranked && { title: "Of the best", text: (row) => percent((100 * row.tokens_per_s) / phase.rows[0].tokens_per_s, 0) },
    percentiles: limitedOf(slo).map((member) => ({
      title: `${limitedName(NAMES[member], slo)} (ms)`,
      text: (row) => figureCell(heldOf(row, member, slo) ?? {}, member, 1),
    })),
    load: simulation && { title: "Load", text: (row) => simulation.buttonFor(row), className: "action" },
    limited_by: phase.rows[0].limited_by && !isOfUsers(request) && { title: "Limited by", text: (row) => bindsInWords(row, request), className: "words" },
  });
  // Of two phases a row of each is started together: the panel says which.
  const columns = device.phases.length === 1 && !device.pd_ratio ? [...figures, commandColumn(commands, () => device.device)] : figures;
  const caption = `${phaseName(phase.phase)}: layouts by ${rankedBy(phase.rows, "throughput")}, each at its best batch size`;
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
      `A first probe, ${layout(better.parallel)} at batch ${whole(better.batch_size)}, keeps the limits at `,
      `${promised(better.tokens_per_s)} tokens/s, but this search strategy ranks only the batch sizes after it. `,
      "The strategy “exhaustive” ranks them all.",
    )
  );
}

/** The layouts of a phase that are out, and why. */
export function rejected(phase) {
  const columns = [
    { title: "Layout", text: (candidate) => layout(candidate.parallel), className: "words" },
    { title: "Why it lost", text: (candidate) => reasonName(candidate.reason), className: "words" },
    { title: "By how much", text: (candidate) => candidate.detail, className: "words" },
    { title: "At batch", text: (candidate) => whole(candidate.batch_size) },
  ];
  return table(`${phaseName(phase.phase)}: layouts that are out`, columns, phase.rejected);
}
