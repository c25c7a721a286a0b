import { figure } from "./card.js";
import { card, element } from "./dom.js";
import { decimals, percent, plain, whole } from "./format.js";
import { columnPicture } from "./histogram.js";
import { t } from "./language.js";
import { table } from "./table.js";

/** The plan of a portfolio: who gets what, what it costs, what is free, and what can be switched off by hour. */
export function portfolioAnswer(request, answer) {
  return [hero(request, answer), services(answer), without(answer.services), stock(request, answer), hours(answer)];
}

function hero(request, answer) {
  const { outcome, cost_per_day: cost, running_cost_per_day: running, gap, effort } = answer;
  const money = request.stock.some(({ price_per_hour: price }) => price !== undefined) ? "" : t("portfolioanswer.device_hours");
  return element(
    "div",
    { class: `card hero${outcome === "served" ? "" : " none"}` },
    element("p", { class: "best-words" }, wordsOf(request, answer)),
    element(
      "dl",
      { class: "figures" },
      figure(t("portfolioanswer.cost_per_day"), `${decimals(cost, 2)}${money}`),
      figure(t("portfolioanswer.cost_of_running_instances"), `${decimals(running, 2)}${money}`, cost > running && t("portfolioanswer.can_be_switched_off", { 1: decimals(cost - running, 2) })),
      figure(t("common.devices"), whole(sum(answer.stock.map(({ used }) => used))), t("portfolioanswer.free", { 1: whole(sum(answer.stock.map(({ free }) => free))) })),
      figure(t("portfolioanswer.optimality"), proof(gap, outcome), t("portfolioanswer.kinds_of_instances", { 1: plain(effort.candidates) })),
      figure(t("portfolioanswer.duration"), `${decimals(effort.search_s + effort.solver_s, 1)} s`, t("portfolioanswer.s_it_searching_instances", { 1: decimals(effort.search_s, 1) })),
    ),
    answer.enough?.length > 0 && element("p", {}, t("portfolioanswer.meeting_all_demand_requires", { A: answer.enough.map(({ device, devices }) => t("portfolioanswer.more", { 1: plain(devices), a: device })).join(` ${t("common.and")} `) })),
  );
}

function wordsOf(request, { outcome, stock: kinds, weighted_served: served }) {
  if (outcome === "replicas_missing") {
    return t("portfolioanswer.devices_cannot_hold_min");
  }
  if (outcome === "short") {
    const weights = sum(request.services.map(({ weight = 1 }) => weight));
    return [`${t("portfolioanswer.not_enough_devices")} `, element("strong", {}, percent((100 * served) / weights)), ` ${t("portfolioanswer.demand_met_by_priority")}`];
  }
  const used = kinds.filter((kind) => kind.used > 0).map((kind) => `${plain(kind.used)} × ${kind.device}`);
  return [`${t("portfolioanswer.all_demand_met_with")} `, element("strong", {}, used.join(` ${t("common.and")} `) || t("common.nothing")), "."];
}

function proof(gap, outcome) {
  const better = outcome === "served" ? t("portfolioanswer.cheaper") : t("portfolioanswer.more_demand_met");
  return gap === 0 ? t("portfolioanswer.optimal") : gap < 1e-4 ? t("portfolioanswer.less_than_0_01", { a: better }) : t("portfolioanswer.at_most_count", { 1: percent(100 * gap, 2), a: better });
}

function services(answer) {
  const lines = answer.services.flatMap((service) => (service.units.length > 0 ? service.units.map((unit) => ({ service, unit })) : [{ service }]));
  const ofUnit = (words) => ({ unit }) => (unit ? words(unit) : "–");
  const counts = lines.some(({ unit }) => unit?.concurrency !== undefined);
  return table(
    t("portfolioanswer.allocation"),
    [
      { title: t("portfolioanswer.service"), text: ({ service }) => service.name, className: "words" },
      { title: t("portfolioanswer.met"), text: ({ service }) => percent(100 * service.served_share) },
      { title: t("common.limited_by"), text: ({ service }) => t(`service_bound.${service.limited_by}`), className: "words" },
      { title: t("common.device"), text: ofUnit(({ device }) => device), className: "words" },
      { title: t("common.devices"), text: ofUnit((unit) => whole(unit.num_devices)) },
      { title: t("common.instances"), text: ofUnit(instancesOf), className: "words" },
      { title: t("portfolioanswer.requests_s_per_instance"), text: ofUnit((unit) => decimals(unit.requests_per_s, 3)) },
      counts && { title: t("portfolioanswer.concurrency_per_instance"), text: ofUnit((unit) => whole(unit.concurrency)) },
      { title: t("common.ttft_ms"), text: ofUnit((unit) => decimals(unit.ttft_ms, 1)) },
      { title: t("common.tpot_ms"), text: ofUnit((unit) => decimals(unit.tpot_ms, 2)) },
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

function without(planned) {
  return planned
    .filter(({ no_instances: none }) => none)
    .map(({ name, no_instances: none }) =>
      element(
        "details",
        { class: "card" },
        element("summary", {}, t("portfolioanswer.why_has_no_feasible", { a: name })),
        element("ul", {}, none.map(({ device, devices_per_instance: size, reason }) => element("li", {}, t("portfolioanswer.devices_of", { 1: plain(size), a: device, b: reason })))),
      ),
    );
}

function stock(request, answer) {
  const missing = answer.stock.some((kind) => kind.missing_alone);
  return table(
    t("common.stock_heading"),
    [
      { title: t("common.device"), text: ({ device }) => device, className: "words" },
      { title: t("portfolioanswer.available"), text: ({ count }) => whole(count) },
      { title: t("portfolioanswer.used"), text: ({ used }) => whole(used) },
      { title: t("common.free"), text: ({ free }) => whole(free) },
      { title: t("portfolioanswer.value_of_one_more"), text: ({ one_more: more }) => worth(more), className: "words" },
      missing && { title: t("portfolioanswer.missing_if_only_this"), text: ({ missing_alone: alone }) => missingOf(alone), className: "words" },
    ].filter(Boolean),
    answer.stock,
  );
}

function worth({ devices, saved_per_day: saved, gained, proven }) {
  const parts = [saved > 0 && t("portfolioanswer.saves_per_day", { 1: decimals(saved, 2) }), gained > 0 && t("portfolioanswer.more_demand_met_weighted", { 1: decimals(gained, 3) })].filter(Boolean);
  const words = parts.length > 0 ? `${proven ? "" : t("portfolioanswer.at_least")}${parts.join(", ")}` : proven ? t("common.nothing") : t("portfolioanswer.none_found_within_time");
  return devices === 1 ? words : t("portfolioanswer.a_node_of", { a: words, 1: plain(devices) });
}

function missingOf(alone) {
  if (!alone) {
    return "–";
  }
  if (alone.devices === undefined) {
    return alone.proven ? t("portfolioanswer.not_possible") : t("portfolioanswer.unknown_within_time_limit");
  }
  return `${alone.proven ? "" : t("portfolioanswer.at_most")}${whole(alone.devices)}`;
}

function hours(answer) {
  const { stock: stocked, hours: all, services: planned } = answer;
  const kinds = stocked.map((kind, place) => ({ ...kind, place })).filter(({ used }) => used > 0);
  const running = { lower: t("portfolioanswer.running"), upper: t("portfolioanswer.can_be_off") };
  const met = { lower: t("portfolioanswer.demand_met"), upper: t("portfolioanswer.not_met") };
  return card(
    t("portfolioanswer.by_hour"),
    element(
      "ul",
      { class: "legend", "aria-hidden": "true" },
      element("li", {}, element("i", { class: "part-1" }), t("portfolioanswer.running_or_met")),
      element("li", {}, element("i", { class: "part-free" }), t("portfolioanswer.can_be_off_or")),
    ),
    element(
      "div",
      { class: "hour-grid" },
      kinds.map(({ device, place }) => hourBars(device, all.map(({ devices }) => ({ lower: devices[place].running, upper: devices[place].off })), running)),
      planned.map(({ name }, place) => {
        const served = all.map(({ services: each }) => each[place]).map(({ demand, served_share: share }) => ({ lower: demand * share, upper: demand * (1 - share) }));
        return hourBars(t("portfolioanswer.demand_of", { a: name }), served, met);
      }),
    ),
    element("details", {}, element("summary", {}, t("portfolioanswer.hourly_data")), byHour(answer, kinds)),
  );
}

/** A bar for each hour of a day, in two parts: what each is called, and how much of it there is from midnight on. */
function hourBars(name, hourly, parts) {
  const most = Math.max(...hourly.map(({ lower, upper }) => lower + upper), 0);
  const columns = hourly.map(({ lower, upper }, hour) => ({ sizes: [lower, upper], title: `${hour}:00, ${parts.lower} ${plain(lower)}, ${parts.upper} ${plain(upper)}` }));
  const [low, high] = ["lower", "upper"].map((part) => range(hourly.map((sizes) => sizes[part])));
  return element(
    "figure",
    { class: "hour-bars" },
    element("figcaption", {}, name, element("small", {}, ` ${t("common.up_to", { 1: plain(most) })}`)),
    columnPicture(t("hourbars.by_hour", { a: name, b: parts.lower, c: low, d: parts.upper, e: high }), columns),
    element("p", { class: "axis", "aria-hidden": "true" }, ["0:00", "12:00", "24:00"].map((time) => element("span", {}, time))),
  );
}

function range(figures) {
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  return least === most ? plain(least) : t("common.to_count", { 1: plain(least), 2: plain(most) });
}

function byHour({ hours: all, services: planned }, kinds) {
  return table(
    t("portfolioanswer.devices_running_and_off"),
    [
      { title: t("portfolioanswer.hour"), text: ({ hour }) => `${hour}:00` },
      ...kinds.flatMap(({ device, place }) => [
        { title: t("portfolioanswer.on", { a: device }), text: ({ devices }) => whole(devices[place].running) },
        { title: t("portfolioanswer.off", { a: device }), text: ({ devices }) => whole(devices[place].off) },
      ]),
      ...planned.map(({ name }, place) => ({ title: t("portfolioanswer.met_value", { a: name }), text: ({ services: each }) => percent(100 * each[place].served_share) })),
    ],
    all,
    () => false,
    all.length,
  );
}

function sum(figures) {
  return figures.reduce((total, one) => total + one, 0);
}
