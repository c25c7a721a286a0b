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
  {
    title: t("presets.calibrated"),
    description: t("presets.qwen3_32b_on_8"),
    request: MEASURED,
  },
  {
    title: t("common.capacity"),
    description: t("presets.2_5_requests_s"),
    request: { ...MEASURED, num_devices: 64, mode: "capacity", demand: { requests_per_s: 2.5 }, headroom: 0.2 },
  },
  {
    title: t("presets.compare_accelerators"),
    description: t("presets.h100_h200_and_b200"),
    request: { ...MEASURED, devices: ["H100_SXM", "H200_SXM", "B200_SXM"] },
  },
  {
    title: t("presets.moe_calibrated"),
    description: t("presets.deepseek_r1_with_sglang"),
    request: {
      ...MEASURED,
      model_id: "deepseek-ai/DeepSeek-R1",
      devices: ["H200_SXM", "B200_SXM"],
      engine: { backend: "sglang" },
      quantization: { scheme: "FP8_BLOCK" },
    },
  },
  {
    title: t("common.disaggregated"),
    description: t("presets.prefill_and_decode_instances"),
    request: {
      ...MEASURED,
      num_devices: 64,
      mode: "pd_ratio",
      pd_ratio: { prefill_devices_per_instance: 8, decode_devices_per_instance: 8 },
    },
  },
  {
    title: t("presets.prefix_cache"),
    description: t("presets.prefix_cache_hit_rate"),
    request: { ...MEASURED, workload: { ...CHAT, prefix_cache_hit_rate: 0.5 } },
  },
  {
    title: t("presets.mixed_prompt_lengths"),
    description: t("presets.built_in_length_distribution"),
    request: { ...MEASURED, workload: { length_distribution: { name: "builtin" }, output_length: 1500 }, slo: { ...USUAL_LIMITS, ttft_ms: 4000 } },
  },
  {
    title: t("presets.chunked_prefill"),
    description: t("presets.qwen3_8b_on_4"),
    request: { ...MEASURED, model_id: "Qwen/Qwen3-8B", num_devices: 4, workload: { input_length: 20000, output_length: 200 }, slo: { ttft_ms: 60000, tpot_ms: 60 } },
  },
  {
    title: t("common.roofline"),
    description: t("presets.qwen3_32b_on_8_2"),
    request: { ...ROOFLINE, devices: ["ATLAS_800_A3_560T_128G_DIE"], mode: "aggregation", slo: USUAL_LIMITS },
  },
  {
    title: t("common.prefill_instances"),
    description: t("presets.max_concurrent_prompts_with"),
    request: { ...ROOFLINE, mode: "disaggregation", slo: { ttft_ms: 2000 } },
  },
  {
    title: t("common.decode_instances"),
    description: t("presets.max_concurrent_requests_with"),
    request: { ...ROOFLINE, mode: "disaggregation", slo: { tpot_ms: 50 } },
  },
];
