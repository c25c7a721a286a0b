import { isMeasuredRow } from "./bands.js";
import { decimals, plain, promised } from "./format.js";
import { t } from "./language.js";
import { objectiveTerm } from "./objective.js";

/** Made up for tests and comparisons with the reference: nobody can buy it, so that it is planned for by its name alone. */
export const TEST_DEVICE = "TEST_DEVICE";

/** Latencies of a row that can have a limit, with their names. */
export const LATENCIES = { ttft_ms: "TTFT", tpot_ms: "TPOT", e2e_latency_ms: t("common.e2e_latency") };

export function phaseName(phase) {
  return t(`phase_name.${phase}`);
}

export function reasonName(reason) {
  return t(`rejection.${reason}`);
}

/** What a request asks, in a line for titles: "Qwen/Qwen3-32B on 8 × H100_SXM". */
export function titleOf(request) {
  const model = request.model_id ?? t("common.a_pasted_model");
  return t("words.on", { a: model, b: devicesInWords(request) });
}

/** What a job is called, or else what it asks. */
export function nameOf({ name, request }) {
  return name ?? titleOf(request);
}

/** What a request is to run on: "8 × H100_SXM". */
export function devicesInWords(request) {
  const devices = devicesAsked(request) ?? [TEST_DEVICE];
  const counts = devices.map((device) => ofDevice(request.num_devices, device) ?? 1);
  if (new Set(counts).size > 1) {
    return devices.length > 3
      ? t("words.to_of_devices", { 1: plain(Math.min(...counts)), 2: plain(Math.max(...counts)), 3: devices.length })
      : devices.map((device, index) => `${counts[index]} × ${device}`).join(` ${t("common.or")} `);
  }
  const kinds = devices.length > 2 ? t("words.each_of_devices", { 1: devices.length }) : devices.join(` ${t("common.or")} `);
  return `${counts[0]} × ${kinds}`;
}

/** Devices that a request names, or counts each by itself; undefined where it leaves them to the service. */
export function devicesAsked({ devices, num_devices: counts }) {
  return devices ?? (typeof counts === "object" && counts !== null ? Object.keys(counts) : undefined);
}

/** The rest of a request, in a line: mode, lengths, limits. */
export function termsOf(request) {
  const mode = t(`mode.${request.mode ?? "aggregation"}`);
  return [mode, demanded(request), lengths(request.workload ?? {}), limits(request.slo ?? {}), objectiveTerm(request), drafted(request), served(request)].filter(Boolean).join(" · ");
}

/** What a request of mode capacity has to serve; nothing of others. */
export function demanded({ demand, headroom }) {
  const { requests_per_s: requests, tokens_per_s: tokens, concurrency, conversations } = demand ?? {};
  const amount =
    (requests !== undefined && t("common.requests_s_count", { 1: plain(requests) })) ||
    (tokens !== undefined && t("words.output_tokens_s", { 1: plain(tokens) })) ||
    (concurrency !== undefined && t("words.concurrent_requests", { 1: plain(concurrency) })) ||
    (conversations !== undefined && t("words.concurrent_conversations", { 1: plain(conversations) }));
  return amount && `${amount}${headroom > 0 ? t("words.and_percent_headroom", { 1: plain(100 * headroom) }) : ""}`;
}

/** What decode steps draft, and how much of it is accepted: "3 draft tokens, a step yields 2.6". */
export function drafted({ speculation, serving }) {
  const tokens = [speculation?.num_draft_tokens ?? serving?.num_mtp_tokens ?? 0].flat();
  const { length, rates, curve } = (speculation ? speculation.acceptance : serving?.mtp_acceptance) ?? {};
  const yields = [
    length !== undefined && t("words.acceptance_length", { 1: length }),
    rates && t("words.acceptance_rates", { a: rates.join(", ") }),
    curve && t("words.acceptance_curve", { a: curve }),
  ];
  return tokens.some((count) => count > 0) && [t("words.draft_tokens", { a: tokens.join(` ${t("common.or")} `) }), ...yields].filter(Boolean).join(", ");
}

/** Number of devices of each kind that a pair uses. */
export function devicesOfPair(pair, { device }) {
  const [prefill, decode] = [pair.device_p ?? device, pair.device_d ?? device];
  const counts = { [prefill]: pair.prefill_instances * pair.num_devices_p };
  counts[decode] = (counts[decode] ?? 0) + pair.decode_instances * pair.num_devices_d;
  return counts;
}

/** Whether a question is one to cost model `calibrated`. */
export function isCalibrated(request) {
  return request.cost_model === "calibrated";
}

function served(request) {
  const named = [request.engine?.backend, request.quantization?.scheme].map(allOf);
  return isCalibrated(request) && [...named, t("common.with_the_calibrated_model")].filter(Boolean).join(", ");
}

/** A value for all devices, or the different ones of each. */
export function allOf(value) {
  return typeof value === "object" && value !== null ? [...new Set(Object.values(value))].join(` ${t("common.or")} `) : value;
}

/** What one value for all devices, or one for each by its name, is for a device. */
export function ofDevice(value, device) {
  return typeof value === "object" && value !== null ? value[device] : value;
}

function lengths(workload) {
  return lengthsInWords(workload).map(([, words]) => words).join(", ");
}

/** Lengths of prompts and answers and what a cache saves of the prompts, each that is asked for with its words. */
export function lengthsInWords(workload) {
  const { input_length: input, length_distribution: mixed, prefix_cache_hit_rate: hits } = workload;
  const { output_length: output, output_distribution: answers, conversation } = workload;
  if (conversation) {
    return [["turns", turnsOf(conversation)]];
  }
  return [
    mixed ? ["input", t("words.input", { a: lengthsOf(mixed) })] : input !== undefined && ["input", t("words.input_tokens", { 1: plain(input) })],
    answers ? ["output", t("words.output", { a: lengthsOf(answers) })] : output !== undefined && ["output", t("words.output_tokens", { 1: plain(output) })],
    hits > 0 && ["hits", t("words.percent_prefix_cache_hits", { 1: decimals(100 * hits, 0) })],
  ].filter(Boolean);
}

function turnsOf({ turns, added_tokens: added, generated_tokens: generated }) {
  return t("words.conversations_turns_tokens_added", { 1: plain(turns ?? 0), 2: plain(added ?? 0), 3: plain(generated ?? 0) });
}

function lengthsOf({ name, bins }) {
  return name ? t("words.lengths", { a: name }) : t("words.lengths_of_bins", { 1: bins?.length ?? 0 });
}

function limits(slo) {
  const said = limitsInWords(slo);
  const parts = said.filter(([which]) => which !== "percentile").map(([, words]) => words);
  return parts.length === 0 ? t("common.no_targets") : `${parts.join(slo.percentile === undefined ? ", " : ` ${t("common.and")} `)}${shareInWords(slo.percentile)}`;
}

/** The limits of a request, each with its words, and behind them for how many requests they hold. */
export function limitsInWords({ ttft_ms: ttft, tpot_ms: tpot, ttft_basis: basis, percentile, tokens_per_s_per_user: speed, e2e_latency_ms: whole }) {
  const limited = [
    ["ttft_ms", limit(basis === "settled" ? t("common.steady_state_ttft") : "TTFT", ttft)],
    ["tpot_ms", limit("TPOT", tpot)],
    ["tokens_per_s_per_user", typeof speed === "number" && t("words.at_least_tokens_s", { 1: plain(speed) })],
    ["e2e_latency_ms", limit(t("common.e2e_latency"), whole)],
  ].filter(([, words]) => words);
  return limited.length > 0 && percentile !== undefined ? [...limited, ["percentile", shareInWords(percentile)]] : limited;
}

function limit(name, value) {
  return typeof value === "number" ? t("words.at_most_ms", { a: name, 1: plain(value) }) : null;
}

export function devicesOf({ tp, pp = 1, dp = 1 }) {
  return tp * pp * dp;
}

/** Tokens per second of a row, wherever it is told: only a figure without a band is rounded down, for it is a promise. */
export function throughputOf(row) {
  return isMeasuredRow(row) ? decimals(row.tokens_per_s, 0) : promised(row.tokens_per_s);
}

/** A latency, beside its limit if it has one: "TPOT 49.8 of 50 ms". */
export function latency(name, value, limitMs) {
  if (value === undefined || value === null) {
    return null;
  }
  const figure = decimals(value, value < 1000 ? 1 : 0);
  return typeof limitMs === "number" ? t("words.of_ms", { a: name, b: figure, c: plain(limitMs) }) : t("words.ms", { a: name, b: figure });
}

/**
 * The limits of a request with that on TPOT in ms, however it was asked for: the least tokens per second that a user
 * sees are one over it.
 */
export function limitsOf({ slo = {} }) {
  const { tokens_per_s_per_user: speed, ...others } = slo;
  return typeof speed === "number" ? { ...others, tpot_ms: 1000 / speed } : slo;
}

/** Whose limit it is: "TTFT", or with a limit on a percentile "TTFT p95". */
export function limitedName(name, { percentile }) {
  return percentile === undefined ? name : `${name} p${plain(percentile)}`;
}

/** Behind limits: " for 95 of 100 requests"; empty where they are on means. */
function shareInWords(percentile) {
  return percentile === undefined ? "" : t("percentiles.for_of_100_requests", { 1: plain(percentile) });
}

/**
 * What the limit of a row's figure is held against, with its ends, under the names by which figures of a row are found: what its
 * simulation showed, where limits are on a percentile. Nothing where they are on means, or the row was not simulated.
 *
 * @param {string} member `ttft_ms`, `tpot_ms` or `e2e_latency_ms`
 */
export function heldOf(row, member, { percentile }) {
  const other = percentile === undefined ? undefined : row.simulation?.[member]?.others.find((one) => one.percentile === percentile);
  return other && { flags: row.flags, [member]: other.ms, [`${member}_band`]: other.ms_band, [`${member}_range`]: other.ms_range };
}

/** The figures that have a limit on a percentile. */
export function limitedOf(slo) {
  return Object.keys(LATENCIES).filter((member) => slo.percentile !== undefined && typeof slo[member] === "number");
}

/** What keeps a row from more requests at once, as the service says; empty where it does not, as in results of earlier versions. */
export function bindsInWords({ limited_by: binds = [] }, request) {
  return binds.map((limit) => latencyName(limit, request) ?? t(`bound.${limit}`)).join(` ${t("common.and")} `);
}

/** A transfer of caches takes its part of the limit on TTFT. */
function latencyName(limit, { slo = {}, pd_ratio: ratio }) {
  const name = LATENCIES[`${limit}_ms`];
  return name && `${limitedName(name, slo)}${limit === "ttft" && ratio?.kv_transfer ? t("binds.including_kv_transfer") : ""}`;
}
