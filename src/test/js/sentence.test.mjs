import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.mjs";

const { PRESETS } = await import("../../main/resources/static/dashboard/presets.js");
const { sentence } = await import("../../main/resources/static/dashboard/sentence.js");

const textOf = (part) => (Array.isArray(part) ? part.map(textOf).join("") : (part?.textContent ?? part ?? ""));
const asked = (title) => textOf(sentence(PRESETS.find((preset) => preset.title === title).request));

test("says a question as a sentence", () => {
  assert.equal(
    asked("On silicon"),
    "Serve Qwen/Qwen3-32B on 8 × H100_SXM with vllm, FP8, prefill and decode together, for 3,500 tokens in, 1,500 out: find most tokens per second within TTFT ≤ 2,000 ms and TPOT ≤ 50 ms by measured kernels.",
  );
  assert.equal(
    asked("How many devices"),
    "Serve Qwen/Qwen3-32B on 64 × H100_SXM with vllm, FP8, for 3,500 tokens in, 1,500 out: find the fewest devices for 2.5 requests/s and 20 % more within TTFT ≤ 2,000 ms and TPOT ≤ 50 ms by measured kernels.",
  );
});
