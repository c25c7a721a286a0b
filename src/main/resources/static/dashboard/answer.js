import { answerOf, ProblemError, simulate } from "./api.js";
import { endsInWords, endsOf, isMeasuredRow, isWide, rounded, spanInWords } from "./bands.js";
import { capacityCard } from "./capacity.js";
import { assumed, figure, noAnswerCard, shortageOf, warningList } from "./card.js";
import { element, fill, pause } from "./dom.js";
import { nearestPlans } from "./explanation.js";
import { decimals, gigabytes, layout, percent, plain, whole } from "./format.js";
import { t } from "./language.js";
import { costFigures } from "./money.js";
import { isOfUsers, objectiveInWords } from "./objective.js";
import { pairCard } from "./pairs.js";
import { burstInWords, ttftName } from "./phase.js";
import { bestDevice } from "./results.js";
import { hasMixedLengths, obstacleOf, outstanding, simulationOf } from "./simulation.js";
import { bindsInWords, devicesOf, devicesOfPair, heldOf, LATENCIES, latency, limitedName, limitsOf, phaseName, reasonName, throughputOf } from "./words.js";

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
      ? pairCard(device.pd_ratio, device, pairCosts(device, request, ways?.redraw), asked(device.pd_ratio.rows, device, "pd_ratio"))
      : device.phases.map((phase) => phaseCard(phase, device, request, asked(phase.rows, device, phase.phase), ways)),
    result.devices.length > 1 && others(result, device),
  ];
}

function pairCosts(device, request, redraw) {
  const [best] = device.pd_ratio.rows;
  return best?.prefill_instances ? costFigures(devicesOfPair(best, device), best.tokens_per_s, request, redraw) : [];
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
  const broken = Object.entries(LATENCIES).map(([member, name]) => closest?.[member] > slo[member] && latency(name, closest[member], slo[member]));
  return closest && element("p", {}, `${t("phase.at_batch_size_nearest", { a: layout(closest.parallel), 1: whole(closest.batch_size) })} `, `${broken.filter(Boolean).join(", ")}.`);
}

/** The probe that exceeds its limits by the smallest factor. Probes are means, which no percentile is told by. */
function closestMiss(points, slo) {
  if (slo.percentile !== undefined) {
    return undefined;
  }
  const excess = (point) => Math.max(...Object.keys(LATENCIES).map((member) => point[member] / slo[member] || 0));
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

/** A bar for each limit of the best row: how much of it is used, and which one keeps the row from more requests. */
function limitBars(row, slo) {
  const binds = row.limited_by ?? [];
  const bars = Object.entries(LATENCIES).map(([member, name]) => latencyBar(row, slo, { name, member }, binds.includes(member.replace(/_ms$/, ""))));
  return element("ul", { class: "limit-bars", "aria-label": t("common.targets") }, bars, binds.includes("memory") && memoryLimit(row));
}

function latencyBar(row, slo, { name, member }, binds) {
  const limit = slo[member];
  const held = typeof limit === "number" ? heldOf(row, member, slo) : undefined;
  const source = held ?? row;
  if (source[member] === undefined) {
    return null;
  }
  const isTtft = !held && member === "ttft_ms";
  const called = held ? limitedName(name, slo) : isTtft ? ttftName(row) : name;
  const ends = endsOf(source, member);
  const value = `${rounded(source[member], ends, source[member] < 1000 ? 1 : 0)}${typeof limit === "number" ? t("limitbars.of", { 1: plain(limit) }) : ""} ms`;
  const beside = [endsInWords(source, member, 0), isTtft && burstInWords(row)].filter(Boolean).join(", ");
  return bar(called, value, beside, source[member] / limit, binds, ends && typeof limit === "number" && { low: ends.low / limit, high: ends.high / limit });
}

/** Weights and KV cache in the memory of a device. */
function memoryLimit({ memory: { total_gb: total, available_gb: free } }) {
  if (free === undefined) {
    return null;
  }
  return bar(t("common.memory"), t("limitbars.of_value", { a: gigabytes(total - free), b: gigabytes(total) }), "", (total - free) / total, true);
}

/** Share of a track at which the limit is marked, so that a band has room beyond it. */
const LIMIT_AT = 72;

/**
 * @param {number} share of the limit, not a number without one
 * @param {{low: number, high: number}} [band] the same of the ends of the band
 */
function bar(name, value, ends, share, binds, band) {
  const limited = Number.isFinite(share);
  const at = (part) => Math.min(LIMIT_AT * (part || 0), 100);
  const filled = element("span", { class: "fill" });
  filled.style.width = `${limited ? at(share) : 0}%`;
  const spread = band && element("span", { class: "spread" });
  if (spread) {
    spread.style.left = `${at(band.low)}%`;
    spread.style.width = `${at(band.high ?? Infinity) - at(band.low)}%`;
  }
  return element(
    "li",
    { class: binds ? "binds" : null },
    element("span", { class: "limit-name" }, name),
    limited
      ? element("span", { class: "limit-track", role: "img", "aria-label": t("common.of_target", { a: percent(100 * share, 0) }) }, filled, spread, element("span", { class: "limit-mark" }))
      : element("span", { class: "limit-none" }, t("common.no_target")),
    element("span", { class: "limit-value" }, value, ends && element("small", {}, ` ${ends}`), binds && element("strong", {}, ` ${t("limitbars.bottleneck")}`)),
  );
}

/** Only who pauses that long is answered more than was asked. */
const PAUSE_MILLIS = 300;
const SECOND = 1000;

/** What each row that is shown was found to do, so that it is simulated once. */
const simulated = new WeakMap();

/**
 * Percentiles of a row by simulation, in addition to its means; nothing where the limits are on a
 * percentile, or no simulation knows what was asked.
 */
function beyondMeans(row, device, request, signal) {
  const slo = limitsOf(request);
  const isAsked = isMeasuredRow(row) && slo.percentile === undefined && request.traffic?.request_rate === undefined;
  if (!isAsked || obstacleOf(request)) {
    return null;
  }
  const node = element("p", { class: "beyond-means", "aria-busy": "true" }, t("beyondmeans.these_means_p95_being"));
  // Searches price the longest prompts of the built-in distribution, which are beyond most contexts, without being told.
  const question = { ...simulationOf(row, device, request, loadOf(row, request)), allow_beyond_context: true };
  show(node, row, question, slo, signal);
  return node;
}

/** As the search loads a row for percentiles: clients of equal requests are out of step. */
function loadOf(row, { slo, traffic, workload }) {
  const ratio = traffic?.random_range_ratio ?? 1;
  return {
    concurrency: outstanding(row),
    waves: traffic?.waves,
    ttft_basis: slo?.ttft_basis,
    random_range_ratio: ratio,
    ...(ratio === 1 && !hasMixedLengths(workload) ? { staggered: true } : {}),
  };
}

async function show(node, row, question, slo, signal) {
  const answer = simulated.get(row) ?? (await answerOf(pause(PAUSE_MILLIS, signal).then(() => simulate(question, signal))));
  if (answer instanceof ProblemError) {
    node.remove(); // the page asked, not the user: a refusal needs no message
  } else if (answer) {
    simulated.set(row, answer);
    node.removeAttribute("aria-busy");
    fill(node, percentilesInWords(percentilesOf(answer, row), slo));
  }
}

/** The simulation's own means can be below those of the row: its percentiles are never said to be. */
function percentilesOf(answer, row) {
  return { percentile: 95, ...Object.fromEntries(Object.keys(LATENCIES).map((member) => [member, answer[member] && Math.max(answer[member].others[0].ms, row[member] ?? 0)])) };
}

/** Percentiles that the service adds to its figures; nothing without them. */
export function saidPercentiles(percentiles, slo) {
  return percentiles && element("p", { class: "beyond-means" }, percentilesInWords(percentiles, slo));
}

/** Percentiles, each that breaks its limit marked. */
function percentilesInWords({ percentile, ...figures }, slo) {
  const shown = Object.entries(LATENCIES).filter(([member]) => figures[member] !== undefined && (member !== "e2e_latency_ms" || typeof slo[member] === "number"));
  return [
    slo.percentile === undefined && `${t("beyondmeans.these_are_means")} `,
    shown.map(([member, name], index) => {
      const millis = figures[member];
      const words = t("beyondmeans.p_is", { 1: plain(percentile), a: name, b: timeInWords(millis) });
      const figure = millis > slo[member] ? element("strong", {}, t("beyondmeans.above_target_ms", { a: words, 1: plain(slo[member]) })) : words;
      return index === 0 ? figure : [", ", figure];
    }),
    ".",
  ];
}

function timeInWords(millis) {
  return millis < SECOND ? t("common.ms", { 1: decimals(millis, 1) }) : `${decimals(millis / SECOND, 1)} s`;
}
