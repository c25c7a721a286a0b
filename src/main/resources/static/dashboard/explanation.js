import { submit } from "./api.js";
import { element } from "./dom.js";
import { decimals, gigabytes, layout, percent, plain, whole } from "./format.js";
import { frontierSection, loadTitle } from "./frontiersection.js";
import { isOfUsers, objectiveInWords } from "./objective.js";
import { setAt } from "./pointer.js";
import { table } from "./table.js";
import { counted, phaseName } from "./words.js";

const LEVERS = {
  ttft_limit: "TTFT limit",
  tpot_limit: "TPOT limit",
  user_speed_limit: "Speed of a user",
  e2e_latency_limit: "Request latency limit",
  device_count: "Devices",
  prefill_devices: "Devices of a prefill instance",
  decode_devices: "Devices of a decode instance",
  input_length: "Input length",
  memory_size: "Memory of a device",
  memory_bandwidth: "Memory bandwidth",
  matrix_rate: "Matrix rate",
  link_bandwidth: "Link bandwidth",
  link_latency: "Link latency",
  static_costs: "Static costs",
  cache_quantization: "KV cache",
  linear_quantization: "Linear layers",
  tensor_parallel: "Tensor parallel sizes",
  data_parallel: "Data parallel sizes",
  expert_parallel: "Expert parallel sizes",
  device: "Device",
  non_expert_quantization: "All but routed experts",
  draft_tokens: "Draft tokens",
  max_batched_tokens: "Token budget",
  prefix_cache_hit_rate: "Prefix cache hits",
  request_rate: "Request rate",
  least_concurrency: "Least requests at once",
  kv_transfer_rate: "KV transfer rate",
};

const LIMITS = {
  ttft: "TTFT",
  tpot: "TPOT",
  e2e_latency: "Request latency",
  memory: "Memory",
  batch_range: "Batch range",
  max_batched_tokens: "Token budget",
  throughput: "Throughput",
  search: "Search",
  engine: "Engine",
  measured_range: "Measured range",
  least_concurrency: "Requests at once",
  rate: "Request rate",
  model: "Model",
};

/** Why one device has the answers it has, and what would help; the nearest plans stand where it has none. */
export function explanationSections(explanation, device, request) {
  return explanation.answers
    .filter((answer) => answer.device === device.device && answer.bottlenecks.length > 0)
    .map((answer) =>
      element(
        "section",
        { class: "phase explanation" },
        element("h2", {}, `Why, and what would help: ${phaseName(answer.aim)}`, element("span", { class: "device" }, ` on ${answer.device}`)),
        bindings(answer, request),
        answer.best && sensitivities(answer),
        notAsked(answer),
        answer.pareto_frontier.map((frontier) => frontierSection(frontier, request, device)),
      ),
    );
}

function bindings({ bottlenecks: binding }, request) {
  const columns = [
    { title: "Layout", text: ({ label }) => label, className: "words" },
    { title: loadTitle(binding), text: ({ batch_size: batch, concurrency }) => whole(batch ?? concurrency) },
    { title: "Binds", text: ({ limited_by: binds }) => LIMITS[binds], className: "words" },
    { title: isOfUsers(request) ? "What fewer requests at once would do" : "What the next request would do", text: ({ detail }) => detail, className: "words" },
    { title: "TTFT left (ms)", text: ({ margins }) => decimals(margins?.ttft_ms, 1) },
    { title: "TPOT left (ms)", text: ({ margins }) => decimals(margins?.tpot_ms, 2) },
    binding.some(({ margins }) => margins?.e2e_latency_ms !== undefined) && {
      title: "Request latency left (ms)",
      text: ({ margins }) => decimals(margins?.e2e_latency_ms, 1),
    },
    { title: "Memory left", text: ({ margins }) => (margins ? gigabytes(margins.memory_gb) : "–") },
    { title: "Passes bound by", text: ({ passes }) => passes.map(({ phase, bound }) => `${phase}: ${bound.replace("_", " ")}`).join(", "), className: "words" },
  ].filter(Boolean);
  return [table("What binds each layout", columns, binding), leastReached(binding), binding[0].passes.map((pass) => operators(binding[0], pass))];
}

/** What each layout reaches whatever the limits; results of older versions do not say. */
function leastReached(binding) {
  const reached = binding.filter(({ least }) => least);
  const at = (figure, batch, concurrency) => {
    if (batch === undefined && concurrency === undefined) {
      return "–";
    }
    return batch === undefined ? `${figure} at concurrency ${whole(concurrency)}` : `${figure} at batch ${whole(batch)}`;
  };
  const columns = [
    { title: "Layout", text: ({ label }) => label, className: "words" },
    { title: "TTFT (ms)", text: ({ least }) => at(decimals(least.ttft_ms, 1), least.ttft_batch_size, least.ttft_concurrency) },
    { title: "TPOT (ms)", text: ({ least }) => at(decimals(least.tpot_ms, 2), least.tpot_batch_size, least.tpot_concurrency) },
    { title: "Memory", text: ({ least }) => at(gigabytes(least.memory_gb), least.memory_batch_size, least.memory_concurrency) },
  ];
  return reached.length > 0 && table("The least that each layout reaches, each figure by itself", columns, reached);
}

function operators({ label }, { phase, operators: heaviest, latency_ms: latency }) {
  const columns = [
    { title: "Operator", text: ({ name }) => name, className: "words" },
    { title: "Calls", text: ({ calls }) => whole(calls) },
    { title: "Time (ms)", text: ({ total_ms: millis }) => decimals(millis, 2) },
    { title: "Share", text: ({ share_percent: share }) => percent(share) },
  ];
  return element(
    "details",
    {},
    element("summary", {}, `Heaviest operators of ${phase}, ${label}`),
    table(`The five heaviest of a ${phase} pass of ${decimals(latency, 1)} ms`, columns, heaviest),
  );
}

/** Levers that are not tried, or not with every change, and why. */
function notAsked({ not_asked: levers = [] }) {
  return (
    levers.length > 0 &&
    element(
      "details",
      {},
      element("summary", {}, `${counted(levers.length, "lever")} not asked`),
      element("ul", {}, levers.map(({ lever, reason }) => element("li", {}, `${LEVERS[lever]}: ${reason}`))),
    )
  );
}

/** What helps; apart from it what would cost, and in a line what does neither. */
function sensitivities({ sensitivities: changes }) {
  const most = Math.max(...changes.map(({ effect_percent: effect }) => Math.abs(effect ?? 0)), 1);
  const effects = (title, some) => {
    const columns = [
      { title: "Change", text: ({ change }) => changeInWords(change), className: "words" },
      { title: effectTitle(changes), text: ({ effect_percent: effect }) => (effect === undefined ? "nothing is left" : percent(effect)) },
      { title: "Less or more", text: ({ effect_percent: effect }) => tornadoBar(effect, most), className: "tornado" },
      { title: "Best then", text: ({ plan }) => (plan ? planInWords(plan) : "–"), className: "words" },
    ];
    return table(title, columns, some);
  };
  const gains = changes.filter((one) => outcomeOf(one) === "helps");
  const losses = changes.filter((one) => ["hurts", "no_plan"].includes(outcomeOf(one)));
  return [
    gains.length > 0
      ? effects("What would help: each change alone, searched again", gains)
      : element("p", { class: "notice" }, "No change that was tried helps."),
    withoutEffect(changes.filter((one) => outcomeOf(one) === "no_effect")),
    losses.length > 0 &&
      element(
        "details",
        { class: "losses" },
        element("summary", {}, `What would cost: ${whole(losses.length)} changes`),
        effects("What would cost: each change alone, searched again", losses),
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
  const settings = Map.groupBy(changes, ({ change: { lever, device } }) => `${LEVERS[lever]}${device ? ` of ${device}` : ""}`);
  const words = [...settings].map(([lever, some]) => `${lever} ${some.map(({ change }) => toInWords(change)).join(", ")}`);
  return words.length > 0 && element("p", { class: "without-effect" }, `Without effect: ${words.join("; ")}.`);
}

/** What the effect is one on: what plans are ranked by. */
function effectTitle(changes) {
  const unit = changes.find(({ plan }) => plan?.objective)?.plan.objective.unit;
  return unit ? `Effect on ${unit}` : "Effect";
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
    return element("p", { class: "notice" }, `No change of number formats, layouts, limits, devices or input length ${unfinished ? "that was searched " : ""}gives a plan.`);
  }
  return element(
    "div",
    {},
    element("h3", {}, "The nearest plans"),
    element(
      "ul",
      { class: "relaxations" },
      nearest.map(({ changes, plan }) =>
        element("li", {}, `${changes.map(changeInWords).join(" and ")}: ${planInWords(plan)} `, isSet(changes) && offer(changes)),
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
  return element("button", { type: "button", on: { click: ask } }, `Search with that ${leversOf(changes)}`);
}

/** Takes the changed question into the form. */
export function turnButton(changes, request, turnTo) {
  return element("button", { type: "button", on: { click: () => turnTo(changed(request, changes)) } }, `Take ${changes.map(({ to, unit }) => setting(to, unit)).join(" and ")}`);
}

function leversOf(changes) {
  return changes.map(({ lever }) => LEVERS[lever]).join(" and ");
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

function changeInWords(change) {
  const { lever, device, from, unit } = change;
  return `${LEVERS[lever]}${device ? ` of ${device}` : ""} ${setting(from, unit)} → ${toInWords(change)}`;
}

/** With what comes with it. */
function toInWords({ to, unit, kv_cache_dtype: cache, idle }) {
  const beside = [cache && `KV cache ${cache}`, idle && `${whole(idle)} stand idle`].filter(Boolean);
  return setting(to, unit) + (beside.length > 0 ? ` (${beside.join(", ")})` : "");
}

/** Lists are sizes to try: none for any. */
function setting(value, unit) {
  const suffix = unit ? ` ${unit}` : "";
  return Array.isArray(value) ? value.map(plain).join(", ") || "any" : `${plain(value)}${suffix}`;
}

function planInWords({ instances, tokens_per_s: tokens, tokens_per_s_per_device: perDevice, concurrency, balanced_requests_per_s: requests_per_s, objective }) {
  const throughput = tokens === undefined ? `${decimals(requests_per_s, 2)} requests/s` : `${decimals(tokens, 1)} tokens/s`;
  const each = perDevice !== undefined && `${decimals(perDevice, 1)} tokens/s a device`;
  const rate = [objectiveInWords(objective), each, throughput].filter(Boolean).join(", ");
  const numbered = ({ label, count }) => (count === undefined ? shortened(label) : `${count} × ${shortened(label)}`);
  return concurrency === undefined
    ? `${rate}, ${instances.map((instance) => `${numbered(instance)} at batch ${whole(instance.batch_size)}`).join(" with ")}`
    : `${rate}, ${instances.map(numbered).join(" feed ")} at concurrency ${whole(concurrency)}`;
}

/** A layout's label without the dimensions that are 1. */
function shortened(label) {
  const [first, ...others] = label.split(" | ");
  return [first, ...others.filter((part) => !part.endsWith("=1"))].join(", ");
}
