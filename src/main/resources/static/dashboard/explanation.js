import { submitAndShow } from "./api.js";
import { chartPanel } from "./chartpanel.js";
import { busyButton, element, tool } from "./dom.js";
import { decimals, gigabytes, layout, percent, plain, whole } from "./format.js";
import { said, t } from "./language.js";
import { isOfUsers, objectiveInWords } from "./objective.js";
import { setAt } from "./pointer.js";
import { table } from "./table.js";
import { isCalibrated, limitsOf, phaseName } from "./words.js";

/** Why one device has the answers it has, and what would help; the nearest plans stand where it has none. */
export function explanationSections(explanation, device, request, signal) {
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
        answer.pareto_frontier.map((frontier) => frontierSection(frontier, request, device, signal)),
      ),
    );
}

function bindings({ bottlenecks: binding }, request) {
  const columns = [
    { title: t("common.layout"), text: ({ label }) => label, className: "words" },
    { title: loadTitle(binding), text: ({ batch_size: batch, concurrency }) => whole(batch ?? concurrency) },
    { title: t("explanation.bottleneck"), text: ({ limited_by: binds }) => t(`constraint.${binds}`), className: "words" },
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
      element("ul", {}, levers.map(({ lever, reason }) => element("li", {}, `${t(`lever.${lever}`)}: ${reason}`))),
    )
  );
}

/** Changes that improve the best plan of a device, the most first. */
export function helpful({ answers }, { device }) {
  const changes = answers.filter((answer) => answer.device === device && answer.best).flatMap((answer) => answer.sensitivities);
  return changes.filter((one) => one.outcome === "helps").toSorted((one, other) => Math.abs(other.effect_percent) - Math.abs(one.effect_percent));
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
  const gains = changes.filter((one) => one.outcome === "helps");
  const losses = changes.filter((one) => ["hurts", "no_plan"].includes(one.outcome));
  return [
    gains.length > 0
      ? effects(t("explanation.sensitivities_changes_that_improve"), gains)
      : element("p", { class: "notice" }, t("explanation.no_searched_change_improves")),
    withoutEffect(changes.filter((one) => one.outcome === "no_effect")),
    losses.length > 0 &&
      element(
        "details",
        { class: "losses" },
        element("summary", {}, t("explanation.changes_that_worsen_plan", { 1: whole(losses.length) })),
        effects(t("explanation.sensitivities_changes_that_worsen"), losses),
      ),
  ];
}

/** One line for all changes that do not matter. */
function withoutEffect(changes) {
  const settings = Map.groupBy(changes, ({ change: { lever, device } }) => `${t(`lever.${lever}`)}${device ? t("explanation.of", { 1: device }) : ""}`);
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
        element("li", {}, `${changes.map(changeInWords).join(` ${t("common.and")} `)}: ${planInWords(plan)} `, changes.every(({ pointer }) => pointer !== undefined) && offer(changes)),
      ),
    ),
  );
}

/** Starts the changed search. */
export function askButton(changes, request) {
  return busyButton(t("explanation.rerun_with_new", { a: changes.map(({ lever }) => t(`lever.${lever}`)).join(` ${t("common.and")} `) }), () => submitAndShow(changed(request, changes)));
}

/** Takes the changed question into the form. */
export function turnButton(changes, request, turnTo) {
  const words = t("explanation.use", { a: changes.map(({ to, unit }) => setting(to, unit)).join(` ${t("common.and")} `) });
  return element("button", { type: "button", on: { click: () => turnTo(changed(request, changes)) } }, words);
}

/** The same as a link that says what changes. */
export function turnLink(changes, request, turnTo) {
  return tool(changes.map(changeInWords).join(` ${t("common.and")} `), () => turnTo(changed(request, changes)));
}

/** Another scheme brings its KV cache, also where the request has that of the old one filled in. */
function changed(request, changes) {
  const other = structuredClone(request);
  changes.forEach(({ pointer, to, kv_cache_dtype: cache }) => {
    setAt(other, pointer, to);
    if (cache !== undefined && other.engine?.kv_cache_dtype !== undefined) {
      other.engine.kv_cache_dtype = cache;
    }
  });
  return other;
}

export function changeInWords(change) {
  const { lever, device, from, unit } = change;
  return `${t(`lever.${lever}`)}${device ? t("explanation.of", { 1: device }) : ""} ${said(setting(from, unit))} → ${toInWords(change)}`;
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

const TITLES = { tokens_per_s_per_user: t("frontiersection.tokens_s_per_user"), ttft_ms: t("common.ttft_ms") };

/** Most points of a frontier that its table shows; the picture and the JSON have all. */
const SHOWN = 25;

/** What no other configuration beats, or what each limit costs, as charts and as a table whose rows can be opened. */
function frontierSection({ phase, by_limit: byLimit, untried_above: untriedAbove, points }, request, device, signal) {
  const kinds = kindsOf(device);
  const shown = points.length <= SHOWN ? points : Array.from({ length: SHOWN }, (_, index) => points[Math.round((index * (points.length - 1)) / (SHOWN - 1))]);
  const meaning = byLimit ? t("frontiersection.within_and_beyond_targets") : t("frontiersection.not_dominated_by_another");
  const has = (member) => points.some((point) => point[member] !== undefined);
  const columns = [
    { title: t("common.layout"), text: arrangement, className: "words" },
    { title: loadTitle(points), text: load },
    { title: t("common.tokens_s"), text: ({ tokens_per_s: tokens }) => decimals(tokens, 1) },
    { title: t("common.per_device"), text: ({ tokens_per_s_per_device: tokens }) => decimals(tokens, 1) },
    has("cost_per_million_tokens") && { title: t("frontiersection.cost_per_million_tokens"), text: ({ cost_per_million_tokens: cost }) => decimals(cost, 4) },
    has("tokens_per_s_per_user") && { title: t("frontiersection.per_user"), text: ({ tokens_per_s_per_user: tokens }) => decimals(tokens, 1) },
    has("ttft_ms") && { title: t("common.ttft_ms"), text: ({ ttft_ms: millis }) => decimals(millis, 1) },
    has("tpot_ms") && { title: t("common.tpot_ms"), text: ({ tpot_ms: millis }) => decimals(millis, 2) },
    { title: t("common.targets"), text: ({ within_slo: within }) => (within ? t("common.met") : t("common.missed")), className: "words" },
    has("parallel") && { title: t("frontiersection.open"), text: (point) => openButton(point, request), className: "action" },
    has("batch_size_p") && { title: t("frontiersection.open"), text: (point) => openPairButton(point, request, kinds), className: "action" },
  ];
  const title = t("frontiersection.pareto_frontier_of_plans", { a: phaseName(phase).toLowerCase(), 1: plain(points.length), b: meaning });
  const charts = Object.keys(TITLES).filter(has).map((member) => ({
    title: t("curves.by", { a: t("common.tokens_s_per_device"), b: TITLES[member] }),
    kind: t("common.plan"),
    x: { name: TITLES[member], label: TITLES[member], limit: null },
    y: { name: t("common.tokens_s_per_device"), label: t("common.tokens_s_per_device"), limit: null },
    series: [{ label: t("downloads.pareto_frontier"), scattered: true, points: points.filter((point) => point[member] !== undefined).map((point) => ({ x: point[member], y: point.tokens_per_s_per_device, withinSlo: point.within_slo })) }],
  }));
  return element(
    "div",
    { class: "card" },
    element("h3", {}, title),
    chartPanel(title, charts, signal),
    untriedAbove !== undefined &&
      element("p", { class: "hint" }, t("frontiersection.not_every_layout_was", { 1: whole(untriedAbove) })),
    element("details", {}, element("summary", {}, t("frontiersection.plans_pareto_frontier")), table(t("frontiersection.plans", { a: meaning }), columns.filter(Boolean), shown)),
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
  return parallel ? layout(parallel) : t("frontiersection.feed", { a: feeding, b: layout(prefill), c: fed, d: layout(decode) });
}

/** Lifts the limits of a request; which of them there are says which phases are searched. */
function unlimited(request) {
  if (isCalibrated(request)) {
    delete request.slo;
  } else {
    request.slo = Object.fromEntries(Object.keys(limitsOf(request)).map((limit) => [limit, "inf"]));
  }
}

/** Searches that configuration alone, without limits, so that its figures and bars are shown. */
function openButton({ parallel, batch_size: batch }, request) {
  const alone = () => {
    const { explain: _, ...other } = structuredClone(request);
    unlimited(other);
    other.search = { ...other.search, tp_sizes: [parallel.tp], batch_range: [batch, batch] };
    if (isCalibrated(request)) {
      other.search.dp_sizes = [parallel.dp];
    }
    if (parallel.ep !== undefined) {
      Object.assign(other.search, { ep_sizes: [parallel.ep], ...(!isCalibrated(request) && { moe_dp_sizes: [parallel.moe_dp] }) });
    }
    return withContextSizes(other, parallel);
  };
  return opener(t("frontiersection.open_batch_size", { a: layout(parallel), 1: batch }), alone);
}

/**
 * Searches the sizes of a pair alone with its latencies as limits, so that what it delivers is the best. Latencies are
 * rounded to thousandths, so limits are one up.
 */
function openPairButton({ parallel_p: prefill, parallel_d: decode, ttft_ms: ttft, tpot_ms: tpot }, request, kinds) {
  const above = (millis) => Math.ceil(millis * 1000 + 1) / 1000;
  const both = (size) => [...new Set([prefill[size], decode[size]])];
  const alone = () => {
    const { explain: _, ...other } = structuredClone(request);
    other.slo = { ...limitsOf(other), ttft_ms: above(ttft), tpot_ms: above(tpot) };
    other.devices = [...new Set([kinds.prefill, kinds.decode])];
    other.pd_ratio = {
      ...other.pd_ratio,
      prefill_devices_per_instance: prefill.tp * prefill.dp,
      decode_devices_per_instance: decode.tp * decode.dp,
      prefill_devices: kinds.prefill,
      decode_devices: kinds.decode,
    };
    const prices = other.objective?.price_per_device_hour;
    if (typeof prices === "object") {
      other.objective.price_per_device_hour = Object.fromEntries(other.devices.map((name) => [name, prices[name]]));
    }
    other.search = { ...other.search, tp_sizes: both("tp"), ...(prefill.ep !== undefined && { ep_sizes: both("ep"), moe_dp_sizes: both("moe_dp") }) };
    return withContextSizes(other, decode);
  };
  return opener(t("frontiersection.open_feeding_ttft_ms", { a: layout(prefill), b: layout(decode), 1: decimals(ttft, 1), 2: decimals(tpot, 2) }), alone);
}

function withContextSizes(request, { dcp = 1 }) {
  return request.search.dcp_sizes === undefined ? request : { ...request, search: { ...request.search, dcp_sizes: [dcp] } };
}

function opener(words, alone) {
  return busyButton(t("frontiersection.open"), () => submitAndShow(alone()), { "aria-label": words });
}

/** Pairs of instances have a concurrency over all of them where others have a batch size. */
function loadTitle(loads) {
  return loads.some(({ batch_size: batch, concurrency }) => batch === undefined && concurrency !== undefined) ? t("common.concurrency") : t("common.batch_size");
}
