import { answerOf, askBeside, submitAndWait } from "./api.js";
import { isMeasured, loadDevices, vendorOf } from "./catalogue.js";
import { busyButton, element, fill, pause } from "./dom.js";
import { decimals, plain } from "./format.js";
import { t } from "./language.js";
import { bestDevice } from "./results.js";
import { isCalibrated, limitsOf, ofDevice } from "./words.js";

/** Only who pauses that long is answered more than was asked. */
const PAUSE_MILLIS = 700;

/** Objectives that rank as the figure does that is compared. */
const BY_TOKENS = [undefined, "tokens_per_s", "tokens_per_s_per_device"];

/** What prefill and decode apart would serve in place of together, or together in place of apart: a line for a place of its own. */
export class OtherMode {
  /** @param {function} turnTo takes a question into the form */
  constructor(turnTo) {
    this.turnTo = turnTo;
    this.node = element("div", { class: "other-mode", "aria-live": "polite" });
  }

  /** Asks once nobody has changed the question for a while; the same answer is asked about once. */
  async ask(request, answer) {
    this.giveUp();
    const other = otherModeOf(request);
    if (!other) {
      this.node.replaceChildren();
      return;
    }
    this.node.replaceChildren(placeOf(other));
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    answer.other ??= await answerOf(pause(PAUSE_MILLIS, signal).then(() => askBeside(other.request, signal)));
    if (!signal.aborted) {
      this.node.replaceChildren(this.line(other, answer));
    }
  }

  giveUp() {
    this.leaving?.abort();
  }

  line({ request, words }, { result, other }) {
    const button = element("button", { type: "button", class: "link", on: { click: () => this.turnTo(request) } }, t("othermode.use_this_mode"));
    if (!other.result) {
      const { message, problem } = other;
      return element("p", {}, `${words}: `, message ?? problem?.detail ?? t("othermode.no_result"), " ", button);
    }
    const said = element("strong", {}, mostInWords(other.result, result));
    return element("p", {}, `${words}: `, said, ". ", mostOf(other.result) !== undefined && button);
  }
}

/** What keeps the place of a line that is not there yet: what stands below must not move from under a pointer. */
function placeOf({ words }) {
  return element("p", { "aria-hidden": "true" }, `${words}: `, "… ", element("button", { type: "button", class: "link", disabled: true }, t("othermode.use_this_mode")));
}

/** The same question of the other mode, with instances of all sizes that fit. Nothing where both would not be of the same. */
function otherModeOf(request) {
  const { mode = "aggregation", traffic = {} } = request;
  const comparable = ranksByTokens(request) && traffic.request_rate === undefined;
  const other = { aggregation: apart, pd_ratio: together }[mode];
  return comparable && other ? other(request) : null;
}

function apart({ percentiles: _, dump_original_results: __, explain: ___, ...request }) {
  const count = countOf(request);
  // The roofline counts whole instances where it may choose among several sizes.
  const sizes = count === 2 && !isCalibrated(request) ? [1, 2] : undefined;
  const pairs = sizes && { pd_ratio: { prefill_devices_per_instance: sizes, decode_devices_per_instance: sizes } };
  return count < 2 ? null : { request: { ...request, mode: "pd_ratio", ...pairs }, words: t("common.disaggregated") };
}

/** Devices of the only kind. */
function countOf({ num_devices: counts, devices: [device] }) {
  return ofDevice(counts, device) ?? 1;
}

function together({ pd_ratio: _, explain: __, ...request }) {
  return { request: { ...request, mode: "aggregation" }, words: t("othermode.aggregated_on_devices", { 1: plain(countOf(request)) }) };
}

/** Whether the answer to a question is told by its tokens per second: of one kind of device, and of means. */
export function ranksByTokens({ devices = [], slo = {}, objective }) {
  return devices.length === 1 && BY_TOKENS.includes(objective?.name ?? objective) && slo.percentile === undefined;
}

/** The most tokens per second of a result, against that of another. */
export function mostInWords(result, other) {
  const most = mostOf(result);
  return most === undefined ? t("common.no_feasible_plan") : t("othermode.tokens_s", { a: decimals(most, 0), b: compared(most, mostOf(other)) });
}

/** Most tokens per second of all devices. */
function mostOf(result) {
  if (!result) {
    return undefined;
  }
  const device = bestDevice(result);
  const rows = device.pd_ratio?.rows ?? device.phases[0]?.rows ?? [];
  const rates = rows.map(({ tokens_per_s: rate }) => rate).filter((rate) => rate !== undefined);
  return rates.length === 0 ? undefined : Math.max(...rates);
}

function compared(its, mine) {
  if (mine === undefined || mine === 0) {
    return "";
  }
  const percent = 100 * (its / mine - 1);
  if (Math.abs(percent) < 0.5) {
    return t("othermode.the_same");
  }
  return t(percent > 0 ? "othermode.more" : "othermode.less", { 1: decimals(Math.abs(percent), 0) });
}

/** A button that compares with the other cost model, or why that does not support the request. */
export function otherAnswer(state) {
  const paragraph = element("p", { class: "hint other-model", "aria-live": "polite" });
  answerOf(loadDevices().then(() => show(paragraph, state)));
  return paragraph;
}

function show(paragraph, { id, request }) {
  const { request: asked, changes, obstacle } = askedOtherwise(request);
  if (obstacle) {
    fill(paragraph, obstacle);
    return;
  }
  const ask = async () => {
    const answer = await submitAndWait(asked);
    location.hash = answer.result ? `/compare/${id},${answer.id}` : `/jobs/${answer.id}`;
  };
  fill(
    paragraph,
    busyButton(isCalibrated(request) ? t("otheranswer.compare_with_roofline") : t("otheranswer.compare_with_calibrated"), ask),
    ` ${t("otheranswer.same_request_with_other", { A: changes.join(", ") })}`,
  );
}

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
function askedOtherwise(request) {
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
const COMMON = ["allow_beyond_context", "model_id", "model_config", "devices", "num_devices", "mode", "pd_ratio", "demand", "headroom", "instance_sizes", "workload", "slo"];

function common({ device_profiles: profiles, search, ...request }) {
  return {
    ...Object.fromEntries(COMMON.map((member) => [member, request[member]])),
    device_profiles: profiles?.length > 0 ? profiles : undefined,
    search: { tp_sizes: search?.tp_sizes, batch_range: search?.batch_range },
  };
}
