import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.mjs";

const { objectiveInWords } = await import("../../main/resources/static/dashboard/objective.js");
const { bindsInWords, limitsOf, nameOf, termsOf, titleOf } = await import("../../main/resources/static/dashboard/words.js");

test("names a request by its model and devices", () => {
  const titles = [
    [{}, "A pasted model on 1 × TEST_DEVICE"],
    [{ model_id: "M", devices: ["A"], num_devices: 8 }, "M on 8 × A"],
    [{ model_id: "M", devices: ["A", "B"], num_devices: { A: 8, B: 16 } }, "M on 8 × A or 16 × B"],
    [{ model_id: "M", num_devices: { A: 8, B: 8, C: 8 } }, "M on 8 × each of 3 devices"],
    [{ model_id: "M", num_devices: { A: 1, B: 2, C: 3, D: 4000 } }, "M on 1 to 4,000 of 4 devices"],
  ];
  titles.forEach(([request, title]) => assert.equal(titleOf(request), title));
  assert.equal(nameOf({ name: "Chat <b> 2027", request: {} }), "Chat <b> 2027");
});

test("counts one thing without an s", async () => {
  const { t } = await import("../../main/resources/static/dashboard/language.js");
  assert.deepEqual([t("common.devices_count", { 1: "1" }), t("common.devices_count", { 1: "1,024" })], ["1 device", "1,024 devices"]);
});

test("says the terms of a request", () => {
  const conversation = { turns: 4, added_tokens: 300, generated_tokens: 200 };
  const terms = [
    [{}, "no targets"],
    [{ workload: { input_length: 3500, output_length: 1500, prefix_cache_hit_rate: 0.5 } }, "3,500 input tokens, 1,500 output tokens, 50% prefix cache hits · no targets"],
    [{ workload: { length_distribution: { bins: [{}, {}] }, output_distribution: { name: "builtin" } } }, "input: lengths of 2 bins, output: builtin lengths · no targets"],
    [{ workload: { conversation } }, "conversations of 4 turns, 300 tokens added and 200 generated per turn · no targets"],
    [{ slo: { ttft_ms: 2000, tpot_ms: 50, percentile: 95 } }, "TTFT ≤ 2,000 ms and TPOT ≤ 50 ms for 95 of 100 requests"],
    [{ slo: { ttft_ms: 1000, ttft_basis: "settled", tpot_ms: "inf" } }, "steady-state TTFT ≤ 1,000 ms"],
    [{ slo: { tokens_per_s_per_user: 40, e2e_latency_ms: 40000 } }, "≥ 40 tokens/s per user, E2E latency ≤ 40,000 ms"],
    [{ objective: { name: "tokens_per_s_per_user", min_concurrency: 32 } }, "no targets · by tokens/s per user, concurrency at least 32"],
    [{ objective: "cost_per_million_tokens" }, "no targets · by cost per million tokens"],
    [{ speculation: { num_draft_tokens: 3, acceptance: { length: 2.6 } } }, "no targets · 3 draft tokens, acceptance length 2.6"],
    [{ serving: { num_mtp_tokens: 1, mtp_acceptance: { curve: "glm" } } }, "no targets · 1 draft token, acceptance curve glm"],
    [{ cost_model: "calibrated", engine: { backend: { A: "vllm", B: "sglang" } }, quantization: { scheme: "FP8" } }, "no targets · vllm or sglang, FP8, with the calibrated model"],
  ];
  terms.forEach(([request, words]) => assert.equal(termsOf(request), `Aggregated · ${words}`));
  assert.equal(termsOf({ mode: "capacity", demand: { conversations: 2000 }, headroom: 0.2 }), "Capacity · 2,000 concurrent conversations and 20% headroom · no targets");
});

test("says what limits a row", () => {
  assert.equal(bindsInWords({}, {}), "");
  assert.equal(bindsInWords({ limited_by: ["memory", "batch_range"] }, {}), "memory and the batch size range");
  assert.equal(bindsInWords({ limited_by: ["ttft"] }, { pd_ratio: { kv_transfer: {} } }), "TTFT including KV transfer");
});

test("says what a row achieves of its objective", () => {
  const cost = { name: "cost_per_million_tokens", unit: "EUR per million tokens", value: 0.51395, value_band: { low: 0.4563, high: 0.65331 } };
  assert.equal(objectiveInWords(cost), "0.5140 (0.456 to 0.653) EUR per million tokens");
  assert.equal(objectiveInWords({ name: "tokens_per_s_per_user", unit: "tokens/s/user", value: 33.5 }), "33.50 tokens/s/user");
  assert.equal(objectiveInWords({ name: "tokens_per_s" }), false);
});

test("takes a speed of users for a limit on TPOT", () => {
  assert.deepEqual(limitsOf({ slo: { ttft_ms: 2000, tokens_per_s_per_user: 40 } }), { ttft_ms: 2000, tpot_ms: 25 });
});
