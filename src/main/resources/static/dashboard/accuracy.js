import { accuracy } from "./api.js";
import { element, field, fill } from "./dom.js";
import { decimals, percent, whole } from "./format.js";
import { scatter } from "./scatter.js";
import { table } from "./table.js";

const FIGURES = {
  tpot: { name: "TPOT", measured: "measured_tpot_ms", modelled: "tpot_ms" },
  ttft: { name: "TTFT", measured: "measured_ttft_ms", modelled: "ttft_ms" },
};

/** Figures of the KV cache in start-up logs. */
const LOGGED = { kv_tokens: "tokens", kv_pool_gib: "GiB", requests: "requests" };

/** What bands are of, by their names in results. */
const BASES = {
  "tpot/dense": "TPOT, dense models",
  "tpot/moe": "TPOT, models with experts",
  "tpot/disaggregated_one_node": "TPOT, prefill and decode apart in one node",
  "tpot/disaggregated_nodes": "TPOT, prefill and decode apart on several nodes",
  "ttft/dense": "TTFT, dense models",
  "ttft/moe": "TTFT, models with experts",
  "ttft/moe_other": "TTFT, other models with experts",
  "ttft/disaggregated": "TTFT, prefill and decode apart",
};

/**
 * Shows how far the calibrated cost model is from servers that were measured.
 *
 * @param {string} [about] a model, a device and an engine, to begin with their servers
 */
export async function showAccuracy(view, signal, about = "") {
  document.title = "Accuracy – throughput-optimizer";
  fill(view, element("h1", {}, "Measured against modelled"), element("p", {}, "Reading the measurements…"));
  const answer = await accuracy(signal);
  fill(
    view,
    element("h1", {}, "Measured against modelled"),
    element(
      "p",
      { class: "lead" },
      `${whole(answer.servers.length)} benchmarks of servers that others ran and published, and what cost model calibrated says of each. `,
      "Nothing was fitted to them but thirteen numbers of all models together: front ends of engines and factors of experts and prompts; kernels were measured one by one.",
    ),
    summary(answer.summary),
    explorer(answer, about.split("/").map(decodeURIComponent)),
    groups(answer.groups),
    bands(answer.bands),
    startupLogs(answer.startup_logs),
  );
}

/** Memory that start-up logs print, and its prediction. */
function startupLogs({ groups: errors, logs }) {
  const error = (member, part) => (row) => (row[member] ? percent(row[member][part], 2) : "–");
  const size = (row, value) => (row.figure === "kv_tokens" ? whole(value) : decimals(value, 2));
  return element(
    "section",
    { "aria-label": "Start-up logs" },
    element("h2", {}, "Start-up logs"),
    element("p", { class: "hint" }, `Memory of a rank in ${whole(logs.length)} public start-up logs, on which constants of the memory law were fitted.`),
    table(
      "Errors of the predicted memory, by engine and family of the model",
      [
        { title: "Logs of", text: (row) => row.name.replaceAll("_", " "), className: "words" },
        { title: "Logs", text: (row) => whole(row.logs) },
        { title: "KV cache, median", text: error("kv_cache", "median_percent") },
        { title: "KV cache, 90th percentile", text: error("kv_cache", "p90_percent") },
        { title: "Weights, median", text: error("weights", "median_percent") },
        { title: "Weights, 90th percentile", text: error("weights", "p90_percent") },
      ],
      errors,
    ),
    table(
      "KV cache of every start-up log, printed and predicted",
      [
        { title: "Model", text: (row) => row.model, className: "words" },
        { title: "Engine", text: (row) => `${row.backend} ${row.version}`, className: "words" },
        { title: "Device", text: (row) => row.device, className: "words" },
        { title: "TP", text: (row) => whole(row.tp) },
        { title: "DP", text: (row) => whole(row.dp) },
        { title: "Figure", text: (row) => LOGGED[row.figure], className: "words" },
        { title: "Printed", text: (row) => size(row, row.printed) },
        { title: "Predicted", text: (row) => size(row, row.predicted) },
        { title: "Error", text: ({ error_percent: percents }) => (percents === undefined ? "–" : percent(percents, 2)) },
      ],
      logs,
    ),
  );
}

function summary(rows) {
  const error = (figure, part) => (row) => (row[figure] ? percent(row[figure][part]) : "–");
  return table(
    "Errors in percent of what was measured",
    [
      { title: "Models", text: (row) => row.servers, className: "words" },
      { title: "TPOT, median", text: error("tpot", "median_percent") },
      { title: "TPOT, 90th percentile", text: error("tpot", "p90_percent") },
      { title: "TPOT, bias", text: error("tpot", "bias_percent") },
      { title: "TPOT of a roofline, median", text: error("roofline_tpot", "median_percent") },
      { title: "TTFT, median", text: error("ttft", "median_percent") },
      { title: "TTFT, 90th percentile", text: error("ttft", "p90_percent") },
      { title: "TTFT, bias", text: error("ttft", "bias_percent") },
    ],
    rows,
  );
}

/** The scatter chart with its choices. */
function explorer({ servers, groups }, [aboutModel = "", aboutDevice, aboutBackend]) {
  const picture = element("div", { class: "scatter" });
  const choose = (id, label, options) => {
    const select = element("select", { id, on: { change: draw } }, options.map(([value, text]) => element("option", { value }, text)));
    return [select, field(label, select)];
  };
  const named = (member) => [["", "all"], ...[...new Set(groups.map((group) => group[member]))].map((name) => [name, name])];
  const [figure, figureField] = choose("accuracy-figure", "Figure shown", Object.entries(FIGURES).map(([id, { name }]) => [id, name]));
  const [model, modelField] = choose("accuracy-model", "Model shown", named("model"));
  const [device, deviceField] = choose("accuracy-device", "Device shown", named("device"));
  const [backend, backendField] = choose("accuracy-backend", "Engine shown", named("backend"));

  // Checkpoints are named more exactly than the models whose servers were measured; of one without servers all are shown.
  const chosen = groups.find(
    (group) => aboutModel.split("/").at(-1).startsWith(group.model.split("/")[0]) && group.device === aboutDevice && group.backend === aboutBackend,
  );
  if (chosen) {
    [model.value, device.value, backend.value] = [chosen.model, chosen.device, chosen.backend];
  }

  function draw() {
    const { name, measured, modelled } = FIGURES[figure.value];
    const shown = servers.filter(
      (server) =>
        server[measured] !== undefined &&
        [
          [model, "model"],
          [device, "device"],
          [backend, "backend"],
        ].every(([select, member]) => select.value === "" || server[member] === select.value),
    );
    const names = [...new Set(servers.map((server) => server.model))];
    const points = shown.map((server) => ({ x: server[measured], y: server[modelled], series: names.indexOf(server.model) }));
    fill(picture, scatter(`${name}: ${whole(shown.length)} servers`, `Measured ${name} (ms)`, `Modelled ${name} (ms)`, points, names));
  }
  draw();
  return element(
    "section",
    { class: "card accuracy-explorer", "aria-label": "Every server" },
    element("h2", {}, "Every server"),
    element("div", { class: "accuracy-choices" }, figureField, modelField, deviceField, backendField),
    picture,
  );
}

function groups(rows) {
  const error = (figure, part) => (row) => (row[figure] ? percent(row[figure][part]) : "–");
  return table(
    "By model, device and engine",
    [
      { title: "Model", text: (row) => row.model, className: "words" },
      { title: "Device", text: (row) => row.device, className: "words" },
      { title: "Engine", text: (row) => row.backend, className: "words" },
      { title: "Servers", text: (row) => whole(row.servers) },
      { title: "TPOT, median", text: error("tpot", "median_percent") },
      { title: "TPOT, bias", text: error("tpot", "bias_percent") },
      { title: "TTFT, median", text: error("ttft", "median_percent") },
      { title: "TTFT, bias", text: error("ttft", "bias_percent") },
    ],
    rows,
  );
}

function bands(rows) {
  return table(
    "Bands that figures carry, from errors on measured servers, every model with the same weight",
    [
      { title: "Figure", text: ({ basis }) => BASES[basis] ?? basis, className: "words" },
      { title: "Servers", text: (row) => whole(row.servers) },
      { title: "Holds", text: (row) => percent(100 * row.coverage, 0) },
      { title: "From", text: (row) => `x ${decimals(row.low, 2)}` },
      { title: "To", text: (row) => (row.high === undefined ? "no end" : `x ${decimals(row.high, 2)}`) },
    ],
    rows,
  );
}
