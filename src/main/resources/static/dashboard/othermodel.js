import { isMeasured, vendorOf } from "./catalogue.js";
import { plain } from "./format.js";
import { t } from "./language.js";
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
    mode === "disaggregation" && t("othermodel.does_not_support_single"),
    unmeasured.length > 0 && t("othermodel.has_no_kernels_for", { a: unmeasured.join(", ") }),
    ascend.length > 0 && ascend.length < devices.length && t("othermodel.requires_one_engine_for"),
    workload.image && t("othermodel.does_not_support_images"),
    most > MOST_DRAFTS && t("othermodel.supports_at_most_draft", { 1: MOST_DRAFTS }),
    most > 0 && !falls(acceptance.rates) && t("othermodel.does_not_support_acceptance"),
    several && t("othermodel.requires_one_quantization"),
    quantization.checkpoint && t("othermodel.requires_named_weight_format"),
    quantization.non_expert_linear && t("othermodel.does_not_support_separate"),
    !several && !scheme && t("othermodel.has_no_weight_format", { a: quantization.linear }),
  ].filter(Boolean);
  if (obstacles.length > 0) {
    return { obstacle: t("othermodel.calibrated_model_does_not", { A: obstacles.join(`${t("othermodel.and")} `) }) };
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
      t("othermodel.engine", { a: backend }),
      t("othermodel.weights_instead_of", { a: scheme, b: quantization.linear }),
      quantization.attention === "INT8" && t("othermodel.kv_cache_fp8_instead"),
      most > 0 && t("othermodel.draft_overhead_outside_kernels"),
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
    return { obstacle: t("othermodel.roofline_model_does_not") };
  }
  if (!linear) {
    return { obstacle: t("othermodel.roofline_model_does_not_value", { a: quantization.scheme }) };
  }
  const share = (1 + (traffic?.random_range_ratio ?? 1)) / 2;
  const mean = (tokens) => Math.max(1, Math.round(share * tokens));
  const lengths = share < 1 ? { input_length: mean(workload.input_length), output_length: mean(workload.output_length) } : {};
  return {
    request: {
      ...common(request),
      cost_model: "analytic",
      workload: { ...workload, ...lengths },
      slo: { ttft_ms: request.slo?.ttft_ms, tpot_ms: limitsOf(request).tpot_ms, e2e_latency_ms: request.slo?.e2e_latency_ms },
      quantization: { linear, attention: engine.kv_cache_dtype === "fp8" ? "FP8" : "DISABLED" },
      serving: { compile: true, ...drafting(speculation) },
    },
    changes: [
      t("othermodel.compiled_graphs"),
      t("othermodel.linear_layers_instead_of", { a: linear, b: quantization.scheme }),
      share < 1 && t("othermodel.mean_lengths_input_and", { 1: plain(lengths.input_length), 2: plain(lengths.output_length) }),
      drafts(speculation) && t("othermodel.no_draft_overhead_outside"),
      request.slo?.ttft_basis === "settled" && t("othermodel.its_single_ttft_instead"),
      request.slo?.percentile !== undefined && t("othermodel.targets_applied_means_instead", { 1: plain(request.slo.percentile) }),
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
