import { t } from "./language.js";

const CHAT = { input_length: 3500, output_length: 1500 };

/** What the form starts from: without limits the best is what keeps users waiting longest. */
export const USUAL_LIMITS = { ttft_ms: 2000, tpot_ms: 50 };

/** Measured kernels answer wherever the device has them and the mode takes them. */
const MEASURED = {
  cost_model: "calibrated",
  model_id: "Qwen/Qwen3-32B",
  devices: ["H100_SXM"],
  num_devices: 8,
  engine: { backend: "vllm" },
  quantization: { scheme: "FP8" },
  workload: CHAT,
  slo: USUAL_LIMITS,
};

/** The roofline answers for devices that nobody measured, and alone has the mode of one phase. */
const ROOFLINE = { cost_model: "analytic", model_id: "Qwen/Qwen3-32B", devices: ["H100_SXM"], num_devices: 8, serving: { compile: true }, workload: CHAT };

/** Questions to start from: each is a whole request, and the first is what the form opens with. */
export const PRESETS = [
  [t("presets.calibrated"), t("presets.qwen3_32b_on_8"), MEASURED],
  [t("common.capacity"), t("presets.2_5_requests_s"), { ...MEASURED, num_devices: 64, mode: "capacity", demand: { requests_per_s: 2.5 }, headroom: 0.2 }],
  [t("presets.compare_accelerators"), t("presets.h100_h200_and_b200"), { ...MEASURED, devices: ["H100_SXM", "H200_SXM", "B200_SXM"] }],
  [t("common.disaggregated"), t("presets.prefill_and_decode_instances"), { ...MEASURED, num_devices: 64, mode: "pd_ratio", pd_ratio: { prefill_devices_per_instance: 8, decode_devices_per_instance: 8 } }],
  [t("presets.mixed_prompt_lengths"), t("presets.built_in_length_distribution"), { ...MEASURED, workload: { length_distribution: { name: "builtin" }, output_length: 1500 }, slo: { ...USUAL_LIMITS, ttft_ms: 4000 } }],
  [t("common.roofline"), t("presets.qwen3_32b_on_8_2"), { ...ROOFLINE, devices: ["ATLAS_800_A3_560T_128G_DIE"], mode: "aggregation", slo: USUAL_LIMITS }],
  [t("common.prefill_instances"), t("presets.max_concurrent_prompts_with"), { ...ROOFLINE, mode: "disaggregation", slo: { ttft_ms: 2000 } }],
  [t("common.decode_instances"), t("presets.max_concurrent_requests_with"), { ...ROOFLINE, mode: "disaggregation", slo: { tpot_ms: 50 } }],
].map(([title, description, request]) => ({ title, description, request }));
