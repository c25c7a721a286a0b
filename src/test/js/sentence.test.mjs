import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.mjs";

const { PRESETS } = await import("../../main/resources/static/dashboard/presets.js");
const { sentence } = await import("../../main/resources/static/dashboard/sentence.js");

const textOf = (part) => (Array.isArray(part) ? part.map(textOf).join("") : (part?.textContent ?? part ?? ""));
const asked = (title) => textOf(sentence(PRESETS.find((preset) => preset.title === title).request));

test("says a question as a sentence", () => {
  assert.equal(
    asked("Calibrated"),
    "Serve Qwen/Qwen3-32B on 8 × H100_SXM with vllm, FP8, aggregated, for 3,500 input tokens, 1,500 output tokens: optimize for tokens/s within TTFT ≤ 2,000 ms and TPOT ≤ 50 ms using the calibrated model.",
  );
  assert.equal(
    asked("Capacity"),
    "Serve Qwen/Qwen3-32B on 64 × H100_SXM with vllm, FP8, for 3,500 input tokens, 1,500 output tokens: find the fewest devices for 2.5 requests/s and 20% headroom within TTFT ≤ 2,000 ms and TPOT ≤ 50 ms using the calibrated model.",
  );
});
