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
const ROOFLINE = { model_id: "Qwen/Qwen3-32B", devices: ["H100_SXM"], num_devices: 8, serving: { compile: true }, workload: CHAT };

/** Questions to start from: each is a whole request, and the first is what the form opens with. */
export const PRESETS = [
  {
    title: "On silicon",
    description: "Qwen3-32B on 8 H100 with vLLM: what the engine does, with bands",
    request: MEASURED,
  },
  {
    title: "How many devices",
    description: "2.5 requests a second and 20 % more, TTFT within 2 s and TPOT within 50 ms",
    request: { ...MEASURED, num_devices: 64, mode: "capacity", demand: { requests_per_s: 2.5 }, headroom: 0.2 },
  },
  {
    title: "Which accelerator",
    description: "H100, H200 and B200 under the same question",
    request: { ...MEASURED, devices: ["H100_SXM", "H200_SXM", "B200_SXM"] },
  },
  {
    title: "Experts on silicon",
    description: "DeepSeek-R1 with SGLang on H200 or B200, TTFT within 2 s, TPOT within 50 ms",
    request: {
      ...MEASURED,
      model_id: "deepseek-ai/DeepSeek-R1",
      devices: ["H200_SXM", "B200_SXM"],
      engine: { backend: "sglang" },
      quantization: { scheme: "FP8_BLOCK" },
    },
  },
  {
    title: "P/D ratio",
    description: "Prefill and decode instances of 8 devices each, 64 devices in all",
    request: {
      ...MEASURED,
      num_devices: 64,
      mode: "pd_ratio",
      pd_ratio: { prefill_devices_per_instance: 8, decode_devices_per_instance: 8 },
    },
  },
  {
    title: "Prefix cache",
    description: "Half of each prompt comes from the cache",
    request: { ...MEASURED, workload: { ...CHAT, prefix_cache_hit_rate: 0.5 } },
  },
  {
    title: "Mixed prompt lengths",
    description: "Real traffic: the built-in length distribution, TTFT within 4 s",
    request: { ...MEASURED, workload: { length_distribution: { name: "builtin" }, output_length: 1500 }, slo: { ...USUAL_LIMITS, ttft_ms: 4000 } },
  },
  {
    title: "Long prompts in chunks",
    description: "Qwen3-8B on 4 devices, 20,000 tokens in: prefill is cut to the token budget",
    request: { ...MEASURED, model_id: "Qwen/Qwen3-8B", num_devices: 4, workload: { input_length: 20000, output_length: 200 }, slo: { ttft_ms: 60000, tpot_ms: 60 } },
  },
  {
    title: "Without measured kernels",
    description: "Qwen3-32B on 8 dies of Atlas 800 A3, by the roofline of the reference",
    request: { ...ROOFLINE, devices: ["ATLAS_800_A3_560T_128G_DIE"], mode: "aggregation", slo: USUAL_LIMITS },
  },
  {
    title: "Prefill instances",
    description: "How many prompts at once while TTFT stays within 2 s",
    request: { ...ROOFLINE, mode: "disaggregation", slo: { ttft_ms: 2000 } },
  },
  {
    title: "Decode instances",
    description: "How many streams at once while TPOT stays within 50 ms",
    request: { ...ROOFLINE, mode: "disaggregation", slo: { tpot_ms: 50 } },
  },
];
