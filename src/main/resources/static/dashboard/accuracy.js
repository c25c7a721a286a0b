import { accuracy } from "./api.js";
import { chartPanel } from "./chartpanel.js";
import { element, field, fill, select } from "./dom.js";
import { decimals, percent, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

/** Figures of the KV cache in start-up logs. */
const LOGGED = { kv_tokens: "tokens", kv_pool_gib: "GiB", requests: "requests" };

/**
 * Shows how far the calibrated cost model is from servers that were measured.
 *
 * @param {string} [about] a model, a device and an engine, to begin with their servers
 */
export async function showAccuracy(view, signal, about = "") {
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
    explorer(answer, about.split("/").map(decodeURIComponent), signal),
    groups(answer.groups),
    bands(answer.bands),
    startupLogs(answer.startup_logs),
  );
}

/** Memory that start-up logs print, and its prediction. */
function startupLogs({ groups: errors, logs }) {
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
        ...errorColumns(["kv_cache", "weights"], ["median", "p90"], 2),
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

/** Points on two logarithmic axes, with the line where both are equal and those at half and twice. */
function scatter(name, count, series) {
  const values = series.flatMap(({ points }) => points.flatMap(({ x, y }) => [x, y]));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const lines = [0.5, 1, 2].map((ratio) => ({ label: `× ${ratio}`, quiet: true, points: [least, most].map((x) => ({ x, y: ratio * x, withinSlo: true })) }));
  const axis = (label) => ({ name: label, label, log: true, limit: null });
  return {
    title: t("accuracy.servers_count", { a: name, 1: whole(count) }),
    kind: t("common.model"),
    note: "",
    x: axis(t("accuracy.measured_ms", { a: name })),
    y: axis(t("accuracy.modeled_ms", { a: name })),
    series: [...series, ...lines],
    isWhole: true,
  };
}

function summary(rows) {
  return table(
    t("accuracy.errors_percent_of_measured"),
    [
      { title: t("accuracy.models"), text: (row) => setName(row.servers), className: "words" },
      ...errorColumns(["tpot"], ["median", "p90", "bias"]),
      ...errorColumns(["roofline_tpot"], ["median"]),
      ...errorColumns(["ttft"], ["median", "p90", "bias"]),
    ],
    rows,
  );
}

function errorColumns(figures, parts, digits = 1) {
  return figures.flatMap((figure) =>
    parts.map((part) => ({
      title: t(`error_column.${figure}_${part}_percent`),
      text: (row) => (row[figure] ? percent(row[figure][`${part}_percent`], digits) : "–"),
    })),
  );
}

/** Whether servers of a group ran a model; checkpoints are named more exactly than the groups. */
export const ran = (group, model) => model.split("/").at(-1).includes(group.model.split("/")[0]);

function explorer({ servers, groups }, [aboutModel = "", aboutDevice, aboutBackend], signal) {
  const picture = element("div", {});
  const choose = (id, label, options) => {
    const control = select(options, draw, { id });
    return [control, field(label, control)];
  };
  const named = (member) => [["", t("common.all")], ...[...new Set(groups.map((group) => group[member]))].map((name) => [name])];
  const [figure, figureField] = choose("accuracy-figure", t("accuracy.value_shown"), ["tpot", "ttft"].map((id) => [id, id.toUpperCase()]));
  const [model, modelField] = choose("accuracy-model", t("accuracy.model_shown"), named("model"));
  const [device, deviceField] = choose("accuracy-device", t("accuracy.device_shown"), named("device"));
  const [backend, backendField] = choose("accuracy-backend", t("accuracy.engine_shown"), named("backend"));

  const chosen = groups.find((group) => ran(group, aboutModel) && group.device === aboutDevice && group.backend === aboutBackend);
  if (chosen) {
    [model.value, device.value, backend.value] = [chosen.model, chosen.device, chosen.backend];
  }

  function draw() {
    const [name, measured, modelled] = [figure.value.toUpperCase(), `measured_${figure.value}_ms`, `${figure.value}_ms`];
    const choices = Object.entries({ model, device, backend }).filter(([, { value }]) => value !== "");
    const shown = servers.filter((server) => server[measured] !== undefined && choices.every(([member, { value }]) => server[member] === value));
    const series = [...Map.groupBy(shown, (server) => server.model)].map(([label, own]) => ({
      label,
      scattered: true,
      points: own.map((server) => ({ x: server[measured], y: server[modelled], withinSlo: true })),
    }));
    fill(picture, chartPanel(t("accuracy.all_servers"), [scatter(name, shown.length, series)], signal));
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
  return table(
    t("accuracy.by_model_device_and"),
    [
      { title: t("common.model"), text: (row) => row.model, className: "words" },
      { title: t("common.device"), text: (row) => row.device, className: "words" },
      { title: t("common.engine"), text: (row) => row.backend, className: "words" },
      { title: t("accuracy.servers"), text: (row) => whole(row.servers) },
      ...errorColumns(["tpot", "ttft"], ["median", "bias"]),
    ],
    rows,
  );
}

function bands(rows) {
  return table(
    t("accuracy.intervals_from_errors_on"),
    [
      { title: t("common.value"), text: ({ basis }) => t(`interval_of.${basis.replace("/", "_")}`), className: "words" },
      { title: t("accuracy.servers"), text: (row) => whole(row.servers) },
      { title: t("accuracy.coverage"), text: (row) => percent(100 * row.coverage, 0) },
      { title: t("common.from"), text: (row) => `x ${decimals(row.low, 2)}` },
      { title: t("common.to"), text: (row) => (row.high === undefined ? t("accuracy.unbounded") : `x ${decimals(row.high, 2)}`) },
    ],
    rows,
  );
}
