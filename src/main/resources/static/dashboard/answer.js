import { assumed } from "./assumptions.js";
import { endsInWords, endsOf, isWide, rounded, spanInWords } from "./bands.js";
import { beyondMeans } from "./beyondmeans.js";
import { bindsInWords } from "./binds.js";
import { capacityCard } from "./capacity.js";
import { figure, noAnswerCard, shortageOf } from "./card.js";
import { element } from "./dom.js";
import { nearestPlans } from "./explanation.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { limitBars } from "./limitbars.js";
import { limitsOf } from "./limits.js";
import { costFigures } from "./money.js";
import { isOfUsers, objectiveInWords } from "./objective.js";
import { pairCard } from "./pdratio.js";
import { measuredPairCard } from "./pdsilicon.js";
import { bestDevice } from "./results.js";
import { warningList } from "./warnings.js";
import { devicesOf, devicesOfPair, latency, phaseName, reasonName, throughputOf } from "./words.js";

const LATENCIES = ["ttft_ms", "tpot_ms", "e2e_latency_ms"];

/** Limits whose bars say that they are reached. */
const LIMITS_WITH_BARS = ["ttft", "tpot", "memory"];

/** Layouts that are named where none keeps the limits. */
const LOSERS = 3;

/**
 * The answer as one reads it first: what to run, how its figures stand to the limits, what it assumes.
 *
 * @param {Object} [ways] for an answer that can be asked about: the `signal` that ends it, and `offer`, the button that takes changes
 */
export function answerCards({ result, request }, ways, device = result.capacity ? undefined : bestDevice(result)) {
  if (result.capacity) {
    return capacityCard(result, request, ways);
  }
  const asked = ([best], kind, aim) =>
    ways && (best ? beyondMeans(best, kind, request, ways.signal) : nearestPlans(result, kind, aim, ways.offer));
  return [
    device.pd_ratio
      ? pairsCard(device, request, ways?.redraw, asked(device.pd_ratio.rows, device, "pd_ratio"))
      : device.phases.map((phase) => phaseCard(phase, device, request, asked(phase.rows, device, phase.phase), ways)),
    result.devices.length > 1 && others(result, device),
  ];
}

function pairsCard(device, request, redraw, asked) {
  const [best] = device.pd_ratio.rows;
  const costs = best?.prefill_instances ? costFigures(devicesOfPair(best, device), best.tokens_per_s, request, redraw) : [];
  return (device.calibration ? measuredPairCard : pairCard)(device.pd_ratio, device, costs, asked);
}

function phaseCard(phase, device, request, asked, ways) {
  const [best] = phase.rows;
  return best
    ? bestCard(best, phase, device, request, asked, ways)
    : noAnswerCard(t("common.no_layout_meets_targets"), [device], nearestMiss(phase, limitsOf(request)), shortageOf(phase.rejected), losers(phase), asked);
}

function bestCard(best, phase, device, request, asked, ways) {
  const ranked = objectiveInWords(best.objective);
  const isShown = (best.limited_by ?? []).every((limit) => LIMITS_WITH_BARS.includes(limit));
  const binds = isOfUsers(request) || isShown ? "" : bindsInWords(best, request);
  const ends = endsOf(best, "tokens_per_s");
  return element(
    "div",
    { class: "card hero answer" },
    element("h3", {}, phase.phase === "aggregation" ? t("answer.best_of_layouts", { 1: plain(phase.rows.length), a: device.calibration ? t("answer.calibrated") : t("answer.roofline") }) : phaseName(phase.phase)),
    element("p", { class: "headline" }, element("strong", {}, ends ? rounded(best.tokens_per_s, ends, 0) : throughputOf(best)), ` ${t("common.tokens_s_inline")}`),
    ends && element("p", { class: "hint" }, best.tokens_per_s_band && !isWide(ends) ? t("answer.nine_of_ten_servers", { a: spanInWords(ends, 0) }) : endsInWords(best, "tokens_per_s", 0).slice(1, -1)),
    element("p", { class: "best-words" }, deployment(best, device)),
    element(
      "dl",
      { class: "figures" },
      best.requests_per_s !== undefined && figure(t("answer.requests_s"), rounded(best.requests_per_s, endsOf(best, "requests_per_s"), 2)),
      figure(t("common.tokens_s_per_device"), rounded(best.tokens_per_s_per_device, endsOf(best, "tokens_per_s_per_device"), 1)),
      costFigures({ [device.device]: device.num_devices ?? devicesOf(best.parallel) * (best.replicas ?? 1) }, best.tokens_per_s, request, ways?.redraw),
      stepFigure(best),
      best.sustained_requests_per_s !== undefined && !device.calibration && figure(t("phase.sustained"), t("common.requests_s_value", { a: decimals(best.sustained_requests_per_s, 2) }), t("phase.upper_bound_from_forward")),
      ranked && figure(t("common.ranked_by"), ranked),
      binds && figure(t("common.limited_by"), binds),
    ),
    limitBars(best, limitsOf(request)),
    asked,
    warningList(best),
    assumed(device),
  );
}

/** The probe that comes nearest to the targets, and what it misses. */
function nearestMiss({ points = [] }, slo) {
  const closest = closestMiss(points, slo);
  const broken = closest && [
    closest.ttft_ms > slo.ttft_ms && latency("TTFT", closest.ttft_ms, slo.ttft_ms),
    closest.tpot_ms > slo.tpot_ms && latency("TPOT", closest.tpot_ms, slo.tpot_ms),
    closest.e2e_latency_ms > slo.e2e_latency_ms && latency(t("common.e2e_latency"), closest.e2e_latency_ms, slo.e2e_latency_ms),
  ];
  return closest && element("p", {}, `${t("phase.at_batch_size_nearest", { a: layout(closest.parallel), 1: whole(closest.batch_size) })} `, `${broken.filter(Boolean).join(", ")}.`);
}

/** The probe that exceeds its limits by the smallest factor. Probes are means, which no percentile is told by. */
function closestMiss(points, slo) {
  if (slo.percentile !== undefined) {
    return undefined;
  }
  const excess = (point) => Math.max(...LATENCIES.map((member) => point[member] / slo[member] || 0));
  return points.filter((point) => excess(point) > 1).toSorted((left, right) => excess(left) - excess(right))[0];
}

/** A decode step that drafts: what it yields, and where it is told from a token, what it takes. */
function stepFigure({ speculation, parallel, tpot_ms: tpot }) {
  const accepted = speculation?.acceptance_length ?? (tpot === undefined ? undefined : parallel.variant?.acceptance_length);
  return (
    accepted !== undefined &&
    figure(t("common.tokens_per_step"), String(accepted), speculation && t("phase.in_ms_it_for", { 1: decimals(speculation.step_ms, 1), 2: decimals(speculation.draft_ms, 1) }))
  );
}

/** What to run: "Run 4 servers of 2 × H100_SXM (TP=2), at most 82 requests each". */
function deployment({ parallel, replicas = 1, concurrency }, device) {
  const each = replicas > 1 ? t("answer.each") : "";
  return [
    `${t("answer.run")} `,
    element("strong", {}, t("answer.instances_of", { 1: plain(replicas), 2: devicesOf(parallel), a: device.device })),
    t("answer.at_most_requests", { a: layout(parallel), 1: whole(Math.floor(concurrency / replicas)), b: each }),
  ];
}

/** Layouts that are out for other reasons than a memory that is told by part. */
function losers({ rejected: all }) {
  const rejected = all.filter(({ memory }) => !memory);
  return rejected.length > 0 && element(
    "ul",
    { class: "hint" },
    rejected.slice(0, LOSERS).map(({ parallel, reason, detail }) => element("li", {}, `${layout(parallel)}: ${reasonName(reason)}. ${detail}`)),
    rejected.length > LOSERS && element("li", {}, t("answer.other_layouts_also_rejected", { 1: plain(rejected.length - LOSERS) })),
  );
}

/** What the other kinds of device would serve, of what all are ranked by. */
function others({ cross_hardware: rankings = [], devices }, best) {
  const rows = rankings[0]?.rows ?? [];
  const behind = rows.filter(({ device }) => device !== best.device);
  const none = devices.filter(({ device }) => !rows.some((row) => row.device === device));
  const said = [
    ...behind.map((row) => (row.tokens_per_s === undefined ? row.device : t("answer.tokens_s", { a: row.device, 1: decimals(row.tokens_per_s, 0) }))),
    ...none.map(({ device }) => t("answer.no_feasible_plan", { a: device })),
  ];
  return said.length > 0 && element("p", { class: "hint" }, t("answer.other_devices", { A: said.join("; ") }));
}
