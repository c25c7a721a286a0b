import { accuracy } from "./api.js";
import { element, field, fill } from "./dom.js";
import { decimals, percent, whole } from "./format.js";
import { t } from "./language.js";
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
  "tpot/dense": t("accuracy.tpot_dense_models"),
  "tpot/moe": t("accuracy.tpot_moe_models"),
  "tpot/disaggregated_one_node": t("accuracy.tpot_disaggregated_in_one"),
  "tpot/disaggregated_nodes": t("accuracy.tpot_disaggregated_across_nodes"),
  "ttft/dense": t("accuracy.ttft_dense_models"),
  "ttft/moe": t("accuracy.ttft_moe_models"),
  "ttft/moe_other": t("accuracy.ttft_other_moe_models"),
  "ttft/disaggregated": t("accuracy.ttft_disaggregated"),
};

/**
 * Shows how far the calibrated cost model is from servers that were measured.
 *
 * @param {string} [about] a model, a device and an engine, to begin with their servers
 */
export async function showAccuracy(view, signal, about = "") {
  document.title = `${t("common.accuracy")} – throughput-optimizer`;
  fill(view, element("h1", {}, t("common.accuracy_measured_and_modeled")), element("p", {}, t("accuracy.loading_measurements")));
  const answer = await accuracy(signal);
  fill(
    view,
    element("h1", {}, t("common.accuracy_measured_and_modeled")),
    element(
      "p",
      { class: "lead" },
      `${t("accuracy.published_server_benchmarks_each", { 1: whole(answer.servers.length) })} `,
      t("accuracy.thirteen_constants_shared_by"),
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
    { "aria-label": t("accuracy.start_up_logs") },
    element("h2", {}, t("accuracy.start_up_logs")),
    element("p", { class: "hint" }, t("accuracy.memory_per_rank_in", { 1: whole(logs.length) })),
    table(
      t("accuracy.errors_predicted_memory_by"),
      [
        { title: t("accuracy.log_group"), text: (row) => setName(row.name), className: "words" },
        { title: t("accuracy.logs"), text: (row) => whole(row.logs) },
        { title: t("accuracy.kv_cache_median"), text: error("kv_cache", "median_percent") },
        { title: t("accuracy.kv_cache_90th_percentile"), text: error("kv_cache", "p90_percent") },
        { title: t("accuracy.weights_median"), text: error("weights", "median_percent") },
        { title: t("accuracy.weights_90th_percentile"), text: error("weights", "p90_percent") },
      ],
      errors,
    ),
    table(
      t("accuracy.kv_cache_every_start"),
      [
        { title: t("common.model"), text: (row) => row.model, className: "words" },
        { title: t("common.engine"), text: (row) => `${row.backend} ${row.version}`, className: "words" },
        { title: t("common.device"), text: (row) => row.device, className: "words" },
        { title: "TP", text: (row) => whole(row.tp) },
        { title: "DP", text: (row) => whole(row.dp) },
        { title: t("common.value"), text: (row) => LOGGED[row.figure], className: "words" },
        { title: t("common.logged"), text: (row) => size(row, row.printed) },
        { title: t("common.predicted"), text: (row) => size(row, row.predicted) },
        { title: t("common.error"), text: ({ error_percent: percents }) => (percents === undefined ? "–" : percent(percents, 2)) },
      ],
      logs,
    ),
  );
}

/** Name of a set of logs or servers. */
function setName(name) {
  return name === "all" ? t("common.all") : name.replaceAll("_", " ");
}

function summary(rows) {
  const error = (figure, part) => (row) => (row[figure] ? percent(row[figure][part]) : "–");
  return table(
    t("accuracy.errors_percent_of_measured"),
    [
      { title: t("accuracy.models"), text: (row) => setName(row.servers), className: "words" },
      { title: t("accuracy.tpot_median"), text: error("tpot", "median_percent") },
      { title: t("accuracy.tpot_90th_percentile"), text: error("tpot", "p90_percent") },
      { title: t("accuracy.tpot_bias"), text: error("tpot", "bias_percent") },
      { title: t("accuracy.tpot_roofline_median"), text: error("roofline_tpot", "median_percent") },
      { title: t("accuracy.ttft_median"), text: error("ttft", "median_percent") },
      { title: t("accuracy.ttft_90th_percentile"), text: error("ttft", "p90_percent") },
      { title: t("accuracy.ttft_bias"), text: error("ttft", "bias_percent") },
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
  const named = (member) => [["", t("common.all")], ...[...new Set(groups.map((group) => group[member]))].map((name) => [name, name])];
  const [figure, figureField] = choose("accuracy-figure", t("accuracy.value_shown"), Object.entries(FIGURES).map(([id, { name }]) => [id, name]));
  const [model, modelField] = choose("accuracy-model", t("accuracy.model_shown"), named("model"));
  const [device, deviceField] = choose("accuracy-device", t("accuracy.device_shown"), named("device"));
  const [backend, backendField] = choose("accuracy-backend", t("accuracy.engine_shown"), named("backend"));

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
    fill(picture, scatter(t("accuracy.servers_count", { a: name, 1: whole(shown.length) }), t("accuracy.measured_ms", { a: name }), t("accuracy.modeled_ms", { a: name }), points, names));
  }
  draw();
  return element(
    "section",
    { class: "card accuracy-explorer", "aria-label": t("accuracy.all_servers") },
    element("h2", {}, t("accuracy.all_servers")),
    element("div", { class: "accuracy-choices" }, figureField, modelField, deviceField, backendField),
    picture,
  );
}

function groups(rows) {
  const error = (figure, part) => (row) => (row[figure] ? percent(row[figure][part]) : "–");
  return table(
    t("accuracy.by_model_device_and"),
    [
      { title: t("common.model"), text: (row) => row.model, className: "words" },
      { title: t("common.device"), text: (row) => row.device, className: "words" },
      { title: t("common.engine"), text: (row) => row.backend, className: "words" },
      { title: t("accuracy.servers"), text: (row) => whole(row.servers) },
      { title: t("accuracy.tpot_median"), text: error("tpot", "median_percent") },
      { title: t("accuracy.tpot_bias"), text: error("tpot", "bias_percent") },
      { title: t("accuracy.ttft_median"), text: error("ttft", "median_percent") },
      { title: t("accuracy.ttft_bias"), text: error("ttft", "bias_percent") },
    ],
    rows,
  );
}

function bands(rows) {
  return table(
    t("accuracy.intervals_from_errors_on"),
    [
      { title: t("common.value"), text: ({ basis }) => BASES[basis] ?? basis, className: "words" },
      { title: t("accuracy.servers"), text: (row) => whole(row.servers) },
      { title: t("accuracy.coverage"), text: (row) => percent(100 * row.coverage, 0) },
      { title: t("common.from"), text: (row) => `x ${decimals(row.low, 2)}` },
      { title: t("common.to"), text: (row) => (row.high === undefined ? t("accuracy.unbounded") : `x ${decimals(row.high, 2)}`) },
    ],
    rows,
  );
}
