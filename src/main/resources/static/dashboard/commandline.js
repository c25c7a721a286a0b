import { oneOrMore } from "./fields.js";
import { t } from "./language.js";
import { setAt } from "./pointer.js";

const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g;
const PIECE = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)/g;
const PROGRAM = /throughput_optimizer(\.py)?$/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const FLAG = /^--|^-[a-z]/i;

/** Flags of the reference's command line, with their place in a request and how their values are read. */
const FLAGS = {
  "--model-id": ["/model_id", "text"],
  "--device": ["/devices", "list"],
  "--devices": ["/devices", "list"],
  "--num-devices": ["/num_devices", "one"],
  "--reserved-memory-gb": ["/serving/reserved_memory_gb", "one"],
  "--quantize-linear-action": ["/quantization/linear", "some"],
  "--quantize-attention-action": ["/quantization/attention", "some"],
  "--quantize-non-expert-linear-action": ["/quantization/non_expert_linear", "others"],
  "--quantize-backbone-linear-action": ["/quantization/non_expert_linear", "others"],
  "--mxfp4-group-size": ["/quantization/mxfp4_group_size", "one"],
  "--input-length": ["/workload/input_length", "length"],
  "--output-length": ["/workload/output_length", "one"],
  "--length-distribution": ["/workload/length_distribution/name", "name"],
  "--prefix-cache-hit-rate": ["/workload/prefix_cache_hit_rate", "one"],
  "--image-batch-size": ["/workload/image/batch_size", "one"],
  "--image-height": ["/workload/image/height", "one"],
  "--image-width": ["/workload/image/width", "one"],
  "--ttft-limits": ["/slo/ttft_ms", "limit"],
  "--ttft-limit": ["/slo/ttft_ms", "limit"],
  "--tpot-limits": ["/slo/tpot_ms", "limit"],
  "--tpot-limit": ["/slo/tpot_ms", "limit"],
  "--disagg": ["/mode", "disaggregation"],
  "--enable-optimize-prefill-decode-ratio": ["/mode", "pd_ratio"],
  "--prefill-devices-per-instance": ["/pd_ratio/prefill_devices_per_instance", "one"],
  "--decode-devices-per-instance": ["/pd_ratio/decode_devices_per_instance", "one"],
  "--compile": ["/serving/compile", "switch"],
  "--serving-cost": ["/serving/serving_cost_ms", "one"],
  "--enable-shared-expert-tp": ["/serving/shared_expert_tp", "switch"],
  "--num-mtp-tokens": ["/serving/num_mtp_tokens", "some"],
  "--mtp-acceptance-rate": ["/serving/mtp_acceptance_rate", "list"],
  "--mtp-acceptance-rates": ["/serving/mtp_acceptance_rate", "list"],
  "--tp-sizes": ["/search/tp_sizes", "list"],
  "--ep-sizes": ["/search/ep_sizes", "list"],
  "--moe-dp-sizes": ["/search/moe_dp_sizes", "list"],
  "--dcp-sizes": ["/search/dcp_sizes", "list"],
  "--batch-range": ["/search/batch_range", "list"],
  "--max-batched-tokens": ["/search/max_batched_tokens", "some"],
  "--max-prefill-tokens": ["/search/max_batched_tokens", "some"],
  "--concurrency-search-strategy": ["/search/strategy", "text"],
  "--dump-original-results": ["/dump_original_results", "switch"],
};

/** Flags that take no value, so that the model may stand behind them. */
const SWITCHES = ["--verbose", "--quiet", "--compile-allow-graph-break", "--enable-multistream", "--enable-sequence-parallel", "--enable-dispatch-ffn-combine", "--word-embedding-tp"];

/** Why a flag has no place in a request; docs/reference/cli-flags-msmodeling.md says more. */
const WITHOUT_PLACE = [
  [/^--(jobs|log-level|verbose|quiet|max-search-combinations|help|version)$/, t("commandline.not_part_request")],
  [/^--(compile-allow-graph-break|enable-|compilation-config|word-embedding-tp)/, t("commandline.is_not_modeled")],
  [/^--(speculative|num-speculative|acceptance|num-draft|draft|dspark)/, t("commandline.not_modeled_only_multi")],
  [/^--(performance-model|profiling-database)/, t("commandline.set_by_cost_model")],
  [/^--chrome-trace/, t("commandline.is_listed_by_estimates")],
];

/**
 * The question of a command line of the reference.
 *
 * @param {string} text as it was typed into a shell, with or without the program
 * @returns {{request: Object, leftOut: {flag: string, reason: string}[]}} what the form is filled with, and what it has no place for
 */
export function questionOf(text) {
  const words = wordsOf(text);
  const request = {};
  const leftOut = [];
  while (words.length > 0) {
    const word = words.shift();
    if (!FLAG.test(word)) {
      request.model_id ??= word;
      continue;
    }
    const [flag, ...joined] = word.split("=");
    const [pointer, kind] = FLAGS[flag] ?? [];
    const values = valuesOf(words, joined, flag, kind, request);
    const reason = pointer === undefined ? reasonOf(flag) : put(request, pointer, kind, values);
    if (reason) {
      leftOut.push({ flag, reason });
    }
  }
  return { request: { cost_model: "analytic", ...request, devices: request.devices ?? ["TEST_DEVICE"] }, leftOut };
}

/** Words of a shell, from behind the program on. */
function wordsOf(text) {
  const lines = text.replace(/\\\r?\n/g, " ");
  const words = [...lines.matchAll(WORD)].map(([word]) =>
    word.replace(PIECE, (_, double, single, escaped, bare) => single ?? escaped ?? bare ?? double.replace(/\\(.)/g, "$1")),
  );
  return words.slice(words.findIndex((word) => PROGRAM.test(word)) + 1);
}

/** What stands behind a flag, up to the next one. */
function valuesOf(words, joined, flag, kind, request) {
  if (joined.length > 0) {
    return [joined.join("=")];
  }
  const end = words.findIndex((word) => FLAG.test(word));
  const following = end < 0 ? words.length : end;
  const takesNone = SWITCHES.includes(flag) || ["switch", "disaggregation", "pd_ratio"].includes(kind);
  const takesOne = ["one", "text", "length"].includes(kind) || !flag.startsWith("--");
  const isModelBehind = request.model_id === undefined && takesOne;
  return words.splice(0, takesNone ? 0 : isModelBehind ? Math.min(following, 1) : following);
}

/** @returns {?string} why a value cannot be put there */
function put(request, pointer, kind, values) {
  const read = values.map((value) => (NUMBER.test(value) ? Number(value) : value));
  const known = { switch: true, disaggregation: kind, pd_ratio: kind, list: read, name: read[0] ?? "builtin", others: oneOrMore(read) };
  if (!(kind in known)) {
    return putOne(request, pointer, kind, read);
  }
  if (kind !== "others" || read.join() !== "DISABLED") {
    setAt(request, pointer, known[kind]);
  }
  return null;
}

function putOne(request, pointer, kind, read) {
  if (read.length === 0) {
    return t("commandline.requires_a_value");
  }
  if (kind === "length" && typeof read[0] !== "number") {
    return t("commandline.file_paste_its_bins");
  }
  setAt(request, pointer, kind === "some" ? oneOrMore(read) : read[0]);
  return kind !== "some" && read.length > 1 ? t("commandline.has_several_values_first") : null;
}

function reasonOf(flag) {
  return WITHOUT_PLACE.find(([pattern]) => pattern.test(flag))?.[1] ?? t("commandline.not_flag_msmodeling_guide");
}
