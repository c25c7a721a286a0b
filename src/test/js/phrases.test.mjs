import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Phrases } from "../../main/resources/static/dashboard/phrases.js";

const wordsOf = (language) => JSON.parse(readFileSync(`src/main/resources/static/dashboard/words/${language}.json`, "utf8"));
const [english, chinese] = ["en", "zh"].map(wordsOf);
const ofService = Object.keys(english).filter((key) => /^(service|value|heading)\./.test(key));
const phrases = new Phrases(Object.fromEntries(ofService.map((key) => [english[key], chinese[key]])));

const SAID = {
  "  queued ": "  排队中 ",
  "8 devices": "8 个设备",
  "FP8 weights; no prefix cache": "FP8 权重；无前缀缓存",
  "vllm as measured in 0.24.0 and 0.14.0": "vllm(按 0.24.0 和 0.14.0 实测)",
  "TP=4: 超出显存. TTFT 2,100 of 2,000 ms": "TP=4：超出显存。TTFT 2,100 / 2,000 ms",
  "prefill: memory bandwidth, decode: gemm": "预填充：显存带宽，解码：矩阵乘",
};

test("says phrases of the service with their figures, and several put together", () => {
  Object.entries(SAID).forEach(([text, words]) => assert.equal(phrases.say(text), words));
});

test("leaves names and words of others as they are", () => {
  ["Qwen/Qwen3-32B", "tokens/s", "my own words here"].forEach((text) => assert.equal(phrases.say(text), text));
});
