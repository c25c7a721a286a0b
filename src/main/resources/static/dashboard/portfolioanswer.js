import { figure } from "./card.js";
import { element } from "./dom.js";
import { decimals, percent, plain, whole } from "./format.js";
import { hourBars } from "./hourbars.js";
import { table } from "./table.js";
import { counted } from "./words.js";

const BINDS = {
  demand: "its largest demand",
  min_replicas: "its least replicas",
  stock: "the stock",
  limits: "its limits: no instance keeps them",
};

/** The plan of a portfolio: who gets what, what it costs, what is free, and what can be switched off by hour. */
export function portfolioAnswer(request, answer) {
  return [hero(request, answer), services(answer), without(answer.services), stock(request, answer), hours(request, answer)];
}

function hero(request, answer) {
  const { outcome, cost_per_day: cost, running_cost_per_day: running, gap, effort } = answer;
  const money = request.stock.some(({ price_per_hour: price }) => price !== undefined) ? "" : " device hours";
  return element(
    "div",
    { class: `card hero${outcome === "served" ? "" : " none"}` },
    element("p", { class: "best-words" }, wordsOf(request, answer)),
    element(
      "dl",
      { class: "figures" },
      figure("Cost of a day", `${decimals(cost, 2)}${money}`),
      figure("Of what runs", `${decimals(running, 2)}${money}`, cost > running && `${decimals(cost - running, 2)} can be switched off`),
      figure("Devices", whole(sum(answer.stock.map(({ used }) => used))), `${whole(sum(answer.stock.map(({ free }) => free)))} free`),
      figure("Proof", proof(gap, outcome), `${counted(effort.candidates, "kind")} of instances`),
      figure("Took", `${decimals(effort.search_s + effort.solver_s, 1)} s`, `${decimals(effort.search_s, 1)} s of it to find instances`),
    ),
    answer.enough?.length > 0 && element("p", {}, `All would be served with ${answer.enough.map(({ device, devices }) => `${plain(devices)} more ${device}`).join(" and ")}.`),
  );
}

function wordsOf(request, { outcome, stock: kinds, weighted_served: served }) {
  if (outcome === "replicas_missing") {
    return "The stock does not hold the replicas that must run.";
  }
  if (outcome === "short") {
    const weights = sum(request.services.map(({ weight = 1 }) => weight));
    return ["The stock does not suffice: ", element("strong", {}, percent((100 * served) / weights)), " of the demand is served, by priority."];
  }
  const used = kinds.filter((kind) => kind.used > 0).map((kind) => `${plain(kind.used)} × ${kind.device}`);
  return ["All demand is served with ", element("strong", {}, used.join(" and ") || "nothing"), "."];
}

function proof(gap, outcome) {
  const better = outcome === "served" ? "cheaper" : "more served";
  return gap === 0 ? "none is better" : gap < 1e-4 ? `less than 0.01 % ${better}` : `at most ${percent(100 * gap, 2)} ${better}`;
}

function services(answer) {
  const lines = answer.services.flatMap((service) => (service.units.length > 0 ? service.units.map((unit) => ({ service, unit })) : [{ service }]));
  const ofUnit = (words) => ({ unit }) => (unit ? words(unit) : "–");
  const counts = lines.some(({ unit }) => unit?.concurrency !== undefined);
  return table(
    "Who gets what",
    [
      { title: "Service", text: ({ service }) => service.name, className: "words" },
      { title: "Served", text: ({ service }) => percent(100 * service.served_share) },
      { title: "Bound by", text: ({ service }) => BINDS[service.limited_by], className: "words" },
      { title: "Device", text: ofUnit(({ device }) => device), className: "words" },
      { title: "Devices", text: ofUnit((unit) => whole(unit.num_devices)) },
      { title: "Instances", text: ofUnit(instancesOf), className: "words" },
      { title: "Each serves (requests/s)", text: ofUnit((unit) => decimals(unit.requests_per_s, 3)) },
      counts && { title: "Each serves at once", text: ofUnit((unit) => whole(unit.concurrency)) },
      { title: "TTFT (ms)", text: ofUnit((unit) => decimals(unit.ttft_ms, 1)) },
      { title: "TPOT (ms)", text: ofUnit((unit) => decimals(unit.tpot_ms, 2)) },
    ].filter(Boolean),
    lines,
  );
}

/** "3 × TP=4, DP=2", or of prefill and decode apart "2 × (3 × TP=2 → 1 × TP=4)". */
function instancesOf({ count, instances }) {
  const parts = instances.map((one) => (instances.length > 1 ? `${plain(one.count)} × ${split(one.parallel)}` : split(one.parallel)));
  return `${plain(count)} × ${instances.length > 1 ? `(${parts.join(" → ")})` : parts[0]}`;
}

/** A layout without what it does not split: "TP=4 | PP=1 | DP=2" is "TP=4, DP=2". */
function split(parallel) {
  return parallel
    .split(" | ")
    .filter((part, place) => place === 0 || !part.endsWith("=1"))
    .join(", ");
}

/** Why services have no instances. */
function without(planned) {
  return planned
    .filter(({ no_instances: none }) => none)
    .map(({ name, no_instances: none }) =>
      element(
        "details",
        { class: "card" },
        element("summary", {}, `Why ${name} has no instance`),
        element("ul", {}, none.map(({ device, devices_per_instance: size, reason }) => element("li", {}, `${counted(size, "device")} of ${device}: ${reason}`))),
      ),
    );
}

function stock(request, answer) {
  const missing = answer.stock.some((kind) => kind.missing_alone);
  return table(
    "The stock",
    [
      { title: "Device", text: ({ device }) => device, className: "words" },
      { title: "There are", text: ({ count }) => whole(count) },
      { title: "Used", text: ({ used }) => whole(used) },
      { title: "Free", text: ({ free }) => whole(free) },
      { title: "One more is worth", text: ({ one_more: more }) => worth(more), className: "words" },
      missing && { title: "Missing, if of this kind alone", text: ({ missing_alone: alone }) => missingOf(alone), className: "words" },
    ].filter(Boolean),
    answer.stock,
  );
}

function worth({ devices, saved_per_day: saved, gained, proven }) {
  const parts = [saved > 0 && `${decimals(saved, 2)} less a day`, gained > 0 && `${decimals(gained, 3)} more served by weight`].filter(Boolean);
  const words = parts.length > 0 ? `${proven ? "" : "at least "}${parts.join(", ")}` : proven ? "nothing" : "nothing that was found in time";
  return devices === 1 ? words : `${words} (a node of ${plain(devices)})`;
}

function missingOf(alone) {
  if (!alone) {
    return "–";
  }
  if (alone.devices === undefined) {
    return alone.proven ? "no number would do" : "not known in time";
  }
  return `${alone.proven ? "" : "at most "}${whole(alone.devices)}`;
}

function hours(request, answer) {
  const devices = (hour, kind) => hour.devices[kind];
  const kinds = answer.stock.map((kind, place) => ({ ...kind, place })).filter(({ used }) => used > 0);
  return element(
    "section",
    { class: "card" },
    element("h3", {}, "By hour"),
    element(
      "ul",
      { class: "legend", "aria-hidden": "true" },
      element("li", {}, element("i", { class: "part-1" }), "runs, or is served"),
      element("li", {}, element("i", { class: "part-free" }), "can be switched off, or is not served"),
    ),
    element(
      "div",
      { class: "hour-grid" },
      kinds.map(({ device, place }) =>
        hourBars(device, answer.hours.map((hour) => ({ lower: devices(hour, place).running, upper: devices(hour, place).off })), { lower: "run", upper: "can be off" }),
      ),
      answer.services.map(({ name }, place) =>
        hourBars(
          `Demand of ${name}`,
          answer.hours.map(({ services: all }) => all[place]).map(({ demand, served_share: share }) => ({ lower: demand * share, upper: demand * (1 - share) })),
          { lower: "served", upper: "not served" },
        ),
      ),
    ),
    element("details", {}, element("summary", {}, "The figures of each hour"), byHour(answer, kinds)),
  );
}

function byHour({ hours: all, services: planned }, kinds) {
  return table(
    "Devices that run and that can be off, and demand that is served",
    [
      { title: "Hour", text: ({ hour }) => `${hour}:00` },
      ...kinds.flatMap(({ device, place }) => [
        { title: `${device} on`, text: ({ devices }) => whole(devices[place].running) },
        { title: `${device} off`, text: ({ devices }) => whole(devices[place].off) },
      ]),
      ...planned.map(({ name }, place) => ({ title: `${name} served`, text: ({ services: each }) => percent(100 * each[place].served_share) })),
    ],
    all,
    () => false,
    all.length,
  );
}

function sum(figures) {
  return figures.reduce((total, one) => total + one, 0);
}
