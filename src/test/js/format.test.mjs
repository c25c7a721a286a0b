import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.mjs";

const { decimals, duration, gigabytes, layout, percent, plain, promised, rowName, whole } = await import("../../main/resources/static/dashboard/format.js");

test("writes figures with separators, and a dash for none", () => {
  assert.deepEqual([decimals(1234.5, 2), decimals(0, 1), decimals(null, 2), decimals(undefined, 2)], ["1,234.50", "0.0", "–", "–"]);
  assert.deepEqual([whole(1234.5), whole(null), plain(0.12345), plain("inf")], ["1,235", "–", "0.123", "inf"]);
  assert.deepEqual([percent(99.96), percent(50, 0), gigabytes(64)], ["100.0%", "50%", "64.00 GiB"]);
  assert.equal(promised(42342.99), "42,342");
  assert.deepEqual([duration(0, 999), duration(0, 61500)], ["999 ms", "61.5 s"]);
});

test("writes a layout without dimensions of 1", () => {
  assert.equal(layout({ tp: 1, pp: 1, dp: 8, ep: 1 }), "TP=1, DP=8");
  const variant = { num_mtp_tokens: 0, max_batched_tokens: 4096, linear: "FP8", attention: "BF16" };
  assert.equal(layout({ tp: 8, pp: 2, moe_tp: 4, dcp: 2, variant }), "TP=8, PP=2, MOE-TP=4, DCP=2, MTP=0, budget=4096, linear=FP8, KV=BF16");
  assert.equal(rowName({ rank: 3 }), "Pair 3");
});
