import { breakdownBars, memoryBars } from "./bars.js";
import { chartPanel } from "./chartpanel.js";
import { chartsOf } from "./curves.js";
import { compositionSection } from "./composition.js";
import { element } from "./dom.js";
import { decimals, layout, percent, promised, whole } from "./format.js";
import { table } from "./table.js";
import { limitOf } from "./limits.js";
import { bestInWords, counted, latency, phaseName, reasonName } from "./words.js";

/** What the search of one phase on one kind of device found. */
export function phaseSection(phase, device, request, signal) {
  const best = phase.rows[0];
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, phaseName(phase.phase), element("span", { class: "device" }, ` on ${device.device}`)),
    best ? hero(best, phase, request) : nothingFeasible(phase, request.slo ?? {}),
    best && ranking(phase, request),
    best && unranked(best, phase),
    chartPanel(phaseName(phase.phase), chartsOf(phase, request.slo ?? {}), signal),
    best && element("div", { class: "columns" }, breakdownBars(phase), memoryBars(phase)),
    best?.composition && compositionSection(phase),
    phase.rejected.length > 0 && rejected(phase),
  );
}

function hero(best, phase, request) {
  const words = bestInWords(best, request.slo ?? {}, limitOf(best, phase, request));
  return element(
    "div",
    { class: "card hero" },
    element("p", { class: "best-words" }, words.lead, element("strong", {}, words.figure), words.rest),
    element("dl", { class: "figures" }, keyFigures(best, request.slo ?? {})),
  );
}

function keyFigures(best, slo) {
  return [
    figure("Per device", `${decimals(best.tokens_per_s_per_device, 1)} tokens/s`),
    best.ttft_ms !== undefined && figure("TTFT", `${decimals(best.ttft_ms, 1)} ms`, share(best.ttft_ms, slo.ttft_ms)),
    best.tpot_ms !== undefined && figure("TPOT", `${decimals(best.tpot_ms, 2)} ms`, share(best.tpot_ms, slo.tpot_ms)),
    figure("Concurrency", whole(best.concurrency)),
    best.qps !== undefined && figure("Requests", `${decimals(best.qps, 2)} a second`),
  ];
}

function share(value, limit) {
  return typeof limit === "number" ? `${percent((100 * value) / limit, 1)} of the limit` : null;
}

function figure(name, value, remark) {
  return element("div", {}, element("dt", {}, name), element("dd", {}, value, remark && element("small", {}, remark)));
}

function nothingFeasible(phase, slo) {
  const closest = closestMiss(phase.points, slo);
  const broken = closest && [
    closest.ttft_ms > slo.ttft_ms && latency("TTFT", closest.ttft_ms, slo.ttft_ms),
    closest.tpot_ms > slo.tpot_ms && latency("TPOT", closest.tpot_ms, slo.tpot_ms),
  ];
  return element(
    "div",
    { class: "card hero none" },
    element("p", { class: "best-words" }, "No layout keeps the limits."),
    closest &&
      element(
        "p",
        {},
        `${layout(closest.parallel)} at batch ${whole(closest.batch_size)} comes closest: `,
        `${broken.filter(Boolean).join(", ")}.`,
      ),
    element("p", {}, `The search tried ${counted(phase.rejected.length, "layout")}; below is why each one is out.`),
  );
}

/** The probe that exceeds its limits by the smallest factor. */
function closestMiss(points, slo) {
  const excess = (point) => Math.max(point.ttft_ms / slo.ttft_ms || 0, point.tpot_ms / slo.tpot_ms || 0);
  return points.filter((point) => excess(point) > 1).toSorted((left, right) => excess(left) - excess(right))[0];
}

function ranking(phase, request) {
  const has = (member) => phase.rows.some((row) => row[member] !== undefined);
  const columns = [
    { title: "Rank", text: (row) => row.rank },
    { title: "Layout", text: (row) => layout(row.parallel), className: "words" },
    { title: "Tokens/s", text: (row) => decimals(row.tokens_per_s, 2) },
    { title: "Of the best", text: (row) => percent((100 * row.tokens_per_s) / phase.rows[0].tokens_per_s, 0) },
    { title: "Per device", text: (row) => decimals(row.tokens_per_s_per_device, 2) },
    has("qps") && { title: "Requests/s", text: (row) => decimals(row.qps, 2) },
    has("ttft_ms") && { title: "TTFT (ms)", text: (row) => decimals(row.ttft_ms, 2) },
    has("tpot_ms") && { title: "TPOT (ms)", text: (row) => decimals(row.tpot_ms, 2) },
    { title: "Batch", text: (row) => whole(row.batch_size) },
    { title: "Concurrency", text: (row) => whole(row.concurrency) },
    { title: "Limited by", text: (row) => limitOf(row, phase, request) || "–", className: "words" },
  ];
  const caption = `${phaseName(phase.phase)}: layouts by throughput, each at its best batch size`;
  return table(caption, columns.filter(Boolean), phase.rows, (row) => row.rank === 1);
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

function rejected(phase) {
  const columns = [
    { title: "Layout", text: (candidate) => layout(candidate.parallel), className: "words" },
    { title: "Why it lost", text: (candidate) => reasonName(candidate.reason), className: "words" },
    { title: "By how much", text: (candidate) => candidate.detail, className: "words" },
    { title: "At batch", text: (candidate) => whole(candidate.batch_size) },
  ];
  return table(`${phaseName(phase.phase)}: layouts that are out`, columns, phase.rejected);
}
