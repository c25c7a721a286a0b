import { endsInWords, isMeasuredRow } from "./bands.js";
import { decimals, layout, plain, promised } from "./format.js";
import { objectiveTerm } from "./objective.js";
import { heldOf, limitedName, meanInWords, shareInWords } from "./percentiles.js";

/** What a row is limited by whose layout serves no more tokens with more requests at once. */
export const PEAK = "its own peak";

/** The same of a row beyond which the search tried nothing, or ranks nothing. */
export const END_OF_SEARCH = "the end of the search";

/** Made up for tests and comparisons with the reference: nobody can buy it, so that it is planned for by its name alone. */
export const TEST_DEVICE = "TEST_DEVICE";

const MODES = { aggregation: "Aggregated serving", disaggregation: "Prefill and decode apart", pd_ratio: "P/D ratio", capacity: "Devices for a demand" };
const PHASES = {
  pd_ratio: "Prefill to decode",
  aggregation: "Aggregated serving",
  prefill: "Prefill instances",
  decode: "Decode instances",
};
const REASONS = {
  memory: "Does not fit in memory",
  ttft: "Misses the TTFT limit",
  tpot: "Misses the TPOT limit",
  e2e_latency: "Misses the request latency limit",
  model: "The model cannot be split this way",
  search: "The search recorded nothing",
  rate: "The request rate saturates it",
  batch_range: "Serves too few requests at once",
};

export function phaseName(phase) {
  return PHASES[phase];
}

export function reasonName(reason) {
  return REASONS[reason];
}

/** What a request asks, in a line for titles: "Qwen/Qwen3-32B on 8 × H100_SXM". */
export function titleOf(request) {
  const model = request.model_id ?? "A pasted model";
  return `${model} on ${devicesInWords(request)}`;
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
      ? `${plain(Math.min(...counts))} to ${plain(Math.max(...counts))} of ${devices.length} devices`
      : devices.map((device, index) => `${counts[index]} × ${device}`).join(" or ");
  }
  const kinds = devices.length > 2 ? `each of ${devices.length} devices` : devices.join(" or ");
  return `${counts[0]} × ${kinds}`;
}

/** Devices that a request names, or counts each by itself; undefined where it leaves them to the service. */
export function devicesAsked({ devices, num_devices: counts }) {
  return devices ?? (typeof counts === "object" && counts !== null ? Object.keys(counts) : undefined);
}

/** The rest of a request, in a line: mode, lengths, limits. */
export function termsOf(request) {
  const mode = MODES[request.mode ?? "aggregation"];
  return [mode, demanded(request), lengths(request.workload ?? {}), limits(request.slo ?? {}), objectiveTerm(request), drafted(request), served(request)].filter(Boolean).join(" · ");
}

/** What a request of mode capacity has to serve; nothing of others. */
export function demanded({ demand, headroom }) {
  const { requests_per_s: requests, tokens_per_s: tokens, concurrency, conversations } = demand ?? {};
  const amount =
    (requests !== undefined && `${plain(requests)} requests/s`) ||
    (tokens !== undefined && `${plain(tokens)} output tokens/s`) ||
    (concurrency !== undefined && `${plain(concurrency)} requests at once`) ||
    (conversations !== undefined && `${plain(conversations)} conversations at once`);
  return amount && `${amount}${headroom > 0 ? ` and ${plain(100 * headroom)} % more` : ""}`;
}

/** What decode steps draft, and how much of it is accepted: "3 draft tokens, a step yields 2.6". */
export function drafted({ speculation, serving }) {
  const tokens = [speculation?.num_draft_tokens ?? serving?.num_mtp_tokens ?? 0].flat();
  const { length, rates, curve } = (speculation ? speculation.acceptance : serving?.mtp_acceptance) ?? {};
  const yields = [
    length !== undefined && `a step yields ${length}`,
    rates && `accepted by position ${rates.join(", ")}`,
    curve && `accepted as ${curve}`,
  ];
  return tokens.some((count) => count > 0) && [`${tokens.join(" or ")} draft ${tokens.join() === "1" ? "token" : "tokens"}`, ...yields].filter(Boolean).join(", ");
}

/** Whether a question is one to cost model `calibrated`. */
export function isCalibrated(request) {
  return request.cost_model === "calibrated";
}

function served(request) {
  const named = [request.engine?.backend, request.quantization?.scheme].map(allOf);
  return isCalibrated(request) && [...named, "by measured kernels"].filter(Boolean).join(", ");
}

/** A value for all devices, or the different ones of each. */
export function allOf(value) {
  return typeof value === "object" && value !== null ? [...new Set(Object.values(value))].join(" or ") : value;
}

/** What one value for all devices, or one for each by its name, is for a device. */
export function ofDevice(value, device) {
  return typeof value === "object" && value !== null ? value[device] : value;
}

function lengths(workload) {
  return lengthsInWords(workload)
    .map(([, words]) => words)
    .join(", ");
}

/** Lengths of prompts and answers and what a cache saves of the prompts, each that is asked for with its words. */
export function lengthsInWords(workload) {
  const {
    input_length: input,
    output_length: output,
    length_distribution: mixed,
    output_distribution: answers,
    prefix_cache_hit_rate: hits,
    conversation,
  } = workload;
  if (conversation) {
    return [["turns", turnsOf(conversation)]];
  }
  return [
    mixed ? ["input", `${lengthsOf(mixed)} in`] : input !== undefined && ["input", `${plain(input)} tokens in`],
    answers ? ["output", `${lengthsOf(answers)} out`] : output !== undefined && ["output", `${plain(output)} out`],
    hits > 0 && ["hits", `${decimals(100 * hits, 0)} % from the prefix cache`],
  ].filter(Boolean);
}

function turnsOf({ turns, added_tokens: added, generated_tokens: generated }) {
  return `conversations of ${plain(turns ?? 0)} turns, ${plain(added ?? 0)} tokens added and ${plain(generated ?? 0)} generated in each`;
}

function lengthsOf({ name, bins }) {
  return name ? `${name} lengths` : `lengths of ${bins?.length ?? 0} bins`;
}

function limits(slo) {
  const said = limitsInWords(slo);
  const parts = said.filter(([which]) => which !== "percentile").map(([, words]) => words);
  return parts.length === 0 ? "no limits" : `${parts.join(slo.percentile === undefined ? ", " : " and ")}${shareInWords(slo.percentile)}`;
}

/** The limits of a request, each with its words, and behind them for how many requests they hold. */
export function limitsInWords({ ttft_ms: ttft, tpot_ms: tpot, ttft_basis: basis, percentile, tokens_per_s_per_user: speed, e2e_latency_ms: whole }) {
  const limited = [
    ["ttft_ms", limit(basis === "settled" ? "settled TTFT" : "TTFT", ttft)],
    ["tpot_ms", limit("TPOT", tpot)],
    ["tokens_per_s_per_user", typeof speed === "number" && `≥ ${plain(speed)} tokens/s a user`],
    ["e2e_latency_ms", limit("request latency", whole)],
  ].filter(([, words]) => words);
  return limited.length > 0 && percentile !== undefined ? [...limited, ["percentile", shareInWords(percentile)]] : limited;
}

function limit(name, value) {
  return typeof value === "number" ? `${name} ≤ ${plain(value)} ms` : null;
}

/** Devices of one instance. */
export function devicesOf({ tp, pp, dp }) {
  return tp * pp * dp;
}

/** A number of things: "1 device", "8 devices". */
export function counted(number, thing) {
  return `${plain(number)} ${thing}${number === 1 ? "" : "s"}`;
}

/**
 * The best configuration as a planner would say it.
 *
 * @param {string} limitedBy as `bindsInWords` says it
 */
export function bestInWords(row, slo, limitedBy) {
  const [name, member] = slo.ttft_basis === "settled" ? ["settled TTFT", "ttft_settled_ms"] : ["TTFT", "ttft_ms"];
  const latencies = [
    latencyOf(row, name, member, "ttft_ms", slo),
    latencyOf(row, "TPOT", "tpot_ms", "tpot_ms", slo),
    latencyOf(row, "request latency", "e2e_latency_ms", "e2e_latency_ms", slo),
  ];
  return {
    lead: `${split(row)}, batch ${plain(row.batch_size)}: `,
    figure: `${throughputOf(row)} tokens/s`,
    rest: `, ${latencies.filter(Boolean).join(", ")}${ending(limitedBy)}`,
  };
}

/** Tokens per second of a row, wherever it is told: only a figure without a band is rounded down, for it is a promise. */
export function throughputOf(row) {
  return isMeasuredRow(row) ? decimals(row.tokens_per_s, 0) : promised(row.tokens_per_s);
}

function split({ parallel, replicas = 1 }) {
  const devices = counted(replicas * devicesOf(parallel), "device");
  return replicas > 1 ? `${devices}, ${replicas} × ${layout(parallel)}` : `${devices}, ${layout(parallel)}`;
}

/** A latency beside its limit; with a limit on a percentile that percentile, and then the mean. */
function latencyOf(row, name, member, limit, slo) {
  const held = typeof slo[limit] === "number" && heldOf(row, limit, slo);
  return held
    ? `${latencyInWords(held, limitedName(name, slo), limit, slo[limit])}, ${meanInWords(row[member])}`
    : latencyInWords(row, name, member, slo.percentile === undefined ? slo[limit] : undefined);
}

function latencyInWords(row, name, member, limitMs) {
  const words = latency(name, row[member], limitMs);
  return words && [words, endsInWords(row, member, row[member] < 1000 ? 1 : 0)].filter(Boolean).join(" ");
}

function ending(limitedBy) {
  if (limitedBy === PEAK) {
    return "; more requests at once do not serve more tokens";
  }
  if (limitedBy === END_OF_SEARCH) {
    return "; the search looked no further";
  }
  return limitedBy === "" ? "" : `; limited by ${limitedBy}`;
}

/** A latency, beside its limit if it has one: "TPOT 49.8 of 50 ms". */
export function latency(name, value, limitMs) {
  if (value === undefined || value === null) {
    return null;
  }
  const figure = decimals(value, value < 1000 ? 1 : 0);
  return typeof limitMs === "number" ? `${name} ${figure} of ${plain(limitMs)} ms` : `${name} ${figure} ms`;
}
