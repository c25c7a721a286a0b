import { job } from "./api.js";
import { endsInWords, flagsCell, flagsExplained, isMeasuredRow } from "./bands.js";
import { chart, chartPanel } from "./chartpanel.js";
import { figuresOf } from "./columns.js";
import { element, fill, part, scrolling } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { bindsInWords, devicesOf, isCalibrated, limitsOf, phaseName, termsOf, titleOf } from "./words.js";

/** Shows finished jobs side by side; the first one is what the others are measured against. */
export async function showComparison(view, signal, ids) {
  const loaded = await Promise.all(ids.split(",").map((id) => job(id, signal)));
  const finished = loaded.filter((state) => state.result);
  fill(
    view,
    element("h1", {}, t("comparison.comparison")),
    finished.length < 2 ? element("p", { class: "notice" }, t("comparison.fewer_than_two_these")) : sides(finished, signal),
  );
}

function sides(states, signal) {
  const found = [phasesOf(states).map((phase) => phaseSide(phase, states, signal)), pdSide(states)];
  // Of two cost models nearly everything differs in how it was asked, and what was found goes first.
  const isOfOneModel = new Set(states.map(({ request }) => isCalibrated(request))).size === 1;
  return isOfOneModel ? [differences(states), found] : [found, differences(states)];
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
  return part(
    phaseName(name),
    null,
    sideBySide(t("comparison.best_plans", { a: phaseName(name) }), states, lines.filter(({ cells }) => cells.some((cell) => cell !== "–"))),
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

function overlaid(found, states) {
  const series = found
    .map((one, index) => ({
      one,
      label: `${index + 1}: ${one?.phase.rows[0] ? layout(one.phase.rows[0].parallel) : t("common.none")}`,
    }))
    .filter(({ one }) => one?.phase.rows[0])
    .map(({ one, label }) => ({ label, points: one.phase.points.filter(({ parallel }) => parallel.label === one.phase.rows[0].parallel.label), best: one.phase.rows[0] }))
    .filter(({ points }) => points.length > 0);
  const slo = limitsOf(states[0].request);
  const isSame = new Set(states.map((state) => JSON.stringify(limitsOf(state.request)))).size === 1;
  const latencies = ["tpot_ms", "ttft_ms", "e2e_latency_ms"].filter((member) =>
    series.some(({ points }) => points.some((point) => point[member] !== undefined)),
  );
  return ["concurrency", ...latencies].map((x) => chart(x, "tokens_per_s", series, isSame ? slo : {}));
}

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
  return part(
    t("common.p_d_ratio"),
    null,
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

/**
 * A table with a column a job.
 *
 * @param {{title: *, cells: Array}[]} lines
 * @param {boolean} [withTerms] whether the jobs' terms stand below their titles
 */
function sideBySide(caption, states, lines, withTerms = false) {
  const head = states.map((state, index) =>
    element(
      "th",
      { scope: "col" },
      `${index + 1}: `,
      element("a", { href: `#/jobs/${state.id}` }, titleOf(state.request)),
      withTerms && element("small", {}, termsOf(state.request)),
    ),
  );
  const rows = lines.map(({ title, cells }) => element("tr", {}, element("th", { scope: "row" }, title), cells.map((cell) => element("td", {}, cell))));
  return scrolling("table sides", caption, element("span", {}, caption), [element("td", {}), head], rows);
}

/** What was asked: the members in which the requests differ. */
function differences(states) {
  const flat = states.map((state) => flattened(state.request));
  const members = [...new Set(flat.flatMap((request) => [...request.keys()]))];
  const differing = members.filter((member) => new Set(flat.map((request) => request.get(member))).size > 1);
  const lines = differing.map((member) => ({
    title: element("code", {}, breakable(member)),
    cells: flat.map((request) => element("span", { translate: "no" }, request.get(member) ?? "–")),
  }));
  const same = { title: t("common.all_settings"), cells: states.map(() => t("differences.the_same")) };
  return sideBySide(t("common.requests"), states, lines.length > 0 ? lines : [same], true);
}

function flattened(value, name = "", target = new Map()) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    Object.entries(value).forEach(([member, inner]) =>
      flattened(inner, name === "" ? member : `${name}.${member}`, target),
    );
  } else {
    target.set(name, asked(value));
  }
  return target;
}

function asked(value) {
  const simple = Array.isArray(value) && value.length > 0 && value.every((inner) => typeof inner !== "object");
  return simple ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value);
}

/** A member's name that may break after each of its words. */
function breakable(name) {
  return name.split(/(?<=[._])/).map((word) => [word, element("wbr")]);
}
