import { byId, element } from "./dom.js";
import { objectiveInQuestion } from "./objective.js";
import { labelOf } from "./settingsearch.js";
import { reveal } from "./problems.js";
import { demanded, devicesAsked, devicesInWords, drafted, isCalibrated, lengthsInWords, limitsInWords, allOf } from "./words.js";

const MODES = { aggregation: "prefill and decode together", disaggregation: "prefill or decode alone", pd_ratio: "prefill and decode apart" };

/** What a question asks, as a sentence whose parts lead to their settings. */
export function sentence(request) {
  const parts = [
    ["Serve ", request.model_id ?? "a pasted model", request.model_config === undefined ? "model-id" : "model-config"],
    ...where(request),
    ...how(request),
    ...lengths(request.workload ?? {}),
    ...goal(request),
    ...within(request.slo ?? {}),
    [" by ", isCalibrated(request) ? "measured kernels" : "the reference’s roofline", "[name='/cost_model']:checked"],
  ];
  return [parts.map(([before, words, opens]) => [before, words && part(words, opens)]), "."];
}

function where(request) {
  const words = devicesInWords(request);
  const [count, ...kinds] = words.split(" × ");
  const named = devicesAsked(request)?.length ?? 0;
  return kinds.length === 1 && named > 0
    ? [[" on ", count, "num-devices"], [" × ", kinds[0], "#devices input:checked"]]
    : [[" on ", words, named > 1 ? "#device-counts input" : "#devices input"]];
}

function how(request) {
  const { mode = "aggregation", engine, quantization } = request;
  const engines = isCalibrated(request)
    ? [
        [" with ", allOf(engine?.backend), "[name='/engine/backend']:enabled"],
        [", ", allOf(quantization?.scheme), "[name='/quantization/scheme']:enabled"],
      ]
    : [[" as ", [quantization?.linear ?? byId("linear").dataset.default].flat().join(" or "), "linear"]];
  const apart = MODES[mode] ? [[", ", MODES[mode], "[name='/mode']:checked"]] : [];
  const drafts = drafted(request);
  return [...engines.filter(([, words]) => words), ...apart, ...(drafts ? [[", ", drafts, isCalibrated(request) ? "draft-tokens" : "mtp-tokens"]] : [])];
}

function lengths(workload) {
  const opens = {
    input: workload.length_distribution ? "distribution-name" : "input-length",
    output: workload.output_distribution ? "outputs-name" : "output-length",
    hits: "hit-rate",
    turns: "turns",
  };
  return lengthsInWords(workload).map(([which, words], index) => [index === 0 ? ", for " : ", ", words, opens[which]]);
}

function goal(request) {
  return request.mode === "capacity"
    ? [[": find ", "the fewest devices", "[name='/mode']:checked"], [" for ", demanded(request) || "a demand", "#capacity input"], ...ranked(request, ", ranked by ")]
    : ranked(request, ": find ", "most tokens per second");
}

function ranked(request, before, usual) {
  const words = objectiveInQuestion(request) ?? usual;
  return words ? [[before, words, "objective"]] : [];
}

function within(slo) {
  const opens = { ttft_ms: "ttft", tpot_ms: "tpot", tokens_per_s_per_user: "user-speed", e2e_latency_ms: "[name='/slo/e2e_latency_ms']:enabled", percentile: "slo-percentile" };
  const limits = limitsInWords(slo);
  return limits.length === 0
    ? [[" with ", "no limits", "ttft"]]
    : limits.map(([which, words], index) => [which === "percentile" ? "" : index === 0 ? " within " : " and ", words, opens[which]]);
}

/** @param {string} opens the id of a setting's control, or what selects it in the form */
function part(words, opens) {
  const find = () => byId(opens) ?? byId("plan").querySelector(opens);
  const control = find();
  return element("button", { type: "button", class: "part", title: control && labelOf(control), on: { click: () => reveal(find() ?? byId("settings-search")) } }, words);
}
