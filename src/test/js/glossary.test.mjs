import assert from "node:assert/strict";
import { test } from "node:test";
import { GLOSSARY, explained } from "../../main/resources/static/dashboard/glossary.js";

test("explains a heading without its unit", () => {
  assert.equal(explained("TTFT (ms)"), GLOSSARY.TTFT);
  assert.equal(explained("Replicas"), null);
});
