import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldError, readRequest, settle, writeRequest } from "../../main/resources/static/dashboard/fields.js";
import { setAt, valueAt } from "../../main/resources/static/dashboard/pointer.js";

function control(name, kind, value = "", more = {}) {
  return { name, type: "text", value, dataset: { kind }, matches: () => false, hasAttribute: () => false, ...more };
}

function form() {
  const device = (value) => control("/devices", "text", value, { type: "checkbox", checked: false, hasAttribute: () => true });
  return {
    elements: [
      control("/model_id", "text"),
      device("H100_SXM"),
      device("H200_SXM"),
      control("/serving/compile", "text", "", { type: "checkbox" }),
      control("/slo/ttft_ms", "number", "", { labels: [{ textContent: "TTFT target (ms)" }] }),
      control("/workload/input_length", "count"),
      control("/search/tp_sizes", "sizes"),
      control("/search/max_batched_tokens", "numbers"),
      control("/objective/price_per_device_hour", "prices"),
      control("/model_config", "json"),
      control("/headroom", "number", "", { dataset: { kind: "number", default: "0.2" } }),
    ],
  };
}

const REQUEST = {
  model_id: "Qwen/Qwen3-32B",
  devices: ["H100_SXM", "H200_SXM"],
  serving: { compile: true },
  slo: { ttft_ms: 2000 },
  workload: { input_length: 3500 },
  search: { tp_sizes: [], max_batched_tokens: [4096, 8192] },
  objective: { price_per_device_hour: { H100_SXM: 2.5, H200_SXM: 3 } },
  model_config: { limit: Infinity },
};

function filled(name, value) {
  const page = form();
  const found = page.elements.find((one) => one.name === name);
  found.value = value;
  return [page, found];
}

test("reads the request that was written into a form", () => {
  const page = form();
  writeRequest(page, REQUEST);
  assert.deepEqual(readRequest(page), REQUEST);
  writeRequest(page, {});
  assert.deepEqual(readRequest(page), {});
  assert.equal(page.elements.at(-1).value, "0.2");
});

test("reads texts as people write them", () => {
  const texts = [
    ["/slo/ttft_ms", "2 s", 2000],
    ["/slo/ttft_ms", "inf", "inf"],
    ["/workload/input_length", "4k", 4000],
    ["/search/tp_sizes", "ALL", []],
    ["/search/tp_sizes", "2; 4 x", [2, 4, "x"]],
    ["/search/max_batched_tokens", "4096", 4096],
    ["/objective/price_per_device_hour", "2.5", 2.5],
  ];
  for (const [name, text, value] of texts) {
    assert.deepEqual(valueAt(readRequest(filled(name, text)[0]), name), value, text);
  }
});

test("names the field whose text is neither a number nor JSON", () => {
  for (const [name, text, words] of [
    ["/slo/ttft_ms", "soon", /^must be a number, for example 500, 2,000 or 2 s, got “soon”$/],
    ["/model_config", "{", /^must be JSON: /],
  ]) {
    const refused = (error) => error instanceof FieldError && error.pointer === name && words.test(error.message);
    assert.throws(() => readRequest(filled(name, text)[0]), refused);
  }
});

test("settles a number as it was understood", () => {
  for (const [name, text, value] of [["/slo/ttft_ms", "2 s", "2000"], ["/headroom", "", "0.2"], ["/slo/ttft_ms", "soon", "soon"]]) {
    const [, one] = filled(name, text);
    settle(one);
    assert.equal(one.value, value);
  }
});

test("follows JSON pointers, and makes what is missing on their way", () => {
  const root = {};
  setAt(root, "/a~1b/0/c~0d", 1);
  assert.deepEqual(root, { "a/b": [{ "c~d": 1 }] });
  assert.equal(valueAt(root, "/a~1b/0/c~0d"), 1);
  assert.equal(valueAt(root, "/none/of/it"), undefined);
});
