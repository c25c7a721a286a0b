import { submit } from "./api.js";
import { element } from "./dom.js";
import { decimals, gigabytes, layout, percent, plain, whole } from "./format.js";
import { frontierSection, loadTitle } from "./frontiersection.js";
import { said, t } from "./language.js";
import { isOfUsers, objectiveInWords } from "./objective.js";
import { setAt } from "./pointer.js";
import { table } from "./table.js";
import { phaseName } from "./words.js";

const LEVERS = {
  ttft_limit: t("explanation.ttft_target"),
  tpot_limit: t("explanation.tpot_target"),
  user_speed_limit: t("explanation.speed_per_user"),
  e2e_latency_limit: t("explanation.e2e_latency_target"),
  device_count: t("common.devices"),
  prefill_devices: t("common.devices_per_prefill_instance"),
  decode_devices: t("common.devices_per_decode_instance"),
  input_length: t("common.input_length"),
  memory_size: t("explanation.device_memory"),
  memory_bandwidth: t("common.memory_bandwidth"),
  matrix_rate: t("explanation.matrix_throughput"),
  link_bandwidth: t("explanation.link_bandwidth"),
  link_latency: t("explanation.link_latency"),
  static_costs: t("explanation.fixed_overhead"),
  cache_quantization: t("common.kv_cache"),
  linear_quantization: t("common.linear_layers"),
  tensor_parallel: t("explanation.tensor_parallel_sizes"),
  data_parallel: t("explanation.data_parallel_sizes"),
  expert_parallel: t("explanation.expert_parallel_sizes"),
  device: t("common.device"),
  non_expert_quantization: t("common.non_expert_layers"),
  draft_tokens: t("common.draft_tokens"),
  max_batched_tokens: t("explanation.token_budget"),
  prefix_cache_hit_rate: t("common.prefix_cache_hit_rate"),
  request_rate: t("explanation.request_rate"),
  least_concurrency: t("common.min_concurrency"),
  kv_transfer_rate: t("explanation.kv_transfer_bandwidth"),
};

const LIMITS = {
  ttft: "TTFT",
  tpot: "TPOT",
  e2e_latency: t("common.e2e_latency"),
  memory: t("common.memory"),
  batch_range: t("common.batch_size_range"),
  max_batched_tokens: t("explanation.token_budget"),
  throughput: t("common.throughput"),
  search: t("common.search"),
  engine: t("common.engine"),
  measured_range: t("explanation.measured_range"),
  least_concurrency: t("common.concurrent_requests"),
  rate: t("explanation.request_rate"),
  model: t("common.model"),
};

/** Why one device has the answers it has, and what would help; the nearest plans stand where it has none. */
export function explanationSections(explanation, device, request) {
  return explanation.answers
    .filter((answer) => answer.device === device.device && answer.bottlenecks.length > 0)
    .map((answer) =>
      element(
        "section",
        { class: "phase explanation" },
        element("h2", {}, t("explanation.bottlenecks_and_sensitivities", { a: phaseName(answer.aim) }), element("span", { class: "device" }, ` ${t("common.on", { a: answer.device })}`)),
        bindings(answer, request),
        answer.best && sensitivities(answer),
        notAsked(answer),
        answer.pareto_frontier.map((frontier) => frontierSection(frontier, request, device)),
      ),
    );
}

function bindings({ bottlenecks: binding }, request) {
  const columns = [
    { title: t("common.layout"), text: ({ label }) => label, className: "words" },
    { title: loadTitle(binding), text: ({ batch_size: batch, concurrency }) => whole(batch ?? concurrency) },
    { title: t("explanation.bottleneck"), text: ({ limited_by: binds }) => LIMITS[binds], className: "words" },
    { title: isOfUsers(request) ? t("explanation.effect_of_lower_concurrency") : t("explanation.effect_one_more_request"), text: ({ detail }) => detail, className: "words" },
    { title: t("explanation.ttft_margin_ms"), text: ({ margins }) => decimals(margins?.ttft_ms, 1) },
    { title: t("explanation.tpot_margin_ms"), text: ({ margins }) => decimals(margins?.tpot_ms, 2) },
    binding.some(({ margins }) => margins?.e2e_latency_ms !== undefined) && {
      title: t("explanation.e2e_latency_margin_ms"),
      text: ({ margins }) => decimals(margins?.e2e_latency_ms, 1),
    },
    { title: t("explanation.memory_margin"), text: ({ margins }) => (margins ? gigabytes(margins.memory_gb) : "–") },
    { title: t("explanation.forward_pass_limited_by"), text: ({ passes }) => passes.map(({ phase, bound }) => `${phase}: ${bound.replace("_", " ")}`).join(", "), className: "words" },
  ].filter(Boolean);
  return [table(t("explanation.bottlenecks"), columns, binding), leastReached(binding), binding[0].passes.map((pass) => operators(binding[0], pass))];
}

/** What each layout reaches whatever the limits; results of older versions do not say. */
function leastReached(binding) {
  const reached = binding.filter(({ least }) => least);
  const at = (figure, batch, concurrency) => {
    if (batch === undefined && concurrency === undefined) {
      return "–";
    }
    return batch === undefined ? t("explanation.at_concurrency", { a: figure, 1: whole(concurrency) }) : t("explanation.at_batch_size", { 1: figure, 2: whole(batch) });
  };
  const columns = [
    { title: t("common.layout"), text: ({ label }) => label, className: "words" },
    { title: t("common.ttft_ms"), text: ({ least }) => at(decimals(least.ttft_ms, 1), least.ttft_batch_size, least.ttft_concurrency) },
    { title: t("common.tpot_ms"), text: ({ least }) => at(decimals(least.tpot_ms, 2), least.tpot_batch_size, least.tpot_concurrency) },
    { title: t("common.memory"), text: ({ least }) => at(gigabytes(least.memory_gb), least.memory_batch_size, least.memory_concurrency) },
  ];
  return reached.length > 0 && table(t("explanation.best_achievable_ttft_tpot"), columns, reached);
}

function operators({ label }, { phase, operators: heaviest, latency_ms: latency }) {
  const columns = [
    { title: t("explanation.operator"), text: ({ name }) => name, className: "words" },
    { title: t("explanation.calls"), text: ({ calls }) => whole(calls) },
    { title: t("explanation.time_ms"), text: ({ total_ms: millis }) => decimals(millis, 2) },
    { title: t("explanation.share"), text: ({ share_percent: share }) => percent(share) },
  ];
  return element(
    "details",
    {},
    element("summary", {}, t("explanation.slowest_operators_of", { a: phase, b: label })),
    table(t("explanation.five_slowest_operators_pass", { a: phase, 1: decimals(latency, 1) }), columns, heaviest),
  );
}

/** Levers that are not tried, or not with every change, and why. */
function notAsked({ not_asked: levers = [] }) {
  return (
    levers.length > 0 &&
    element(
      "details",
      {},
      element("summary", {}, t("explanation.changes_not_searched", { 1: plain(levers.length) })),
      element("ul", {}, levers.map(({ lever, reason }) => element("li", {}, `${LEVERS[lever]}: ${reason}`))),
    )
  );
}

/** Changes that improve the best plan of a device, the most first. */
export function helpful({ answers }, { device }) {
  const changes = answers.filter((answer) => answer.device === device && answer.best).flatMap((answer) => answer.sensitivities);
  return changes.filter((one) => outcomeOf(one) === "helps").toSorted((one, other) => Math.abs(other.effect_percent) - Math.abs(one.effect_percent));
}

/** What helps; apart from it what would cost, and in a line what does neither. */
function sensitivities({ sensitivities: changes }) {
  const most = Math.max(...changes.map(({ effect_percent: effect }) => Math.abs(effect ?? 0)), 1);
  const effects = (title, some) => {
    const columns = [
      { title: t("explanation.change"), text: ({ change }) => changeInWords(change), className: "words" },
      { title: effectTitle(changes), text: ({ effect_percent: effect }) => (effect === undefined ? t("common.no_feasible_plan") : percent(effect)) },
      { title: t("explanation.difference"), text: ({ effect_percent: effect }) => tornadoBar(effect, most), className: "tornado" },
      { title: t("explanation.best_plan"), text: ({ plan }) => (plan ? planInWords(plan) : "–"), className: "words" },
    ];
    return table(title, columns, some);
  };
  const gains = changes.filter((one) => outcomeOf(one) === "helps");
  const losses = changes.filter((one) => ["hurts", "no_plan"].includes(outcomeOf(one)));
  return [
    gains.length > 0
      ? effects(t("explanation.sensitivities_changes_that_improve"), gains)
      : element("p", { class: "notice" }, t("explanation.no_searched_change_improves")),
    withoutEffect(changes.filter((one) => outcomeOf(one) === "no_effect")),
    losses.length > 0 &&
      element(
        "details",
        { class: "losses" },
        element("summary", {}, t("explanation.changes_that_worsen_plan", { 1: whole(losses.length) })),
        effects(t("explanation.sensitivities_changes_that_worsen"), losses),
      ),
  ];
}

const LEAST_PERCENT = 0.05;

/** As the result says; older ones do not. */
function outcomeOf({ outcome, plan, effect_percent: effect }) {
  if (outcome !== undefined) {
    return outcome;
  }
  if (plan === undefined) {
    return "no_plan";
  }
  if (Math.abs(effect) < LEAST_PERCENT) {
    return "no_effect";
  }
  const gain = plan.objective?.name === "cost_per_million_tokens" ? -effect : effect;
  return gain > 0 ? "helps" : "hurts";
}

/** One line for all changes that do not matter. */
function withoutEffect(changes) {
  const settings = Map.groupBy(changes, ({ change: { lever, device } }) => `${LEVERS[lever]}${device ? t("explanation.of", { 1: device }) : ""}`);
  const words = [...settings].map(([lever, some]) => `${lever} ${some.map(({ change }) => toInWords(change)).join(", ")}`);
  return words.length > 0 && element("p", { class: "without-effect" }, t("explanation.no_effect", { A: words.join("; ") }));
}

/** What the effect is one on: what plans are ranked by. */
function effectTitle(changes) {
  const unit = changes.find(({ plan }) => plan?.objective)?.plan.objective.unit;
  return unit ? t("explanation.effect_on", { a: unit }) : t("explanation.effect");
}

/** Left of the middle for less, right for more; said as a figure beside it. */
function tornadoBar(effect, most) {
  const bar = element("span", { class: effect < 0 ? "less" : "more" });
  const share = (100 * Math.abs(effect ?? 0)) / most;
  bar.style.width = `${share}%`;
  bar.style.marginLeft = effect < 0 ? `-${share}%` : "0";
  return element("span", { class: "tornado-bar", "aria-hidden": "true" }, bar);
}

/**
 * The nearest plans of a kind of device without one; nothing where none were searched.
 *
 * @param {function} offer the button that takes changes
 */
export function nearestPlans({ explanation }, { device }, aim, offer) {
  const answer = explanation?.answers.find((one) => one.device === device && one.aim === aim && !one.best);
  return answer && relaxations(answer, offer);
}

function relaxations({ nearest_feasible: nearest, not_asked: unfinished }, offer) {
  if (nearest.length === 0) {
    return element("p", { class: "notice" }, t("explanation.no_change_number_formats", { a: unfinished ? t("explanation.searched_so_far") : "" }));
  }
  return element(
    "div",
    {},
    element("h3", {}, t("explanation.nearest_feasible_plans")),
    element(
      "ul",
      { class: "relaxations" },
      nearest.map(({ changes, plan }) =>
        element("li", {}, `${changes.map(changeInWords).join(` ${t("common.and")} `)}: ${planInWords(plan)} `, isSet(changes) && offer(changes)),
      ),
    ),
  );
}

/** What a device profile says is not set by a button. */
function isSet(changes) {
  return changes.every(({ pointer }) => pointer !== undefined);
}

/** Starts the changed search. */
export function askButton(changes, request) {
  const ask = async ({ target }) => {
    target.disabled = true;
    try {
      location.hash = `/jobs/${(await submit(changed(request, changes))).id}`;
    } finally {
      target.disabled = false;
    }
  };
  return element("button", { type: "button", on: { click: ask } }, t("explanation.rerun_with_new", { a: leversOf(changes) }));
}

/** Takes the changed question into the form. */
export function turnButton(changes, request, turnTo) {
  return element("button", { type: "button", on: { click: () => turnTo(changed(request, changes)) } }, t("explanation.use", { a: changes.map(({ to, unit }) => setting(to, unit)).join(` ${t("common.and")} `) }));
}

/** The same as a link that says what changes. */
export function turnLink(changes, request, turnTo) {
  return element("button", { type: "button", class: "link", on: { click: () => turnTo(changed(request, changes)) } }, changes.map(changeInWords).join(` ${t("common.and")} `));
}

function leversOf(changes) {
  return changes.map(({ lever }) => LEVERS[lever]).join(` ${t("common.and")} `);
}

function changed(request, changes) {
  const other = structuredClone(request);
  changes.forEach((change) => setChange(other, change));
  return other;
}

/** Another scheme brings its KV cache, also where the request has that of the old one filled in. */
function setChange(request, { pointer, to, kv_cache_dtype: cache }) {
  setAt(request, pointer, to);
  if (cache !== undefined && request.engine?.kv_cache_dtype !== undefined) {
    setAt(request, "/engine/kv_cache_dtype", cache);
  }
}

export function changeInWords(change) {
  const { lever, device, from, unit } = change;
  return `${LEVERS[lever]}${device ? t("explanation.of", { 1: device }) : ""} ${said(setting(from, unit))} → ${toInWords(change)}`;
}

/** With what comes with it. */
function toInWords({ to, unit, kv_cache_dtype: cache, idle }) {
  const beside = [cache && t("explanation.kv_cache", { a: cache }), idle && t("explanation.idle", { 1: whole(idle) })].filter(Boolean);
  return setting(to, unit) + (beside.length > 0 ? ` (${beside.join(", ")})` : "");
}

/** Lists are sizes to try: none for any. */
function setting(value, unit) {
  const suffix = unit === "%" ? unit : unit ? ` ${unit}` : "";
  return Array.isArray(value) ? value.map(plain).join(", ") || t("explanation.any") : `${plain(value)}${suffix}`;
}

function planInWords({ instances, tokens_per_s: tokens, tokens_per_s_per_device: perDevice, concurrency, balanced_requests_per_s: requests_per_s, objective }) {
  const throughput = tokens === undefined ? t("common.requests_s_count", { 1: decimals(requests_per_s, 2) }) : t("common.tokens_s_count", { 1: decimals(tokens, 1) });
  const each = perDevice !== undefined && t("explanation.tokens_s_per_device", { 1: decimals(perDevice, 1) });
  const rate = [objectiveInWords(objective), each, throughput].filter(Boolean).join(", ");
  const numbered = ({ label, count }) => (count === undefined ? shortened(label) : `${count} × ${shortened(label)}`);
  return concurrency === undefined
    ? `${rate}, ${instances.map((instance) => t("explanation.at_batch_size", { 1: numbered(instance), 2: whole(instance.batch_size) })).join(` ${t("explanation.with")} `)}`
    : `${rate}, ${t("explanation.at_concurrency", { a: instances.map(numbered).join(` ${t("explanation.feed")} `), 1: whole(concurrency) })}`;
}

/** A layout's label without the dimensions that are 1. */
function shortened(label) {
  const [first, ...others] = label.split(" | ");
  return [first, ...others.filter((part) => !part.endsWith("=1"))].join(", ");
}
