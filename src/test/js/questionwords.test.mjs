import "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf } from "../../main/resources/static/dashboard/pastebox.js";
import { questionInWords } from "../../main/resources/static/dashboard/questionwords.js";

const MODELS = { "qwen3-32b": "Qwen/Qwen3-32B", "deepseek-v3.1": "deepseek-ai/DeepSeek-V3.1" };
const KNOWN = {
  devices: ["H100_SXM", "H200_SXM", "ATLAS_800_A2_376T_64G"],
  choices: { "/engine/backend": ["vllm", "sglang"], "/quantization/scheme": ["BF16", "FP8", "FP8_BLOCK"] },
  modelOf: ({ model_id: name }) => ({ model: MODELS[name.toLowerCase()] && { id: MODELS[name.toLowerCase()] } }),
};
const read = (text) => {
  assert.equal(kindOf(text), "words", text);
  return questionInWords(text, KNOWN);
};

test("reads a demand in words", () => {
  const demand = { mode: "capacity", demand: { requests_per_s: 50 }, workload: { input_length: 2000, output_length: 500 }, slo: { percentile: 95, ttft_ms: 1000, tpot_ms: 40 }, devices: ["H200_SXM"], num_devices: 256 };
  assert.deepEqual(read("50 req/s, 2k/500, p95 TTFT 1 s, TPOT 40 ms, H200"), demand);
  assert.deepEqual(read("50 requests per second; 2,000 in, 500 out;\nTTFT p95 <= 1s; TPOT 40\non H200"), demand);
});

test("reads devices, model, engine, weights and mode", () => {
  assert.deepEqual(read("DeepSeek-V3.1 P/D on 16 H200"), { model_id: "deepseek-ai/DeepSeek-V3.1", mode: "pd_ratio", devices: ["H200_SXM"], num_devices: 16 });
  assert.deepEqual(read("Qwen3-32B, 8xH100 or H200, SGLang fp8_block"), { model_id: "Qwen/Qwen3-32B", devices: ["H100_SXM", "H200_SXM"], num_devices: 8, engine: { backend: "sglang" }, quantization: { scheme: "FP8_BLOCK" } });
});
