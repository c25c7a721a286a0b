import { answerOf, bringMeasurements, compareServer, ProblemError, readMetrics, readServerCommand } from "./api.js";
import { comparison, errorsOf } from "./compared.js";
import { busyButton, card, element, fill, tool } from "./dom.js";
import { withLog } from "./enginelog.js";
import { decimals, layout, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

/** Command or start-up log of the running server, and its traffic, as they come. */
const known = {};

export async function takeCommand({ text }, form) {
  const request = form.asked();
  const server = await readServerCommand(text, { device: request.devices?.[0] ?? "", ...(request.model_id ? { model_id: request.model_id } : {}) });
  const { backend, max_num_seqs: _, max_batched_tokens: __, kv_tokens: ___, ...engine } = server.engine;
  Object.assign(known, { command: text, sizes: server.parallel });
  await ask(form, {
    ...request,
    cost_model: "calibrated",
    model_id: server.model_id ?? request.model_id,
    num_devices: server.num_devices,
    engine: { backend, version: request.engine?.backend === backend ? request.engine.version : undefined, memory_share: server.memory_share, ...engine },
    quantization: server.scheme ? { scheme: server.scheme } : request.quantization,
  });
  return ["pastebox.a_server_command", reasons(server.ignored, "option"), await nowAndBest(form)];
}

export async function takeLog({ text }, form) {
  const { request, shown } = await withLog(form.asked(), text);
  known.log = text;
  await ask(form, request);
  return ["pastebox.a_startup_log", shown, await nowAndBest(form)];
}

export async function takeMetrics({ text }, form) {
  const { workload } = (known.traffic = await readMetrics(text));
  await ask(form, { ...form.asked(), ...(Object.keys(workload).length > 0 && { workload }) });
  return ["pastebox.metrics_of_a_server", lengths(known.traffic), await nowAndBest(form)];
}

/** Takes a request into the form, with the demand of the metrics for mode capacity. */
function ask(form, request) {
  return form.apply({ demand: known.traffic?.demand, ...request });
}

/** Sizes of the server whose command was read. */
export function knownSizes() {
  return known.sizes;
}

/** What has no place in the form, with the reasons. */
export function reasons(list, name) {
  return list.length > 0 && element("ul", {}, list.map((one) => element("li", {}, element("code", {}, one[name]), ` ${one.reason}`)));
}

/** Errors of a text or a request, a paragraph each. */
export function faults({ problem, message }) {
  const said = problem.errors?.map((error) => [error.parameter ?? error.pointer, error.message].filter(Boolean).join(" ")) ?? [message];
  return said.map((fault) => element("p", { class: "error" }, fault));
}

/** Shows the findings of a stored set, and calibrates the plan by it. */
export async function learnFrom(set, form) {
  const request = form.asked();
  if (set.learnt_from) {
    await ask(form, { ...request, engine: { ...request.engine, version: set.group.version }, feedback: { ...request.feedback, measurements: [...(request.feedback?.measurements ?? []), set.id] } });
  }
  return [element("p", {}, set.learnt_from ? errorsOf(set) : t("common.not_usable_for_calibration", { A: set.not_learnt_from })), comparison(set)];
}

/** Lengths of requests, with the range of their mean square that the histogram of the server leaves open. */
function lengths({ lengths: read }) {
  const range = ({ low, high }) => `${whole(low)} – ${whole(high)}`;
  const rows = ["input", "output"].filter((name) => read[name]).map((name) => ({ name, ...read[name] }));
  const columns = [
    { title: t("running.length"), text: ({ name }) => t(`trace.${name}`), className: "words" },
    { title: t("common.requests"), text: ({ requests }) => whole(requests) },
    { title: t("common.mean"), text: ({ mean }) => decimals(mean, 1) },
    ...["p50", "p90", "p99"].map((share) => ({ title: share, text: ({ quantiles }) => (quantiles[share] ? range(quantiles[share]) : "–") })),
    { title: t("running.root_mean_square"), text: ({ mean_square: { value, low, high } }) => `${whole(Math.sqrt(value))} (${range({ low: Math.sqrt(low), high: high && Math.sqrt(high) })})` },
  ];
  return rows.length > 0 && table(t("running.lengths_of_requests"), columns, rows);
}

/** Compares the running server with the best plan for its devices, once its traffic and its command or log are known. */
async function nowAndBest(form) {
  const { devices: [device] = [], engine } = form.asked();
  const { command, log, traffic } = known;
  if (!traffic || !(command || log)) {
    return element("p", {}, t(traffic ? "running.add_the_command" : "running.add_metrics"));
  }
  const compared = await compareServer({ running: { command, log, version: engine?.version }, device, traffic });
  const { running, best, now, limits, sentence, warnings } = compared;
  const rows = [
    { name: t("running.now"), words: running.layout, plan: running.most, sizes: sizesOf(running.most ?? now.predicted) },
    { name: t("running.best"), words: best.layout, plan: best.most, sizes: sizesOf(best.most) },
  ];
  const planned = ({ sizes: { tp, dp = 1, ep = 1 } }) =>
    ask(form, { ...form.asked(), num_devices: running.num_devices, slo: { ttft_ms: limits.ttft_ms, tpot_ms: limits.tpot_ms }, search: { tp_sizes: [tp], dp_sizes: [dp], ep_sizes: [ep] } });
  const columns = [
    { title: t("common.plan"), text: ({ name }) => name, className: "words" },
    { title: t("common.layout"), text: ({ words }) => words ?? t("common.no_feasible_plan"), className: "words" },
    { title: t("answer.requests_s"), text: ({ plan }) => decimals(plan?.requests_per_s, 1) },
    { title: "TTFT (ms)", text: ({ plan }) => decimals(plan?.ttft_ms, 0) },
    { title: "TPOT (ms)", text: ({ plan }) => decimals(plan?.tpot_ms, 1) },
    { title: t("running.action"), text: (row) => row.sizes && tool(t("running.plan_this_layout"), () => planned(row)), className: "action" },
  ];
  return card(
    t("running.now_and_best"),
    element("p", {}, element("strong", { translate: "no" }, sentence)),
    table(t("running.at_most_within_limits"), columns, rows, (row) => row === rows[1]),
    warnings.length > 0 && element("ul", { class: "warnings", translate: "no" }, warnings.map((warning) => element("li", {}, warning))),
    measured(traffic.measured, sizesOf(running.most ?? now.predicted), form),
  );
}

function sizesOf(plan) {
  return plan?.instances[0].parallel;
}

/** Stores the row of the server where it is usable, else says why not. */
function measured({ row, reasons: against, usable }, sizes, form) {
  if (!usable || !sizes) {
    return [element("p", {}, t("running.not_usable_as_a_measurement")), element("ul", { translate: "no" }, (sizes ? against : [...against, t("common.no_feasible_plan")]).map((reason) => element("li", {}, reason)))];
  }
  const { tp, dp, ep } = sizes;
  const stored = element("div", { role: "status" });
  const store = async () => {
    const { model_id, devices: [device], engine: { backend, version, kv_cache_dtype } } = form.asked();
    if (!version) {
      fill(stored, element("p", { class: "error" }, t("running.engine_version_unknown")));
      return;
    }
    const set = await answerOf(bringMeasurements({ model_id, device, quantization: form.weights(), engine: { backend, version, kv_cache_dtype }, rows: [{ parallel: { tp, dp, ep }, ...row }] }));
    fill(stored, set instanceof ProblemError ? faults(set) : await learnFrom(set, form));
  };
  return [element("p", {}, busyButton(t("running.use_as_a_measurement"), store)), stored];
}
