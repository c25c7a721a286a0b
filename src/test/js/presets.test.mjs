import assert from "node:assert/strict";
import { test } from "node:test";
import { PRESETS } from "../../main/resources/static/dashboard/presets.js";

test("asks measured kernels where device and mode have them, and never the test device", () => {
  for (const { title, request } of PRESETS) {
    const isMeasured = request.mode !== "disaggregation" && !request.devices.includes("ATLAS_800_A3_560T_128G_DIE");
    assert.equal(request.cost_model, isMeasured ? "calibrated" : "analytic", title);
    assert.ok(request.devices.length > 0 && !request.devices.includes("TEST_DEVICE"), title);
  }
});
