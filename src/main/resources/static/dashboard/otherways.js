import { commandColumn, commandsOfAnswer } from "./commands.js";
import { element } from "./dom.js";
import { decimals, layout, whole } from "./format.js";
import { t } from "./language.js";
import { LaunchPanel, startable } from "./launch.js";
import { bestDevice } from "./results.js";
import { table } from "./table.js";

/** What starts the best row of a result that is not stored, and its other rows, each with its commands to copy. */
export function startOfAnswer({ result, launch }, request, signal) {
  if (!launch) {
    return null;
  }
  const device = result.capacity ? undefined : bestDevice(result);
  const rows = startable(result, device);
  if (rows.labels.length === 0) {
    return null;
  }
  const commands = commandsOfAnswer(request, launch, device?.device, signal);
  return [new LaunchPanel(rows, commands, true).node, rows.labels.length > 1 && otherWays(rows, device, commands)];
}

function otherWays({ labels, deviceOf }, device, commands) {
  const single = device && !device.pd_ratio && device.phases.length === 1 ? device.phases[0].rows : null;
  const lines = single ?? labels.map((label) => ({ label }));
  const columns = [
    { title: t("common.rank"), text: (row, index) => index + 1 },
    ...(single ? rowColumns() : [{ title: t("common.deployment"), text: ({ label }) => label.replace(/^\d+: /, ""), className: "words" }]),
    commandColumn(commands, deviceOf),
  ];
  return element(
    "details",
    { class: "card other-ways" },
    element("summary", {}, t("otherways.other_plans", { 1: lines.length - 1 })),
    table(t("otherways.all_plans_with_their"), columns, lines, (line) => line === lines[0]),
  );
}

function rowColumns() {
  return [
    { title: t("common.layout"), text: ({ parallel }) => layout(parallel), className: "words" },
    { title: t("common.tokens_s"), text: (row) => decimals(row.tokens_per_s, 0) },
    { title: t("common.ttft_ms"), text: (row) => decimals(row.ttft_ms, 1) },
    { title: t("common.tpot_ms"), text: (row) => decimals(row.tpot_ms, 1) },
    { title: t("common.concurrency"), text: (row) => whole(row.concurrency) },
  ];
}
