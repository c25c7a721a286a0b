import { saidPercentiles } from "./beyondmeans.js";
import { figure, heroCard, noAnswerCard } from "./card.js";
import { chartPanel } from "./chartpanel.js";
import { commandsOfJob } from "./commands.js";
import { contextSection } from "./contexts.js";
import { WHOLE_STEPS } from "./curves.js";
import { element } from "./dom.js";
import { decimals, layout, percent, plain, whole } from "./format.js";
import { launchSection, startable } from "./launch.js";
import { learntSection } from "./learnt.js";
import { limitsOf } from "./limits.js";
import { measureOfDeployments } from "./measure.js";
import { objectiveColumn, objectiveInWords } from "./objective.js";
import { transferInWords } from "./pdpairs.js";
import { table } from "./table.js";
import { counted } from "./words.js";

const UNITS = [
  ["requests_per_s", "requests/s", undefined],
  ["tokens_per_s", "output tokens/s", undefined],
  ["concurrency", "requests at once", WHOLE_STEPS],
  ["conversations", "conversations at once", WHOLE_STEPS],
];

/** Of a year of 365 days, as clouds count. */
export const HOURS_A_MONTH = 730;

const PHASES = { aggregation: "Instance", prefill: "Prefill instance", decode: "Decode instance" };

/** How few devices serve a demand: the best deployment, all of them, and what one instance of each size serves. */
export function capacitySection(job, signal) {
  const { id, result, request } = job;
  const { rows, instances, omitted: leftOut = [] } = result.capacity;
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, "Devices for the demand"),
    capacityCard(result, request),
    rows.length > 0 && table("Deployments, fewest devices first", columns(rows), rows, (row) => row === rows[0]),
    leftOut.map(({ deployment, reason }) => element("p", { class: "hint" }, `Not compared: ${deployment}, ${reason}.`)),
    result.devices.map((device) => learntSection(device, request)),
    launchSection(startable(result), commandsOfJob(id, signal)),
    contextSection(null, job, signal),
    measureOfDeployments(rows, result, job, signal),
    chartPanel("Devices", [devicesOverDemand(result.capacity, request.demand)], signal),
    table("One instance of each size, in its best layout", instanceColumns(instances), instances),
  );
}

/** The best deployment; where none is within the devices that there are, what would be. */
export function capacityCard({ capacity: { rows, shortfalls = [] }, devices }, request) {
  return [
    rows.length > 0 ? hero(rows[0], request, devices) : noAnswerCard("The devices available do not serve the demand within the limits.", devices),
    shortfalls.length > 0 && advice(shortfalls),
  ];
}

function hero(best, request, devices) {
  const { headroom } = request;
  return heroCard(
    [
      element("strong", {}, `${plain(best.num_devices)} × ${best.device}`),
      `: ${best.instances.map(groupInWords).join(" for ")}`,
      best.num_devices_unfavourable !== undefined &&
        `; ${counted(best.num_devices_unfavourable, "device")} at the unfavourable end of the bands`,
    ],
    [
      figure("Utilization", percent(100 * best.utilization), headroom > 0 ? `${percent(100 * headroom, 0)} headroom planned` : "no headroom planned"),
      figure("TTFT", `${decimals(best.ttft_ms, 1)} ms`, ttftRemark(best)),
      figure("TPOT", `${decimals(best.tpot_ms, 2)} ms`, "at the demand"),
      best.e2e_latency_ms !== undefined && figure("Request latency", `${decimals(best.e2e_latency_ms, 1)} ms`, "at the demand"),
      figure("Serves", `${decimals(best.requests_per_s, 2)} requests/s`, `at most ${decimals(best.most_requests_per_s, 2)}`),
      best.instances.map(groupFigure),
      objectiveInWords(best.objective) && figure("Objective", objectiveInWords(best.objective), priceRemark(best)),
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
    element("p", { class: "hint" }, `At the low end of the memory band the KV cache holds ${whole(Math.floor(Math.max(memory.requests_held_low, 0)))} requests.`)
  );
}

function ttftRemark(best) {
  return best.kv_transfer_ms === undefined ? "at the demand" : `at the demand; ${transferInWords(best)}`;
}

function priceRemark({ cost_per_hour: cost }) {
  return cost === undefined ? "among equal numbers of devices" : `${decimals(cost, 2)} an hour, ${whole(HOURS_A_MONTH * cost)} a month for all devices`;
}

function groupInWords({ phase, count, devices_per_instance: size }) {
  const kind = phase === "aggregation" ? "instance" : `${phase} instance`;
  return `${counted(count, kind)} of ${counted(size, "device")}`;
}

function groupFigure({ phase, load, peak, most_requests_per_s: most }) {
  return figure(
    PHASES[phase],
    `${layout(load.parallel)}, batch ${whole(load.batch_size)}`,
    `at most batch ${whole(peak.batch_size)}, ${decimals(most, 2)} requests/s`,
  );
}

function advice(shortfalls) {
  return element(
    "ul",
    { class: "advice" },
    shortfalls.flatMap((shortfall) => shortfall.advice.map((sentence) => element("li", {}, sentence))),
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
    title: "Fewest devices over demand",
    kind: "Deployment",
    note: "The ring marks the best deployment at the demand. Fewest devices grow in steps: lines only join the points.",
    x: { name: "Demand", label: `Demand (${unit})`, steps, limit: null },
    y: { name: "Devices", label: "Devices", steps: WHOLE_STEPS, limit: null },
    series: [...series].map(([label, points]) => ({ label, points: points.toSorted((one, other) => one.x - other.x) })),
  };
}

function nameOf({ device, deployment }) {
  return `${device}, ${deployment}`;
}

function columns(rows) {
  const banded = rows.some((row) => row.num_devices_unfavourable !== undefined);
  const priced = rows.some((row) => row.cost_per_hour !== undefined);
  return [
    { title: "Rank", text: (row) => row.rank },
    { title: "Devices", text: (row) => whole(row.num_devices) },
    banded && { title: "At worst", text: (row) => whole(row.num_devices_unfavourable) },
    { title: "Device", text: (row) => row.device, className: "words" },
    { title: "Instances", text: (row) => each(row, ({ count, devices_per_instance: size }) => `${count} × ${size}`), className: "words" },
    { title: "Utilization", text: (row) => percent(100 * row.utilization) },
    priced && { title: "An hour", text: (row) => decimals(row.cost_per_hour, 2) },
    objectiveColumn(rows),
    { title: "TTFT (ms)", text: (row) => decimals(row.ttft_ms, 2) },
    rows.some((row) => row.kv_transfer_ms !== undefined) && {
      title: "KV transfer (ms)",
      text: (row) => decimals(row.kv_transfer_ms, 2),
    },
    { title: "TPOT (ms)", text: (row) => decimals(row.tpot_ms, 2) },
    rows.some((row) => row.e2e_latency_ms !== undefined) && {
      title: "Request latency (ms)",
      text: (row) => decimals(row.e2e_latency_ms, 2),
    },
    { title: "Most req/s", text: (row) => decimals(row.most_requests_per_s, 2) },
    { title: "Layout", text: (row) => each(row, ({ load }) => layout(load.parallel)), className: "words" },
    { title: "Batch", text: (row) => each(row, ({ load }) => whole(load.batch_size)) },
  ].filter(Boolean);
}

function each({ instances }, text) {
  return instances.map(text).join(" → ");
}

function instanceColumns(instances) {
  const hasTurns = instances.some(({ peak }) => peak?.open_conversations !== undefined);
  return [
    { title: "Device", text: ({ device }) => device, className: "words" },
    { title: "Does", text: ({ phase }) => phase, className: "words" },
    { title: "Devices", text: ({ devices_per_instance: size }) => whole(size) },
    { title: "Most req/s", text: ({ peak }) => decimals(peak?.requests_per_s, 2) },
    hasTurns && { title: "Conversations", text: ({ peak }) => decimals(peak?.open_conversations, 1) },
    { title: "Batch", text: ({ peak }) => whole(peak?.batch_size) },
    { title: "Layout", text: ({ parallel }) => (parallel ? layout(parallel) : "–"), className: "words" },
    { title: "Why not", text: ({ rejected }) => rejected ?? "", className: "words" },
  ].filter(Boolean);
}
