import { endsInWords, flagsCell, flagsExplained, isMeasuredRow } from "./bands.js";
import { job, ProblemError } from "./api.js";
import { bindsInWords } from "./binds.js";
import { chartPanel } from "./chartpanel.js";
import { figuresOf } from "./columns.js";
import { chart } from "./curves.js";
import { differences } from "./differences.js";
import { element, fill } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { sideBySide } from "./sides.js";
import { devicesOf, isCalibrated, phaseName } from "./words.js";

/** Shows finished jobs side by side; the first one is what the others are measured against. */
export async function showComparison(view, signal, ids) {
  document.title = `${t("comparison.comparison")} – throughput-optimizer`;
  fill(view, element("h1", {}, t("comparison.comparison")), element("p", { class: "loading" }, t("common.loading")));
  try {
    const loaded = await Promise.all(ids.split(",").map((id) => job(id, signal)));
    const finished = loaded.filter((state) => state.result);
    fill(
      view,
      element("h1", {}, t("comparison.comparison")),
      finished.length < 2
        ? element("p", { class: "notice" }, t("comparison.fewer_than_two_these"))
        : sides(finished, signal),
    );
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(view, element("h1", {}, t("comparison.comparison")), element("p", { class: "notice" }, error.message));
  }
}

function sides(states, signal) {
  const found = [phasesOf(states).map((phase) => phaseSide(phase, states, signal)), pdSide(states)];
  return ofOneCostModel(states) ? [differences(states), found] : [found, differences(states)];
}

/** Else nearly everything differs in how it was asked, and what was found goes first. */
function ofOneCostModel(states) {
  return new Set(states.map(({ request }) => isCalibrated(request))).size === 1;
}

function phasesOf(states) {
  return [...new Set(states.flatMap((state) => bests(state).map(({ phase }) => phase.phase)))];
}

/** Pairs by measured kernels are searched as a whole, and their phases are empty. */
function wasSearched({ rows, rejected }) {
  return rows.length > 0 || rejected.length > 0;
}

/** The phases of a job, each on the device that does best in it. */
function bests({ result }) {
  const byPhase = new Map();
  for (const device of result.devices) {
    for (const phase of device.phases.filter(wasSearched)) {
      const known = byPhase.get(phase.phase);
      if (!known || (phase.rows[0]?.tokens_per_s ?? 0) > (known.phase.rows[0]?.tokens_per_s ?? 0)) {
        byPhase.set(phase.phase, { device, phase });
      }
    }
  }
  return [...byPhase.values()];
}

function phaseSide(name, states, signal) {
  const found = states.map((state) => bests(state).find(({ phase }) => phase.phase === name));
  const rows = found.map((one) => one?.phase.rows[0]);
  const lines = [
    line(t("common.cost_model"), found, (_, row) => row && (isMeasuredRow(row) ? t("comparison.calibrated") : t("comparison.roofline"))),
    line(t("common.device"), found, ({ device }, row) => row && `${(row.replicas ?? 1) * devicesOf(row.parallel)} × ${device.device}`),
    line(t("common.layout"), found, (_, row) => (row ? layout(row.parallel) : t("common.no_feasible_plan"))),
    line(t("comparison.replicas"), found, (_, row) => row?.replicas && whole(row.replicas)),
    line(t("common.batch_size"), found, (_, row) => row && whole(row.batch_size)),
    line(t("common.concurrent_requests"), found, (_, row) => row && whole(row.concurrency)),
    ...figures(rows),
    line(t("comparison.uncertainty"), found, (_, row) => (row?.flags?.length > 0 ? flagsCell(row) : undefined)),
    line(t("common.limited_by"), found, (_, row, index) => row && (bindsInWords(row, states[index].request) || undefined)),
  ];
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, phaseName(name)),
    sideBySide(
      t("comparison.best_plans", { a: phaseName(name) }),
      states,
      lines.filter(({ cells }) => cells.some((cell) => cell !== "–")),
    ),
    flagsExplained(rows.filter(Boolean)),
    chartPanel(phaseName(name), overlaid(found, states), signal),
  );
}

function line(title, found, text) {
  return { title, cells: found.map((one, index) => (one && text(one, one.phase.rows[0], index)) ?? "–") };
}

function figures(rows) {
  return figuresOf("beside").map(({ title, member }) => ({ title, cells: measured(rows, member) }));
}

/** A figure of each row, and from the second on how it stands against the first. */
function measured(rows, member) {
  const first = rows[0]?.[member];
  return rows.map((row, index) => {
    const value = row?.[member];
    if (value === undefined) {
      return "–";
    }
    const change = (100 * (value - first)) / first;
    const against =
      index > 0 && first ? element("small", {}, ` ${change < 0 ? "−" : "+"}${decimals(Math.abs(change), 1)}%`) : null;
    const ends = endsInWords(row, member, 1);
    return [decimals(value, isMeasuredRow(row) ? 1 : 2), ends && element("small", {}, ends), against];
  });
}

/** The curve of each job's best layout, on the same axes. */
function overlaid(found, states) {
  const series = found
    .map((one, index) => ({
      one,
      label: `${index + 1}: ${one?.phase.rows[0] ? layout(one.phase.rows[0].parallel) : t("common.none")}`,
    }))
    .filter(({ one }) => one?.phase.rows[0])
    .map(({ one, label }) => ({ label, points: pointsOfBest(one.phase), best: one.phase.rows[0] }))
    .filter(({ points }) => points.length > 0);
  const slo = limitsOf(states[0].request);
  const latencies = ["tpot_ms", "ttft_ms", "e2e_latency_ms"].filter((member) =>
    series.some(({ points }) => points.some((point) => point[member] !== undefined)),
  );
  return ["concurrency", ...latencies].map((x) => chart(x, "tokens_per_s", series, sameLimits(states) ? slo : {}));
}

function pointsOfBest({ rows, points }) {
  return points.filter((point) => point.parallel.label === rows[0].parallel.label);
}

function sameLimits(states) {
  return new Set(states.map((state) => JSON.stringify(limitsOf(state.request)))).size === 1;
}

/** The best pair over all devices of a job. */
function bestPair({ devices }) {
  const pairs = devices.map((device) => device.pd_ratio?.rows[0]).filter(Boolean);
  const merit = (row) => row.balanced_requests_per_s ?? row.tokens_per_s_per_device;
  return pairs.toSorted((left, right) => merit(right) - merit(left))[0];
}

function instance(parallel, batchSize) {
  return batchSize === undefined ? layout(parallel) : t("common.batch_size_count", { a: layout(parallel), 1: plain(batchSize) });
}

/** What only pairs by measured kernels have: figures of all instances together. */
function measuredPairs(rows) {
  return rows.some((row) => row?.flags !== undefined) ? figures(rows) : [];
}

function pdSide(states) {
  const best = states.map(({ result }) => bestPair(result));
  if (!best.some(Boolean)) {
    return null;
  }
  const cell = (text) => best.map((row) => (row ? text(row) : "–"));
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, t("common.p_d_ratio")),
    sideBySide(t("comparison.best_disaggregated_plans"), states, [
      { title: t("common.p_d"), cells: cell((row) => decimals(row.pd_ratio, 2)) },
      { title: t("comparison.balanced_requests_s"), cells: measured(best, "balanced_requests_per_s") },
      {
        title: t("common.prefill_instance"),
        cells: cell((row) => instance(row.parallel_p, row.batch_size_p)),
      },
      { title: t("common.decode_instance"), cells: cell((row) => instance(row.parallel_d, row.batch_size_d)) },
      ...measuredPairs(best),
    ]),
    flagsExplained(best.filter(Boolean)),
  );
}
