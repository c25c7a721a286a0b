import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.mjs";

const { columnsOf, loadColumns } = await import("../../main/resources/static/dashboard/columns.js");

const COLUMNS = [
  { title: "Layout", kind: "layout", member: "parallel" },
  { title: "TPOT (ms)", kind: "figure", member: "tpot_ms", digits: 2, ends: true },
  { title: "Prefill", kind: "figure", member: "prefill_ms", digits: 2, analytic: true },
  { title: "Of the best", kind: "share", member: "ratio" },
  { title: "Nobody has it", kind: "count", member: "none" },
  { title: "Commands", kind: "made_up", member: "commands" },
];

const cells = (row, madeUp) => columnsOf("rows", [row], madeUp).map(({ title, text }) => [title, [text(row)].flat().map((part) => part.textContent ?? part).join(" ")]);

test("shows columns that a row has, and those that the page makes up", async () => {
  globalThis.fetch = async () => Response.json({ rows: COLUMNS });
  await loadColumns();
  const row = { parallel: { tp: 2 }, tpot_ms: 29.84, prefill_ms: 1, ratio: 0.5 };

  assert.deepEqual(cells(row), [["Layout", "TP=2"], ["TPOT (ms)", "29.84"], ["Prefill", "1.00"], ["Of the best", "50.0%"]]);
  assert.deepEqual(
    cells({ ...row, flags: [], tpot_ms_band: { low: 26.5, high: 37.5 } }, { commands: { title: "Copy", text: () => "it" } }),
    [["Layout", "TP=2"], ["TPOT (ms)", "29.8 (26.5 to 37.5)"], ["Of the best", "50.0%"], ["Copy", "it"]],
  );
});
