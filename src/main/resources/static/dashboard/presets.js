const QWEN_32B = { model_id: "Qwen/Qwen3-32B", devices: ["H100_SXM"], num_devices: 8, serving: { compile: true } };
const CHAT = { input_length: 3500, output_length: 1500 };

/** What the form starts from: without limits the best is what keeps users waiting longest. */
export const USUAL_LIMITS = { ttft_ms: 2000, tpot_ms: 50 };

/** Questions to start from: each is a whole request, and the first is what the form opens with. */
export const PRESETS = [
  {
    title: "On silicon",
    description: "Qwen3-32B on 8 H100 with vLLM: what the engine does, with bands",
    request: {
      cost_model: "calibrated",
      model_id: "Qwen/Qwen3-32B",
      devices: ["H100_SXM"],
      num_devices: 8,
      engine: { backend: "vllm" },
      quantization: { scheme: "FP8" },
      workload: CHAT,
      slo: USUAL_LIMITS,
    },
  },
  {
    title: "Aggregated serving",
    description: "Qwen3-32B on 8 devices, 3,500 tokens in, 1,500 out, TTFT within 2 s, TPOT within 50 ms",
    request: { ...QWEN_32B, mode: "aggregation", workload: CHAT, slo: USUAL_LIMITS },
  },
  {
    title: "How many devices",
    description: "2.5 requests a second and 20 % more, TTFT within 2 s and TPOT within 50 ms",
    request: {
      ...QWEN_32B,
      num_devices: 64,
      mode: "capacity",
      demand: { requests_per_s: 2.5 },
      headroom: 0.2,
      instance_sizes: [4, 8],
      workload: CHAT,
      slo: USUAL_LIMITS,
    },
  },
  {
    title: "Prefill instances",
    description: "How many prompts at once while TTFT stays within 2 s",
    request: { ...QWEN_32B, mode: "disaggregation", workload: CHAT, slo: { ttft_ms: 2000 } },
  },
  {
    title: "Decode instances",
    description: "How many streams at once while TPOT stays within 50 ms",
    request: { ...QWEN_32B, mode: "disaggregation", workload: CHAT, slo: { tpot_ms: 50 } },
  },
  {
    title: "Mixed prompt lengths",
    description: "A batch of real traffic: the built-in length distribution, TTFT within 4 s",
    request: {
      ...QWEN_32B,
      mode: "disaggregation",
      workload: { length_distribution: { name: "builtin" }, output_length: 1500 },
      slo: { ttft_ms: 4000 },
    },
  },
  {
    title: "P/D ratio",
    description: "Prefill and decode instances of 8 devices each, 64 devices in all",
    request: {
      ...QWEN_32B,
      num_devices: 64,
      mode: "pd_ratio",
      workload: CHAT,
      slo: USUAL_LIMITS,
      pd_ratio: { prefill_devices_per_instance: 8, decode_devices_per_instance: 8 },
    },
  },
  {
    title: "Prefix cache",
    description: "Half of each prompt comes from the cache",
    request: {
      ...QWEN_32B,
      mode: "aggregation",
      workload: { ...CHAT, prefix_cache_hit_rate: 0.5 },
      slo: USUAL_LIMITS,
    },
  },
  {
    title: "Long prompts in chunks",
    description: "Qwen3-8B on 4 devices, 20,000 tokens in: prefill is cut to the token budget",
    request: {
      model_id: "Qwen/Qwen3-8B",
      devices: ["H100_SXM"],
      num_devices: 4,
      mode: "aggregation",
      workload: { input_length: 20000, output_length: 200 },
      slo: { ttft_ms: 60000, tpot_ms: 60 },
      search: { batch_range: [1, 64] },
      serving: { compile: true },
    },
  },
  {
    title: "Experts on silicon",
    description: "DeepSeek-R1 with SGLang on H200 or B200, TTFT within 2 s, TPOT within 50 ms",
    request: {
      cost_model: "calibrated",
      model_id: "deepseek-ai/DeepSeek-R1",
      devices: ["H200_SXM", "B200_SXM"],
      num_devices: 8,
      engine: { backend: "sglang" },
      quantization: { scheme: "FP8_BLOCK" },
      workload: CHAT,
      slo: USUAL_LIMITS,
    },
  },
  {
    title: "Which accelerator",
    description: "Three kinds of device under the same question",
    request: {
      ...QWEN_32B,
      devices: ["ATLAS_800_A2_280T_64G", "ATLAS_800_A2_376T_64G", "ATLAS_800_A3_560T_128G_DIE"],
      mode: "aggregation",
      workload: CHAT,
      slo: USUAL_LIMITS,
    },
  },
];
