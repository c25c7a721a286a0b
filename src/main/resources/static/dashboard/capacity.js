import { saidPercentiles } from "./answer.js";
import { figure, heroCard, noAnswerCard } from "./card.js";
import { chartPanel, WHOLE_STEPS } from "./chartpanel.js";
import { learntSection } from "./compared.js";
import { contextSection } from "./contexts.js";
import { element, part } from "./dom.js";
import { decimals, layout, percent, plain, whole } from "./format.js";
import { t } from "./language.js";
import { measureOfDeployments } from "./measure.js";
import { costFigures, costOf, money } from "./money.js";
import { objectiveColumn, objectiveInWords } from "./objective.js";
import { transferInWords } from "./pairs.js";
import { burstInWords, ttftName } from "./phase.js";
import { table } from "./table.js";
import { limitsOf } from "./words.js";

const UNITS = [
  ["requests_per_s", t("common.requests_s"), undefined],
  ["tokens_per_s", t("common.output_tokens_s"), undefined],
  ["concurrency", t("common.concurrent_requests_inline"), WHOLE_STEPS],
  ["conversations", t("capacity.concurrent_conversations"), WHOLE_STEPS],
];

/** How few devices serve a demand: the best deployment, all of them, and what one instance of each size serves. */
export function capacitySection(job, signal) {
  const { result, request } = job;
  const { rows, instances, omitted: leftOut = [] } = result.capacity;
  return part(
    t("capacity.devices_for_the_demand"),
    null,
    rows.length > 0 && table(t("capacity.deployments_fewest_devices_first"), columns(rows, request), rows, (row) => row === rows[0]),
    leftOut.map(({ deployment, reason }) => element("p", { class: "hint" }, t("capacity.not_compared", { A: deployment, B: reason }))),
    result.devices.map((device) => learntSection(device, request, signal)),
    contextSection(null, job, signal),
    measureOfDeployments(rows, result, job, signal),
    chartPanel(t("common.devices"), [devicesOverDemand(result.capacity, request.demand)], signal),
    table(t("capacity.best_layout_each_instance"), instanceColumns(instances), instances),
  );
}

/** The best deployment; where none is within the devices that there are, what would be. */
export function capacityCard({ capacity: { rows, shortfalls = [] }, devices }, request, ways) {
  return [
    rows.length > 0 ? hero(rows[0], request, devices, ways?.redraw) : noAnswerCard(t("capacity.available_devices_cannot_serve"), devices),
    shortfalls.length > 0 && advice(shortfalls, request, ways?.offer),
  ];
}

function hero(best, request, devices, redraw) {
  const { headroom } = request;
  const [{ load }] = best.instances;
  return heroCard(
    [
      element("strong", {}, `${plain(best.num_devices)} × ${best.device}`),
      `: ${best.instances.map(groupInWords).join(` ${t("capacity.for")} `)}`,
      best.num_devices_unfavourable !== undefined &&
        t("capacity.devices_in_pessimistic_case", { 1: plain(best.num_devices_unfavourable) }),
    ],
    [
      figure(t("capacity.utilization"), percent(100 * best.utilization), headroom > 0 ? t("capacity.headroom", { 1: percent(100 * headroom, 0) }) : t("capacity.no_headroom")),
      figure(ttftName(load), t("common.ms", { 1: decimals(best.ttft_ms, 1) }), [ttftRemark(best), burstInWords(load)].filter(Boolean).join(", ")),
      figure("TPOT", t("common.ms", { 1: decimals(best.tpot_ms, 2) }), t("capacity.at_the_demand")),
      best.e2e_latency_ms !== undefined && figure(t("common.e2e_latency"), t("common.ms", { 1: decimals(best.e2e_latency_ms, 1) }), t("capacity.at_the_demand")),
      figure(t("capacity.max_request_rate"), t("common.requests_s_count", { 1: decimals(best.requests_per_s, 2) }), t("capacity.at_most", { 1: decimals(best.most_requests_per_s, 2) })),
      best.instances.map(groupFigure),
      costFigures({ [best.device]: best.num_devices }, undefined, request, redraw),
      objectiveInWords(best.objective) && figure(t("common.objective"), objectiveInWords(best.objective), t("capacity.among_plans_with_as")),
    ],
    best,
    devices.find(({ device }) => device === best.device),
    best.instances.map(lowEnd),
    saidPercentiles(best.percentiles, limitsOf(request)),
  );
}

/** Requests of an instance that memory limits, at the low end of the memory band. */
function lowEnd({ peak: { limited_by: binds = [], memory } }) {
  return (
    binds.includes("memory") &&
    memory?.requests_held_low !== undefined &&
    element("p", { class: "hint" }, t("capacity.in_pessimistic_case_kv", { 1: whole(Math.floor(Math.max(memory.requests_held_low, 0))) }))
  );
}

function ttftRemark(best) {
  return best.kv_transfer_ms === undefined ? t("capacity.at_the_demand") : t("capacity.at_the_demand_value", { a: transferInWords(best) });
}

function groupInWords({ phase, count, devices_per_instance: size }) {
  return t(`instances_of.${phase}`, { 1: plain(count), 2: plain(size) });
}

function groupFigure({ phase, load, peak, most_requests_per_s: most }) {
  return figure(
    t(`instance_of.${phase}`),
    t("common.batch_size_count", { a: layout(load.parallel), 1: whole(load.batch_size) }),
    t("capacity.at_most_batch_size", { 1: whole(peak.batch_size), 2: decimals(most, 2) }),
  );
}

function advice(shortfalls, { num_devices: count }, offer) {
  const more = ({ needed }) => typeof count === "number" && needed?.length > 0 && offer?.([{ lever: "device_count", pointer: "/num_devices", to: needed[0].num_devices, unit: "devices" }]);
  return element(
    "ul",
    { class: "advice" },
    shortfalls.flatMap((shortfall) => [shortfall.advice.map((sentence) => element("li", {}, sentence)), more(shortfall)]),
  );
}

/** Fewest devices over demand, a line for each kind of device and of deployment; the best deployment stands at its demand. */
function devicesOverDemand({ curve, best }, demand) {
  const [member, unit, steps] = UNITS.find(([name]) => demand[name] !== undefined);
  const series = new Map(curve.map((point) => [nameOf(point), []]));
  curve.forEach((point) => series.get(nameOf(point)).push({ x: point.demand, y: point.num_devices, withinSlo: true }));
  if (best) {
    series.set(nameOf(best), [...(series.get(nameOf(best)) ?? []), { x: demand[member], y: best.num_devices, withinSlo: true, best: true }]);
  }
  return {
    title: t("capacity.fewest_devices_by_demand"),
    kind: t("common.deployment"),
    note: t("capacity.ring_marks_best_deployment"),
    x: { name: t("common.demand"), label: t("capacity.demand", { a: unit }), steps, limit: null },
    y: { name: t("common.devices"), label: t("common.devices"), steps: WHOLE_STEPS, limit: null },
    series: [...series].map(([label, points]) => ({ label, points: points.toSorted((one, other) => one.x - other.x) })),
  };
}

function nameOf({ device, deployment }) {
  return `${device}, ${deployment}`;
}

function columns(rows, request) {
  const banded = rows.some((row) => row.num_devices_unfavourable !== undefined);
  const cost = (row) => costOf({ [row.device]: row.num_devices }, undefined, request);
  return [
    { title: t("common.rank"), text: (row) => row.rank },
    { title: t("common.devices"), text: (row) => whole(row.num_devices) },
    banded && { title: t("capacity.pessimistic"), text: (row) => whole(row.num_devices_unfavourable) },
    { title: t("common.device"), text: (row) => row.device, className: "words" },
    { title: t("common.instances"), text: (row) => each(row, ({ count, devices_per_instance: size }) => `${count} × ${size}`), className: "words" },
    { title: t("capacity.utilization"), text: (row) => percent(100 * row.utilization) },
    rows.some(cost) && { title: t("answer.cost_a_month"), text: (row) => cost(row) ? money(cost(row).month, request) : "–" },
    objectiveColumn(rows),
    { title: t("common.ttft_ms"), text: (row) => decimals(row.ttft_ms, 2) },
    rows.some((row) => row.kv_transfer_ms !== undefined) && {
      title: t("capacity.kv_transfer_ms"),
      text: (row) => decimals(row.kv_transfer_ms, 2),
    },
    { title: t("common.tpot_ms"), text: (row) => decimals(row.tpot_ms, 2) },
    rows.some((row) => row.e2e_latency_ms !== undefined) && {
      title: t("common.e2e_latency_ms"),
      text: (row) => decimals(row.e2e_latency_ms, 2),
    },
    { title: t("common.max_requests_s"), text: (row) => decimals(row.most_requests_per_s, 2) },
    { title: t("common.layout"), text: (row) => each(row, ({ load }) => layout(load.parallel)), className: "words" },
    { title: t("common.batch_size"), text: (row) => each(row, ({ load }) => whole(load.batch_size)) },
  ].filter(Boolean);
}

function each({ instances }, text) {
  return instances.map(text).join(" → ");
}

function instanceColumns(instances) {
  const hasTurns = instances.some(({ peak }) => peak?.open_conversations !== undefined);
  return [
    { title: t("common.device"), text: ({ device }) => device, className: "words" },
    { title: t("common.phase"), text: ({ phase }) => phase, className: "words" },
    { title: t("common.devices"), text: ({ devices_per_instance: size }) => whole(size) },
    { title: t("common.max_requests_s"), text: ({ peak }) => decimals(peak?.requests_per_s, 2) },
    hasTurns && { title: t("capacity.conversations"), text: ({ peak }) => decimals(peak?.open_conversations, 1) },
    { title: t("common.batch_size"), text: ({ peak }) => whole(peak?.batch_size) },
    { title: t("common.layout"), text: ({ parallel }) => (parallel ? layout(parallel) : "–"), className: "words" },
    { title: t("capacity.reason"), text: ({ rejected }) => rejected ?? "", className: "words" },
  ].filter(Boolean);
}
