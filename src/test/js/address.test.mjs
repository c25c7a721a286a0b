import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, questionAt } from "../../main/resources/static/dashboard/address.js";
import { readJson, writeJson } from "../../main/resources/static/dashboard/infinite.js";
import { questionOfAddress } from "../../main/resources/static/dashboard/address.js";
import { PRESETS } from "../../main/resources/static/dashboard/presets.js";

test("brings a question back from its address", async () => {
  const pasted = { model_config: { limit: [0, Infinity], note: "Infinity is a “number”" }, slo: { tpot_ms: 0.1 } };
  for (const request of [pasted, ...PRESETS.map((preset) => preset.request)]) {
    const address = await addressOf(request);
    assert.deepEqual(address.startsWith("/plan/") ? questionOfAddress(address) : await questionAt(address.slice("/q/".length)), request);
  }
});

test("reads an address that somebody wrote", () => {
  assert.deepEqual(questionOfAddress("/plan/Qwen/Qwen3-32B?gpu=8xH100&in=3.5k&ttft=2s&tpot=50ms&p=95&other=1"), {
    model_id: "Qwen/Qwen3-32B",
    devices: ["H100"],
    num_devices: 8,
    workload: { input_length: 3500 },
    slo: { ttft_ms: 2000, tpot_ms: 50, percentile: 95 },
  });
});

test("writes a plain question so that people can read it", async () => {
  const request = { cost_model: "calibrated", model_id: "Qwen/Qwen3-32B", devices: ["H100_SXM"], num_devices: 8, engine: { backend: "vllm" }, slo: { ttft_ms: 2000, tpot_ms: 50 } };
  assert.equal(await addressOf(request), "/plan/Qwen/Qwen3-32B?gpu=8xH100_SXM&ttft=2s&tpot=50ms&engine=vllm&cost_model=calibrated");
  assert.equal(await addressOf({ ...request, mode: "capacity", demand: { requests_per_s: 5 } }), "/plan/Qwen/Qwen3-32B?gpu=8xH100_SXM&mode=capacity&demand=5&ttft=2s&tpot=50ms&engine=vllm&cost_model=calibrated");
});

test("rejects an address that was cut or holds no object", async () => {
  for (const packed of ["q1YqSwVi", "%3Cscript%3E", "SyrNUwAA", "-_-_", (await addressOf([1])).slice(3), (await addressOf("text")).slice(3)]) {
    await assert.rejects(questionAt(packed), packed);
  }
});

test("has no address for a question that is too long", async () => {
  const names = Array.from({ length: 2000 }, (_, number) => Math.sin(number));
  assert.equal(await addressOf({ model_config: { names } }), undefined);
});

test("reads and writes infinity as Python does, outside of texts", () => {
  const text = '{"limit":[0,Infinity,-Infinity],"note":"Infinity is a number"}';
  assert.deepEqual(readJson(text).limit, [0, Infinity, -Infinity]);
  assert.equal(writeJson(readJson(text)), text);
});
