import { t } from "./language.js";

/** Members that buyers vary: their names, and values to begin with. */
export const MEMBERS = [
  ["/num_devices", t("common.devices"), "1, 2, 4, 8"],
  ["/devices", t("common.device"), "H100_SXM, H200_SXM"],
  ["/model_id", t("common.model"), "Qwen/Qwen3-8B, Qwen/Qwen3-32B"],
  ["/workload/input_length", t("common.input_tokens"), "1000 to 16000 in 5 log"],
  ["/workload/output_length", t("common.output_tokens"), "250, 500, 1000"],
  ["/workload/prefix_cache_hit_rate", t("common.prefix_cache_hit_rate"), "0.0 to 0.8 in 5"],
  ["/slo/ttft_ms", t("common.ttft_target_ms"), "500, 1000, 2000"],
  ["/slo/tpot_ms", t("common.tpot_target_ms"), "20, 30, 50"],
];

const FIGURES = {
  tokens_per_s: t("common.tokens_s"),
  tokens_per_s_per_device: t("common.tokens_s_per_device"),
  balanced_requests_per_s: t("common.requests_s"),
  requests_per_s: t("common.requests_s"),
  num_devices: t("common.devices"),
  ttft_ms: t("common.ttft_ms"),
  tpot_ms: t("common.tpot_ms"),
  e2e_latency_ms: t("common.e2e_latency_ms"),
  concurrency: t("common.concurrency"),
  batch_size: t("common.batch_size"),
  parallel: t("common.layout"),
  limited_by: t("common.limited_by"),
  cost_per_million_tokens: t("common.cost_per_million_tokens"),
  outcome: t("sweeplabels.outcome"),
};

/** Name of an axis or a figure as people say it; its own where they have none. */
export function labelOfAxis(name) {
  return MEMBERS.find(([pointer]) => pointer === name)?.[1] ?? FIGURES[name] ?? name;
}

/** Figures that have a name; files have all. */
export function named(figures) {
  return Object.keys(FIGURES).filter((name) => figures.includes(name));
}

/** Value of an axis as people say it: "H100_SXM, FP8" for an object that is merged into the request. */
export function valueInWords(value) {
  const text = String(value);
  if (!/^[[{]/.test(text)) {
    return text;
  }
  try {
    return leaves(JSON.parse(text)).join(", ");
  } catch {
    return text;
  }
}

function leaves(value) {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
}
