import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Phrases } from "../../main/resources/static/dashboard/phrases.js";

const phrases = new Phrases(JSON.parse(readFileSync("src/main/resources/static/dashboard/words/zh.json", "utf8")));

const SAID = {
  "  Jobs ": "  任务 ",
  jobs: "任务",
  "8 devices": "8 个设备",
  "TTFT limit (ms)": "TTFT 上限 (ms)",
  "3,500 tokens in, 1,500 out": "输入 3,500 tokens，输出 1,500",
  "8 × H100_SXM or 16 × H200_SXM": "8 × H100_SXM 或 16 × H200_SXM",
  "Linear layers FP8": "线性层 FP8",
  "Jobs: my own words here": "任务：my own words here",
};

test("says phrases with their figures, and several put together", () => {
  Object.entries(SAID).forEach(([english, chinese]) => assert.equal(phrases.say(english), chinese));
});

test("leaves names and words of others as they are", () => {
  ["Qwen/Qwen3-32B", "tokens/s", "my own words here"].forEach((text) => assert.equal(phrases.say(text), text));
});
