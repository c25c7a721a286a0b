import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { findModels, modelNamed } from "../../main/resources/static/dashboard/modelsearch.js";

const MODELS = readFileSync("src/main/resources/catalog/models/index.txt", "utf8")
  .trim()
  .split("\n")
  .map((file) => ({ family: "", id: file.replace("--", "/").replace(/\.json$/, "") }));

const SPELLINGS = {
  "Meta-Llama-3.1-70B-Instruct": "meta-llama/Llama-3.1-70B-Instruct",
  "Llama-3.1-8B-Instruct": "meta-llama/Llama-3.1-8B-Instruct",
  "Qwen3-32B-Chat": "Qwen/Qwen3-32B",
  "Llama-3.3-70B-Instruct": "meta-llama/Llama-3.3-70B-Instruct",
  "qwen/qwen3-14b": "Qwen/Qwen3-14B",
  "qwen3 30b a3b": "Qwen/Qwen3-30B-A3B",
  "qwen3 4b": "Qwen/Qwen3-4B",
  "deepseek v3": "deepseek-ai/DeepSeek-V3",
};

test("finds a model by other spellings of its name", () => {
  for (const [spelling, id] of Object.entries(SPELLINGS)) {
    assert.equal(findModels(MODELS, spelling).found[0].id, id);
    assert.equal(modelNamed(MODELS, spelling).model.id, id);
  }
  assert.deepEqual(findModels(MODELS, "Qwen3-32B-Chat").ignored, ["chat"]);
});

test("says why words name no model", () => {
  for (const words of ["bloom", "falcon 27b"]) {
    assert.deepEqual(findModels(MODELS, words), { found: [], ignored: [] });
    assert.match(modelNamed(MODELS, words).problem, /^must be a model of the catalog/);
  }
  assert.equal(modelNamed(MODELS, "kimi k2.").problem, "matches 3 models. Choose one from the list.");
});

test("leaves an id of another model to the hub", () => {
  assert.deepEqual(modelNamed(MODELS, "my/model"), { model: undefined });
});
