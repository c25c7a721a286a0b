import { ProblemError, simulate } from "./api.js";
import { isMeasuredRow } from "./bands.js";
import { element, fill, pause } from "./dom.js";
import { decimals, plain } from "./format.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { hasMixedLengths, obstacleOf, outstanding, simulationOf } from "./simulation.js";

/** Only who pauses that long is answered more than was asked. */
const PAUSE_MILLIS = 300;
const SECOND = 1000;

const FIGURES = [
  ["ttft_ms", "TTFT"],
  ["tpot_ms", "TPOT"],
  ["e2e_latency_ms", t("common.e2e_latency")],
];

/** What each row that is shown was found to do, so that it is simulated once. */
const simulated = new WeakMap();

/**
 * What one in twenty requests sees beyond the means of a row, simulated beside its answer; nothing where the limits are on a
 * percentile, or no simulation knows what was asked.
 *
 * @param {AbortSignal} signal ends it
 */
export function beyondMeans(row, device, request, signal) {
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
  try {
    if (!simulated.has(row)) {
      await pause(PAUSE_MILLIS, signal);
      simulated.set(row, await simulate(question, signal));
    }
    node.removeAttribute("aria-busy");
    fill(node, percentilesInWords(percentilesOf(simulated.get(row), row), slo));
  } catch (error) {
    if (error instanceof ProblemError) {
      node.remove(); // nobody asked for it: what is refused is not worth a word
    } else if (!signal.aborted) {
      throw error;
    }
  }
}

/** The simulation's own means can be below those of the row: its percentiles are never said to be. */
function percentilesOf(answer, row) {
  return { percentile: 95, ...Object.fromEntries(FIGURES.map(([member]) => [member, answer[member] && Math.max(answer[member].others[0].ms, row[member] ?? 0)])) };
}

/** Percentiles that the service says beside its figures; nothing where it does not. */
export function saidPercentiles(percentiles, slo) {
  return percentiles && element("p", { class: "beyond-means" }, percentilesInWords(percentiles, slo));
}

/** Percentiles, each that breaks its limit marked. */
function percentilesInWords({ percentile, ...figures }, slo) {
  const shown = FIGURES.filter(([member]) => figures[member] !== undefined && (member !== "e2e_latency_ms" || typeof slo[member] === "number"));
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
