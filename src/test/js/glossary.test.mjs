import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GLOSSARY, explained } from "../../main/resources/static/dashboard/glossary.js";

test("says of each word what the docs say", () => {
  const page = readFileSync("docs/start.md", "utf8");
  const rows = [...page.slice(page.indexOf("## Words")).matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1);
  assert.deepEqual({ ...GLOSSARY }, Object.fromEntries(rows.map(([, word, meaning]) => [word, meaning])));
});

test("explains a heading without its unit", () => {
  assert.equal(explained("TTFT (ms)"), GLOSSARY.TTFT);
  assert.equal(explained("Replicas"), null);
});
