import { byId, element } from "./dom.js";
import { t } from "./language.js";
import { objectiveInQuestion } from "./objective.js";
import { labelOf } from "./settingsearch.js";
import { demanded, devicesAsked, devicesInWords, drafted, isCalibrated, lengthsInWords, limitsInWords, allOf } from "./words.js";

const MODES = { aggregation: t("sentence.aggregated"), disaggregation: t("sentence.single_phase"), pd_ratio: t("sentence.disaggregated") };

/**
 * What a question asks, as a sentence whose parts lead to their settings.
 *
 * @param {function} open is told what a clicked part leads to, and its control
 */
export function sentence(request, open) {
  const parts = [
    [`${t("sentence.serve")} `, request.model_id ?? t("sentence.a_pasted_model"), request.model_config === undefined ? "model-id" : "model-config"],
    ...where(request),
    ...how(request),
    ...lengths(request.workload ?? {}),
    ...goal(request),
    ...within(request.slo ?? {}),
    [` ${t("sentence.using")} `, isCalibrated(request) ? t("sentence.the_calibrated_model") : t("sentence.the_roofline_model"), "[name='/cost_model']:checked"],
  ];
  return [parts.map(([before, words, opens]) => [before, words && part(words, opens, open)]), "."];
}

function where(request) {
  const words = devicesInWords(request);
  const [count, ...kinds] = words.split(" × ");
  const named = devicesAsked(request)?.length ?? 0;
  return kinds.length === 1 && named > 0
    ? [[` ${t("sentence.on")} `, count, "num-devices"], [" × ", kinds[0], "#devices input:checked"]]
    : [[` ${t("sentence.on")} `, words, named > 1 ? "#device-counts input" : "#devices input"]];
}

function how(request) {
  const { mode = "aggregation", engine, quantization } = request;
  const engines = isCalibrated(request)
    ? [
        [` ${t("sentence.with")} `, allOf(engine?.backend), "[name='/engine/backend']:enabled"],
        [", ", allOf(quantization?.scheme) ?? t("sentence.weights_as_the_checkpoint"), "[name='/quantization/scheme']:enabled"],
      ]
    : [[` ${t("sentence.as")} `, [quantization?.linear ?? byId("linear").dataset.default].flat().map(inWords).join(` ${t("common.or")} `), "linear"]];
  const apart = MODES[mode] ? [[", ", MODES[mode], "[name='/mode']:checked"]] : [];
  const drafts = drafted(request);
  return [...engines.filter(([, words]) => words), ...apart, ...(drafts ? [[", ", drafts, isCalibrated(request) ? "draft-tokens" : "mtp-tokens"]] : [])];
}

function inWords(weights) {
  return weights === "DISABLED" ? "BF16" : weights;
}

function lengths(workload) {
  const opens = {
    input: workload.length_distribution ? "distribution-name" : "input-length",
    output: workload.output_distribution ? "outputs-name" : "output-length",
    hits: "hit-rate",
    turns: "turns",
  };
  return lengthsInWords(workload).map(([which, words], index) => [index === 0 ? `${t("sentence.for")} ` : ", ", words, opens[which]]);
}

function goal(request) {
  return request.mode === "capacity"
    ? [[`${t("sentence.find")} `, t("sentence.the_fewest_devices"), "[name='/mode']:checked"], [` ${t("sentence.for_inline")} `, demanded(request) || t("sentence.a_demand"), "#capacity input"], ...ranked(request, `${t("sentence.ranked_by")} `)]
    : ranked(request, `${t("sentence.optimize_for")} `, t("common.tokens_s_inline"));
}

function ranked(request, before, usual) {
  const words = objectiveInQuestion(request) ?? usual;
  return words ? [[before, words, "objective"]] : [];
}

function within(slo) {
  const opens = { ttft_ms: "ttft", tpot_ms: "tpot", tokens_per_s_per_user: "user-speed", e2e_latency_ms: "[name='/slo/e2e_latency_ms']:enabled", percentile: "slo-percentile" };
  const limits = limitsInWords(slo);
  return limits.length === 0
    ? [[` ${t("sentence.with")} `, t("common.no_targets"), "ttft"]]
    : limits.map(([which, words], index) => [which === "percentile" ? " " : index === 0 ? ` ${t("sentence.within")} ` : ` ${t("common.and")} `, words, opens[which]]);
}

/** @param {string} opens the id of a setting's control, or what selects it in the form */
function part(words, opens, open) {
  const find = () => byId(opens) ?? byId("plan").querySelector(opens);
  const control = find();
  const click = () => open(opens, find() ?? byId("settings-search"));
  return element("button", { type: "button", class: "part", "data-opens": opens, "aria-controls": "strip", "aria-expanded": "false", title: control && labelOf(control), on: { click } }, words);
}
