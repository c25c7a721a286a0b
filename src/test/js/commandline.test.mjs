import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { questionOf } from "../../main/resources/static/dashboard/commandline.js";

/** A command of the guide, and the body of the call that asks the same. */
const COMMAND = /^```\n(python -m [^`]*)^```\n\n```\ncurl [^']*(?:'[^{']*'[^']*)*-d '([^']*)'/gm;

test("turns commands of the guide into the documented requests", () => {
  const commands = [...readFileSync("src/test/resources/command-lines.md", "utf8").matchAll(COMMAND)];
  assert.ok(commands.length >= 4);
  commands.forEach(([, command, body]) => assert.deepEqual(questionOf(command).request, JSON.parse(body)));
});

test("names flags without a place, with the reason", () => {
  const { request, leftOut } = questionOf('Qwen/Qwen3-8B --tpot-limits 40 60 --jobs 8 --input-length="my bins.json" --frobnicate');
  assert.deepEqual(request, { cost_model: "analytic", model_id: "Qwen/Qwen3-8B", slo: { tpot_ms: 40 }, devices: ["TEST_DEVICE"] });
  assert.deepEqual(
    leftOut.map(({ flag, reason }) => `${flag} ${reason}`),
    [
      "--tpot-limits has several values; the first is used",
      "--jobs is not part of a request",
      "--input-length is a file; paste its bins as mixed input lengths",
      "--frobnicate is not a flag of the msmodeling guide",
    ],
  );
});

test("finds no model behind a flag without a known number of values", () => {
  assert.equal(questionOf("--tpot-limits 40 --frobnicate Qwen/Qwen3-8B").request.model_id, undefined);
});

test("takes short flags neither for devices nor for the model", () => {
  for (const command of ["Qwen/Qwen3-8B --device ATLAS_800_A2_376T_64G -n 8", "-n 8 Qwen/Qwen3-8B --device ATLAS_800_A2_376T_64G"]) {
    const { request, leftOut } = questionOf(command);
    assert.deepEqual(request, { cost_model: "analytic", model_id: "Qwen/Qwen3-8B", devices: ["ATLAS_800_A2_376T_64G"] });
    assert.deepEqual(leftOut.map(({ flag }) => flag), ["-n"]);
  }
});
