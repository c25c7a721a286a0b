import { isMeasured, vendorOf } from "./catalogue.js";
import { plain } from "./format.js";
import { limitsOf } from "./limits.js";
import { isCalibrated } from "./words.js";

const ASCEND = "HUAWEI";
const SCHEMES = { DISABLED: "BF16", FP8: "FP8" };
const EIGHT_BITS = ["W8A8_DYNAMIC", "W8A8_STATIC"];
const CACHES = { DISABLED: "bf16", FP8: "fp8", INT8: "fp8" };
/** Most draft tokens of a step that silicon knows. */
const MOST_DRAFTS = 8;
const LINEAR = { BF16: "DISABLED", FP8: "FP8", FP8_BLOCK: "FP8", W8A8: "W8A8_DYNAMIC" };

/**
 * The same question to the other cost model, as far as that knows it.
 *
 * @returns {{request: Object, changes: string[]}|{obstacle: string}} what is asked, and in which words it differs; or why it
 *     cannot be asked
 */
export function askedOtherwise(request) {
  return isCalibrated(request) ? asReference(request) : asSilicon(request);
}

function asSilicon(request) {
  const { workload, quantization, devices, mode } = request;
  const unmeasured = devices.filter((name) => !isMeasured(name));
  const ascend = devices.filter((name) => vendorOf(name) === ASCEND);
  const scheme = schemeOf(quantization.linear, ascend.length > 0);
  const tokens = [request.serving?.num_mtp_tokens ?? 0].flat();
  const most = Math.max(...tokens);
  const acceptance = acceptanceOf(request.serving, most);
  const several = [quantization.linear, quantization.attention].some(Array.isArray);
  const obstacles = [
    mode === "disaggregation" && "knows phases only as parts of a system",
    unmeasured.length > 0 && `knows no kernels of ${unmeasured.join(", ")}`,
    ascend.length > 0 && ascend.length < devices.length && "takes one engine for all devices",
    workload.image && "prices no images",
    most > MOST_DRAFTS && `drafts no more than ${MOST_DRAFTS} tokens a step`,
    most > 0 && !falls(acceptance.rates) && "takes no rates of acceptance that rise with the position",
    several && "takes one quantization",
    quantization.checkpoint && "takes a scheme by its name",
    quantization.non_expert_linear && "says by its scheme alone what experts and other layers have",
    !several && !scheme && `has no scheme like ${quantization.linear}`,
  ].filter(Boolean);
  if (obstacles.length > 0) {
    return { obstacle: `Silicon cannot be asked the same: it ${obstacles.join(", and ")}.` };
  }
  const backend = ascend.length > 0 ? "vllm-ascend" : "vllm";
  return {
    request: {
      ...common(request),
      cost_model: "calibrated",
      quantization: { scheme },
      engine: { backend, kv_cache_dtype: scheme === "W8A8" ? undefined : CACHES[quantization.attention] },
      speculation: most > 0 ? { num_draft_tokens: tokens, acceptance } : undefined,
    },
    changes: [
      `engine ${backend}`,
      `scheme ${scheme} for ${quantization.linear}`,
      quantization.attention === "INT8" && "a cache in FP8 for INT8",
      most > 0 && "the time that drafting takes besides kernels",
    ].filter(Boolean),
  };
}

/** How much of the drafts is accepted, as silicon takes it: positions without a rate accept nothing. */
function acceptanceOf(serving, drafts) {
  const { mtp_acceptance: acceptance, mtp_acceptance_rate: rates = [] } = serving ?? {};
  return acceptance ?? { rates: Array.from({ length: drafts }, (_, position) => rates[position] ?? 0) };
}

/** Whether no draft is accepted more often than the one before it. */
function falls(rates = []) {
  return rates.every((rate, position) => position === 0 || rate <= rates[position - 1]);
}

function schemeOf(linear, ascend) {
  return SCHEMES[linear] ?? (EIGHT_BITS.includes(linear) ? (ascend ? "W8A8" : "FP8") : null);
}

function asReference(request) {
  const { quantization, engine, traffic, workload, speculation } = request;
  const linear = LINEAR[quantization.scheme];
  if (typeof quantization.scheme === "object") {
    return { obstacle: "The reference cannot be asked the same: it takes one quantization for all devices." };
  }
  if (!linear) {
    return { obstacle: `The reference cannot be asked the same: it has no quantization like ${quantization.scheme}.` };
  }
  const share = (1 + (traffic?.random_range_ratio ?? 1)) / 2;
  const mean = (tokens) => Math.max(1, Math.round(share * tokens));
  const lengths = share < 1 ? { input_length: mean(workload.input_length), output_length: mean(workload.output_length) } : {};
  return {
    request: {
      ...common(request),
      workload: { ...workload, ...lengths },
      slo: { ttft_ms: request.slo?.ttft_ms, tpot_ms: limitsOf(request).tpot_ms, e2e_latency_ms: request.slo?.e2e_latency_ms },
      quantization: { linear, attention: engine.kv_cache_dtype === "fp8" ? "FP8" : "DISABLED" },
      serving: { compile: true, ...drafting(speculation) },
    },
    changes: [
      "compiled graphs",
      `linear layers ${linear} for ${quantization.scheme}`,
      share < 1 && `mean lengths, ${plain(lengths.input_length)} in and ${plain(lengths.output_length)} out`,
      drafts(speculation) && "no time that drafting takes besides passes",
      request.slo?.ttft_basis === "settled" && "its only TTFT for the settled one",
      request.slo?.percentile !== undefined && `means within the limits for percentile ${plain(request.slo.percentile)}`,
    ].filter(Boolean),
  };
}

/** What the reference drafts, and accepts of it, in place of what silicon does. */
function drafting(speculation) {
  if (!drafts(speculation)) {
    return {};
  }
  const { num_draft_tokens: tokens, acceptance } = speculation;
  return { num_mtp_tokens: [tokens].flat(), mtp_acceptance: acceptance };
}

function drafts(speculation) {
  return [speculation?.num_draft_tokens ?? 0].flat().some((tokens) => tokens > 0);
}

/** What both take, with the same meaning. */
function common(request) {
  const { model_id, model_config, devices, device_profiles, num_devices, mode, workload, slo, search, pd_ratio } = request;
  const { demand, headroom, instance_sizes } = request;
  return {
    allow_beyond_context: request.allow_beyond_context,
    model_id,
    model_config,
    devices,
    device_profiles: device_profiles?.length > 0 ? device_profiles : undefined,
    num_devices,
    mode,
    pd_ratio,
    demand,
    headroom,
    instance_sizes,
    workload,
    slo,
    search: { tp_sizes: search?.tp_sizes, batch_range: search?.batch_range },
  };
}
