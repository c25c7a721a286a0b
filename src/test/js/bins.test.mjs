import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBins } from "../../main/resources/static/dashboard/bins.js";

const BINS = [
  { min_tokens: 0, max_tokens: 1000, weight: 5 },
  { min_tokens: 1000, max_tokens: 3000, weight: 3 },
];
const YAML = `---
bins:
  - min_tokens: 0
    max_tokens: 1000   # short
    weight: 5
  - {min_tokens: 1000, "max_tokens": 3000, weight: 3}
`;

test("reads bins as YAML and as JSON", () => {
  for (const text of [YAML, JSON.stringify(BINS), JSON.stringify({ bins: BINS })]) {
    assert.deepEqual(parseBins(text), BINS);
  }
});

test("says which line or bin it does not understand", () => {
  const problems = {
    "": /No bins found/,
    "{}": /a list, or an object with a list “bins”/,
    "- min_tokens: 0\n- what": /^Error: Line 2 must be “min, max, weight”, got “- what”/,
    "- min_tokens: 0": /^Error: Bin 1: max_tokens, weight is required/,
    "- {min_tokens: 0, max_tokens: x, weight: 1}": /^Error: Bin 1: max_tokens is required/,
    '[{"min_tokens": 0, "max_tokens": 1, "weight": 1, "wait": 1}]': /^Error: Bin 1: unknown field wait/,
  };
  Object.entries(problems).forEach(([text, problem]) => assert.throws(() => parseBins(text), problem));
});
