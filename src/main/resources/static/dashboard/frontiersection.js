import { submit } from "./api.js";
import { element } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { frontierPicture } from "./frontier.js";
import { t } from "./language.js";
import { limitsOf } from "./limits.js";
import { table } from "./table.js";
import { isCalibrated, phaseName } from "./words.js";

/** Most points of a frontier that its table shows; the picture and the JSON have all. */
const SHOWN = 25;

/** What no other configuration beats, or what each limit costs, as pictures and as a table whose rows can be opened. */
export function frontierSection({ phase, by_limit: byLimit, untried_above: untriedAbove, points }, request, device) {
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
  return element(
    "div",
    { class: "card" },
    element("h3", {}, t("frontiersection.pareto_frontier_of_plans", { a: phaseName(phase).toLowerCase(), 1: plain(points.length), b: meaning })),
    element("div", { class: "columns" }, frontierPicture(points, has("tokens_per_s_per_user") ? "tokens_per_s_per_user" : "ttft_ms"), has("ttft_ms") && has("tokens_per_s_per_user") && frontierPicture(points, "ttft_ms")),
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
  return element("button", { type: "button", "aria-label": t("frontiersection.open_batch_size", { a: layout(parallel), 1: batch }), on: { click: open } }, t("frontiersection.open"));
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
      alone.slo = { ...limitsOf(alone), ttft_ms: above(ttft), tpot_ms: above(tpot) };
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
  const words = t("frontiersection.open_feeding_ttft_ms", { a: layout(prefill), b: layout(decode), 1: decimals(ttft, 1), 2: decimals(tpot, 2) });
  return element("button", { type: "button", "aria-label": words, on: { click: open } }, t("frontiersection.open"));
}

/** Pairs of instances have a concurrency over all of them where others have a batch size. */
export function loadTitle(loads) {
  return loads.some(({ batch_size: batch, concurrency }) => batch === undefined && concurrency !== undefined) ? t("common.concurrency") : t("common.batch_size");
}
