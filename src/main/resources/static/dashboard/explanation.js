import { submit } from "./api.js";
import { element } from "./dom.js";
import { decimals, gigabytes, layout, percent, plain, whole } from "./format.js";
import { frontierPicture } from "./frontier.js";
import { isOfUsers, objectiveInWords } from "./objective.js";
import { setAt } from "./pointer.js";
import { table } from "./table.js";
import { counted, isCalibrated, phaseName } from "./words.js";

const LEVERS = {
  ttft_limit: "TTFT limit",
  tpot_limit: "TPOT limit",
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
  non_expert_quantization: "All but routed experts",
  draft_tokens: "Draft tokens",
  token_budget: "Token budget",
  prefix_cache_hit_rate: "Prefix cache hits",
  request_rate: "Request rate",
  least_concurrency: "Least requests at once",
  kv_transfer_rate: "KV transfer rate",
};

const LIMITS = {
  ttft: "TTFT",
  tpot: "TPOT",
  memory: "Memory",
  batch_range: "Batch range",
  token_budget: "Token budget",
  throughput: "Throughput",
  search: "Search",
  least_concurrency: "Requests at once",
  rate: "Request rate",
  model: "Model",
};

/** Most points of a frontier that its table shows; the picture and the JSON have all. */
const SHOWN = 25;

/** Why one device has the answers it has, and what would help. */
export function explanationSections(explanation, device, request) {
  return explanation.answers
    .filter((answer) => answer.device === device.device)
    .map((answer) =>
      element(
        "section",
        { class: "phase explanation" },
        element("h2", {}, `Why, and what would help: ${phaseName(answer.aim)}`, element("span", { class: "device" }, ` on ${answer.device}`)),
        bindings(answer, request),
        answer.best ? sensitivities(answer) : relaxations(answer, request),
        answer.frontier.map((frontier) => frontierSection(frontier, request, kindsOf(device))),
      ),
    );
}

function bindings({ binding }, request) {
  const columns = [
    { title: "Layout", text: ({ label }) => label, className: "words" },
    { title: loadTitle(binding), text: ({ batch_size: batch, concurrency }) => whole(batch ?? concurrency) },
    { title: "Binds", text: ({ binds }) => LIMITS[binds], className: "words" },
    { title: isOfUsers(request) ? "What fewer requests at once would do" : "What the next request would do", text: ({ detail }) => detail, className: "words" },
    { title: "TTFT left (ms)", text: ({ margins }) => decimals(margins?.ttft_ms, 1) },
    { title: "TPOT left (ms)", text: ({ margins }) => decimals(margins?.tpot_ms, 2) },
    { title: "Memory left", text: ({ margins }) => (margins ? gigabytes(margins.memory_gb) : "–") },
    { title: "Passes bound by", text: ({ passes }) => passes.map(({ phase, bound }) => `${phase}: ${bound.replace("_", " ")}`).join(", "), className: "words" },
  ];
  return [table("What binds each layout", columns, binding), leastReached(binding), binding[0].passes.map((pass) => operators(binding[0], pass))];
}

/** Pairs of instances have a concurrency over all of them where others have a batch size. */
function loadTitle(loads) {
  return loads.some(({ batch_size: batch, concurrency }) => batch === undefined && concurrency !== undefined) ? "Concurrency" : "Batch";
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

function sensitivities({ what_would_help: changes }) {
  const most = Math.max(...changes.map(({ effect_percent: effect }) => Math.abs(effect ?? 0)), 1);
  const columns = [
    { title: "Change", text: ({ change }) => changeInWords(change), className: "words" },
    { title: effectTitle(changes), text: ({ effect_percent: effect }) => (effect === undefined ? "nothing is left" : percent(effect)) },
    { title: "Less or more", text: ({ effect_percent: effect }) => tornadoBar(effect, most), className: "tornado" },
    { title: "Best then", text: ({ plan }) => (plan ? planInWords(plan) : "–"), className: "words" },
  ];
  return table("What would help: each change alone, searched again", columns, changes);
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

function relaxations({ nearest_feasible: nearest }, request) {
  if (nearest.length === 0) {
    return element("p", { class: "notice" }, "No change of limits, memory, devices or input length gives a plan.");
  }
  return element(
    "div",
    { class: "card" },
    element("h3", {}, "The nearest plans"),
    element(
      "ul",
      { class: "relaxations" },
      nearest.map(({ changes, plan }) =>
        element("li", {}, `${changes.map(changeInWords).join(" and ")}: ${planInWords(plan)} `, askButton(changes, request)),
      ),
    ),
  );
}

/** Starts the relaxed search; what a device profile says is not set by a button. */
function askButton(changes, request) {
  if (changes.some(({ pointer }) => pointer === undefined)) {
    return null;
  }
  const ask = async ({ target }) => {
    target.disabled = true;
    try {
      const relaxed = structuredClone(request);
      changes.forEach(({ pointer, to }) => setAt(relaxed, pointer, to));
      location.hash = `/jobs/${(await submit(relaxed)).id}`;
    } finally {
      target.disabled = false;
    }
  };
  const words = changes.map(({ lever }) => LEVERS[lever]).join(" and ");
  return element("button", { type: "button", on: { click: ask } }, `Search with that ${words}`);
}

function frontierSection({ phase, by_limit: byLimit, points }, request, kinds) {
  const shown = points.length <= SHOWN ? points : Array.from({ length: SHOWN }, (_, index) => points[Math.round((index * (points.length - 1)) / (SHOWN - 1))]);
  const meaning = byLimit ? "that show what each limit costs" : "that no other one beats";
  const has = (member) => points.some((point) => point[member] !== undefined);
  const columns = [
    { title: "Layout", text: arrangement, className: "words" },
    { title: loadTitle(points), text: load },
    { title: "Tokens/s", text: ({ tokens_per_s: tokens }) => decimals(tokens, 1) },
    { title: "Per device", text: ({ tokens_per_s_per_device: tokens }) => decimals(tokens, 1) },
    has("cost_per_million_tokens") && { title: "Per million tokens", text: ({ cost_per_million_tokens: cost }) => decimals(cost, 4) },
    has("tokens_per_s_per_user") && { title: "Per user", text: ({ tokens_per_s_per_user: tokens }) => decimals(tokens, 1) },
    has("ttft_ms") && { title: "TTFT (ms)", text: ({ ttft_ms: millis }) => decimals(millis, 1) },
    has("tpot_ms") && { title: "TPOT (ms)", text: ({ tpot_ms: millis }) => decimals(millis, 2) },
    { title: "Limits", text: ({ within_slo: within }) => (within ? "kept" : "broken"), className: "words" },
    has("parallel") && { title: "Open", text: (point) => openButton(point, request), className: "words" },
    has("batch_size_p") && { title: "Open", text: (point) => openPairButton(point, request, kinds), className: "words" },
  ];
  return element(
    "div",
    { class: "card" },
    element("h3", {}, `The frontier of ${phaseName(phase).toLowerCase()}: ${counted(points.length, "configuration")} ${meaning}`),
    element("div", { class: "columns" }, frontierPicture(points, has("tokens_per_s_per_user") ? "tokens_per_s_per_user" : "ttft_ms"), has("ttft_ms") && has("tokens_per_s_per_user") && frontierPicture(points, "ttft_ms")),
    element("details", {}, element("summary", {}, "Configurations of the frontier"), table(`Configurations ${meaning}`, columns.filter(Boolean), shown)),
  );
}

/** Requests of a rank, of a pair those of both sides; where only those of all instances are known, these. */
function load({ batch_size: batch, batch_size_p: prefill, batch_size_d: decode, concurrency }) {
  return prefill === undefined ? whole(batch ?? concurrency) : `${whole(prefill)} + ${whole(decode)}`;
}

/** Kinds of device of both sides of a result's pairs; none where nothing is paired. */
function kindsOf({ device }) {
  const [prefill, decode] = device.split(" + ");
  return { prefill, decode: decode ?? prefill };
}

/** How a point of a frontier splits its devices. */
function arrangement({ parallel, parallel_p: prefill, parallel_d: decode, prefill_instances: feeding, decode_instances: fed }) {
  return parallel ? layout(parallel) : `${feeding} × ${layout(prefill)} feed ${fed} × ${layout(decode)}`;
}

/** Lifts the limits of a request; which of them there are says which phases are searched. */
function unlimited(request) {
  if (isCalibrated(request)) {
    delete request.slo;
  } else {
    Object.keys(request.slo ?? {}).forEach((limit) => (request.slo[limit] = "inf"));
  }
}

/** Searches that configuration alone, without limits, so that its figures and bars are shown. */
function openButton({ parallel, batch_size: batch }, request) {
  const open = async ({ target }) => {
    target.disabled = true;
    try {
      const alone = structuredClone(request);
      delete alone.explain;
      unlimited(alone);
      alone.search = { ...alone.search, tp_sizes: [parallel.tp], batch_range: [batch, batch] };
      if (isCalibrated(request)) {
        alone.search = { ...alone.search, dp_sizes: [parallel.dp] };
      }
      if (parallel.ep !== undefined) {
        alone.search.ep_sizes = [parallel.ep];
      }
      if (parallel.ep !== undefined && !isCalibrated(request)) {
        alone.search.moe_dp_sizes = [parallel.moe_dp];
      }
      if (request.search?.dcp_sizes !== undefined) {
        alone.search = { ...alone.search, dcp_sizes: [parallel.dcp ?? 1] };
      }
      location.hash = `/jobs/${(await submit(alone)).id}`;
    } finally {
      target.disabled = false;
    }
  };
  return element("button", { type: "button", "aria-label": `Open ${layout(parallel)}, batch ${batch}`, on: { click: open } }, "Open");
}

/**
 * Searches the sizes of a pair alone with its latencies as limits, so that what it delivers is the best. Latencies are
 * rounded to thousandths, so limits are one up.
 */
function openPairButton({ parallel_p: prefill, parallel_d: decode, ttft_ms: ttft, tpot_ms: tpot }, request, kinds) {
  const above = (millis) => Math.ceil(millis * 1000 + 1) / 1000;
  const open = async ({ target }) => {
    target.disabled = true;
    try {
      const alone = structuredClone(request);
      delete alone.explain;
      alone.slo = { ...alone.slo, ttft_ms: above(ttft), tpot_ms: above(tpot) };
      alone.devices = [...new Set([kinds.prefill, kinds.decode])];
      alone.pd_ratio = {
        ...alone.pd_ratio,
        prefill_devices_per_instance: prefill.tp * prefill.dp,
        decode_devices_per_instance: decode.tp * decode.dp,
        prefill_devices: kinds.prefill,
        decode_devices: kinds.decode,
      };
      const prices = alone.objective?.price_per_device_hour;
      if (typeof prices === "object") {
        alone.objective.price_per_device_hour = Object.fromEntries(alone.devices.map((name) => [name, prices[name]]));
      }
      const both = (size) => [...new Set([prefill[size], decode[size]])];
      alone.search = { ...alone.search, tp_sizes: both("tp") };
      if (prefill.ep !== undefined) {
        Object.assign(alone.search, { ep_sizes: both("ep"), moe_dp_sizes: both("moe_dp") });
      }
      if (request.search?.dcp_sizes !== undefined) {
        alone.search.dcp_sizes = [decode.dcp ?? 1];
      }
      location.hash = `/jobs/${(await submit(alone)).id}`;
    } finally {
      target.disabled = false;
    }
  };
  const words = `Open ${layout(prefill)} feeding ${layout(decode)}, TTFT ${decimals(ttft, 1)} ms, TPOT ${decimals(tpot, 2)} ms`;
  return element("button", { type: "button", "aria-label": words, on: { click: open } }, "Open");
}

function changeInWords({ lever, device, from, to, unit }) {
  const suffix = unit ? ` ${unit}` : "";
  return `${LEVERS[lever]}${device ? ` of ${device}` : ""} ${plain(from)}${suffix} → ${plain(to)}${suffix}`;
}

function planInWords({ instances, tokens_per_s: tokens, tokens_per_s_per_device: perDevice, concurrency, balanced_qps: qps, objective }) {
  const throughput = tokens === undefined ? `${decimals(qps, 2)} requests/s` : `${decimals(tokens, 1)} tokens/s`;
  const each = perDevice !== undefined && `${decimals(perDevice, 1)} tokens/s a device`;
  const rate = [objectiveInWords(objective), each, throughput].filter(Boolean).join(", ");
  const numbered = ({ label, count }) => (count === undefined ? label : `${count} × ${label}`);
  return concurrency === undefined
    ? `${rate}, ${instances.map((instance) => `${numbered(instance)} at batch ${whole(instance.batch_size)}`).join(" with ")}`
    : `${rate}, ${instances.map(numbered).join(" feed ")} at concurrency ${whole(concurrency)}`;
}
