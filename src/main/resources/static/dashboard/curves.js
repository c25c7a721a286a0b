import { endsOf } from "./bands.js";
import { layout } from "./format.js";
import { t } from "./language.js";

const NAMES = { tokens_per_s: t("common.throughput"), concurrency: t("common.concurrency"), ttft_ms: "TTFT", tpot_ms: "TPOT", e2e_latency_ms: t("common.e2e_latency") };
const UNITS = { tokens_per_s: "tokens/s", concurrency: t("curves.requests"), ttft_ms: "ms", tpot_ms: "ms", e2e_latency_ms: "ms" };

/** How many requests a row runs, as far as it says so. */
const LOADS = ["batch_size", "concurrency"];

/** What comes whole, as requests do, is counted in whole steps. */
export const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/** The charts that a phase's probes give: each latency against throughput and concurrency, as far as the phase has it. */
export function chartsOf(phase, slo) {
  const latencies = ["tpot_ms", "ttft_ms", "e2e_latency_ms"].filter((member) =>
    phase.points.some((point) => point[member] !== undefined),
  );
  const axes = [
    ["concurrency", "tokens_per_s"],
    ...latencies.map((latency) => [latency, "tokens_per_s"]),
    ...latencies.map((latency) => ["concurrency", latency]),
  ];
  const series = seriesOf(phase);
  return axes.map(([x, y]) => chart(x, y, series, slo));
}

/** One chart from labelled lists of probes; the `best` row of a series, if it has one, is marked. */
export function chart(x, y, series, slo) {
  return {
    title: t("curves.by", { a: NAMES[y], b: x === "concurrency" ? t("curves.concurrency") : NAMES[x] }),
    x: axis(x, slo),
    y: axis(y, slo),
    series: series.map(({ label, points, best }) => ({ label, points: drawable(points, x, y, best) })),
  };
}

function axis(member, slo) {
  const value = slo.percentile === undefined ? slo[member] : undefined;
  return {
    name: NAMES[member],
    isConcurrency: member === "concurrency",
    label: `${NAMES[member]} (${UNITS[member]})`,
    steps: member === "concurrency" ? WHOLE_STEPS : undefined,
    limit: typeof value === "number" ? { value, label: t("curves.target", { a: NAMES[member] }) } : null,
  };
}

function drawable(points, x, y, best) {
  return points
    .filter((point) => Number.isFinite(point[x]) && Number.isFinite(point[y]))
    .toSorted((left, right) => left[x] - right[x])
    .map((point) => ({
      x: point[x],
      y: point[y],
      ends: endsOf(point, y),
      batchSize: point.batch_size,
      concurrency: point.concurrency,
      withinSlo: point.within_slo,
      best: best !== undefined && labelOf(point) === labelOf(best) && LOADS.every((load) => best[load] === undefined || point[load] === best[load]),
    }));
}

/** What the series of a probe, or of a ranked row, is told from others by: a layout, or how many instances of two feed each other. */
function labelOf({ parallel, paired, parallel_p: prefill = paired?.prefill_parallel, parallel_d: decode = parallel, ...row }) {
  if (!prefill) {
    return parallel.label;
  }
  const { prefill_instances: prefills, decode_instances: decodes } = paired ?? row;
  return `${prefills} × ${layout(prefill)} : ${decodes} × ${layout(decode)}`;
}

/** Probes by layout or pair: the ranked ones first, in their order; the first row of all is the best. */
function seriesOf({ rows, points }) {
  const byLabel = new Map(rows.map((row) => [labelOf(row), []]));
  const names = new Map();
  for (const point of points) {
    const label = labelOf(point);
    names.set(label, point.paired ? label : layout(point.parallel));
    byLabel.set(label, [...(byLabel.get(label) ?? []), point]);
  }
  return [...byLabel]
    .filter(([, probes]) => probes.length > 0)
    .map(([label, probes]) => ({ label: names.get(label), points: probes, best: rows[0] }));
}
