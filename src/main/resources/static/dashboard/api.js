import { EventReader } from "./eventreader.js";
import { writeJson } from "./infinite.js";
import { askForKey, authorization, hasKey } from "./key.js";
import { t } from "./language.js";

const BASE = new URL("api/v1/", document.baseURI);

/** Curves are drawn of the probes of a result, which other callers do not get. */
const WITH_PROBES = "include=probes,frontier,compositions,all_rows";

/** Answered at once or not at all, and not stored. */
const UNSTORED = "store=false";
const BRIEFLY = { Prefer: "wait=5" };

/** Cells that one page of rows of a sweep has at the most. */
const MOST_CELLS = 1000;

/** Media types of result files, by how their names end. */
const RESULT_TYPES = [
  [/\.(jsonl|ndjson)$/i, "application/x-ndjson"],
  [/\.ya?ml$/i, "application/yaml"],
  [/\.csv$/i, "text/csv"],
  [/\.(txt|log)$/i, "text/plain"],
];

/** An answer that is not a success; `problem` is its RFC 9457 body. */
export class ProblemError extends Error {
  constructor(problem, retryAfter) {
    const said = problem.detail ?? problem.title ?? t("api.service_returned_error");
    super(retryAfter ? t("api.retry_in_s", { A: said, 1: retryAfter }) : said);
    this.problem = problem.errors ? { ...problem, errors: problem.errors.map((error) => ({ ...error, message: ruleOf(error) })) } : problem;
    this.retryAfter = retryAfter;
  }
}

/** Returns the answer of a call or its problem; undefined for an aborted call. */
export async function answerOf(call) {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProblemError) {
      return error;
    }
    if (error.name === "AbortError") {
      return undefined;
    }
    throw error;
  }
}

/** The rule of an error, without the name of its field at the beginning. */
export function ruleOf({ pointer, parameter, detail }) {
  const name = parameter ?? (pointer ? pointer.slice(1).replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".") : "The request body");
  return detail.startsWith(name) ? detail.slice(name.length).replace(/^:? /, "") : detail;
}

/** Where questions of one kind go, as an absolute address. */
export const urlOf = (path) => new URL(path, BASE).href;
export const submit = (request, signal) => post(`optimizations?${WITH_PROBES},defaults`, request, signal);

/** Makes a job of a question, and shows it. */
export async function submitAndShow(request) {
  location.hash = `/jobs/${(await submit(request)).id}`;
}

/** The answer of a question with its probes, which is not stored. */
export const askWhole = (request, signal) => post(`optimizations?${UNSTORED}&${WITH_PROBES},defaults`, request, signal, BRIEFLY);

/** The same of a question that the page compares with, told apart by its address; its assumptions are not shown. */
export const askBeside = (request, signal) => post(`optimizations?${UNSTORED}`, request, signal, BRIEFLY);

/** The job of a question, finished unless that takes long. */
export const submitAndWait = (request, signal) => post(`optimizations?${WITH_PROBES},defaults`, request, signal, { Prefer: "wait=20" });
export const planPortfolio = (request, signal) => post("portfolios", request, signal);
export const simulate = (request, signal) => post("simulations", request, signal);
export const job = (id, signal) => json(`${jobAt(id)}?${WITH_PROBES}`, { signal });
export const jobs = (query, signal) => json(at("optimizations", query), { signal });

/** Cancels a job unless it is finished; answers how it stands. */
export const cancel = (id) => json(`${jobAt(id)}/cancel`, { method: "POST" });

/** Removes a finished job with its result, also when the page is left meanwhile. */
export const remove = (id) => call(jobAt(id), { method: "DELETE", keepalive: true });
export const label = (id, said) => patch(jobAt(id), said);
export const events = (id) => eventsAt(`${jobAt(id)}/events`);
export const download = (id, part, mediaType) => file(`${jobAt(id)}/${part}`, mediaType);

/** The commands that start a row of a job's result, as a script. */
export const launch = (id, asked, signal) => text(at(`${jobAt(id)}/launch`, asked), "text/plain", { signal });
export const manifests = (id, asked, signal) => text(at(`${jobAt(id)}/launch/manifests`, asked), "application/yaml, application/problem+json", { signal });

/** Which engines can start a row of a job's result, and why not. */
export const launchEngines = (id, asked, signal) => json(at(`${jobAt(id)}/launch/engines`, asked), { signal });

/** Returns the commands that start a row of an unstored answer. */
export function launchUnstored(request, asked, signal) {
  return text(at("launch-scripts", asked), "text/plain", { method: "POST", headers: { "Content-Type": "application/json", ...BRIEFLY }, body: writeJson(request), signal });
}

/** Numbers and files for an autoscaler of a job's plan. */
export const autoscaling = (id, asked, signal) => json(at(`${jobAt(id)}/autoscaling`, asked), { signal });

/** The same of what a question is answered, of which nothing is kept. */
export const autoscalingUnstored = (request, asked, signal) => post(at("optimizations/autoscaling", asked), request, signal, BRIEFLY);
export const share = (id, how, signal) => post(`${jobAt(id)}/shares`, how, signal);

/** The links of a job that have not ended, without what opens them. */
export const shares = (id, signal) => json(`${jobAt(id)}/shares`, { signal });
export const revokeShare = (id, link) => call(`${jobAt(id)}/shares/${encodeURIComponent(link)}`, { method: "DELETE" });
export const shared = async (token, signal) => (await callWithLink(`share?${WITH_PROBES}`, token, { signal })).json();
export const downloadShared = async (token, mediaType) => (await callWithLink(`share/result?${WITH_PROBES}`, token, { headers: { Accept: mediaType } })).blob();

/** How long requests may get on each layout that a job tries, and how many of a length it holds. */
export const contexts = (id, asked, signal) => json(at(`${jobAt(id)}/contexts`, asked), { signal });
export const measurements = (query, signal) => json(at("measurements", query), { signal });
export const measurementSet = (id, signal) => json(`measurements/${encodeURIComponent(id)}`, { signal });
export const removeMeasurements = (id) => call(`measurements/${encodeURIComponent(id)}`, { method: "DELETE" });

/**
 * The measured set that a result file of a benchmark tool makes.
 *
 * @param {File} file as the tool wrote it
 * @param {Object} beside what the file does not say
 */
export function bringResultFile(file, beside, signal) {
  const [, type] = RESULT_TYPES.find(([ending]) => ending.test(file.name)) ?? [null, "application/json"];
  return send(at("measurements/from-file", beside), file, type, signal);
}

/** Stores rows of one server. */
export const bringMeasurements = (request, signal) => post("measurements", request, signal);

/** The columns of the page's tables, which are no part of the API. */
export const pageColumns = () => json("../../dashboard/columns.json");

/** The version of the service, where it knows one, and the operator's prices. */
export const about = () => json("../../dashboard/about.json");

/** All devices, and the names of those that cost model `calibrated` takes. */
export const devices = () => json("devices");
export const models = async () => (await json("models")).models;

/**
 * Settings and memory of a start-up log.
 *
 * @param {{device: ?string, model_id: ?string}} how what the log does not name
 */
export const readEngineLog = (log, how, signal) => send(at("engine-logs", how), log, "text/plain", signal);
export const readServerCommand = (command, how, signal) => send(at("servers/from-command", how), command, "text/plain", signal);

/** Traffic of a running server, by its metrics or by answers of Prometheus. */
export const readMetrics = (metrics, signal) => send("traffic/from-metrics", metrics, metrics.startsWith("{") ? "application/json" : "text/plain", signal);

/** Requests that an input of another planner stands for. */
export const importRequest = (input, signal) => send("import", input, "text/plain", signal);

/** A running server beside the best plan for the same devices. */
export const compareServer = (request, signal) => post("comparisons", request, signal);
export const accuracy = (signal) => json("accuracy", { signal });
export const capabilities = () => json("capabilities");
export const lengthDistributions = async () => (await json("length-distributions")).length_distributions;
export const lengthDistribution = (name) => json(`length-distributions/${encodeURIComponent(name)}`);

/**
 * The length distribution of a trace.
 *
 * @param {File} file separated values, or by its name JSON, compressed or not
 * @param {{bins: string, binning: string}} how bins are made, and which columns hold what where the service does not know their names
 */
export function distributionOf(file, how, signal) {
  const [, ending] = /\.(jsonl|ndjson|json)(?:\.gz)?$/i.exec(file.name) ?? [];
  const lines = ending?.toLowerCase() === "json" ? "application/json" : "application/x-ndjson";
  return send(at("length-distributions/from-trace", how), file, ending ? lines : "text/csv", signal);
}

export const submitSweep = (request) => post("sweeps", request);
export const sweeps = (query, signal) => json(at("sweeps", query), { signal });
export const sweep = (id, signal) => json(sweepAt(id), { signal });

/** Ends a sweep unless it is finished; answers how it stands. */
export const cancelSweep = (id) => json(`${sweepAt(id)}/cancel`, { method: "POST" });

/** Names a sweep, or takes its name away with an empty one. */
export const renameSweep = (id, name) => patch(sweepAt(id), { name });
export const removeSweep = (id) => call(sweepAt(id), { method: "DELETE" });
export const sweepEvents = (id) => eventsAt(`${sweepAt(id)}/events`);
export const sweepCell = (id, cell, signal) => json(`${sweepAt(id)}/cells/${cell}`, { signal });

/** Rows that ended so, as far as one page has them. */
export const cellsThatEnded = async (id, outcome, signal) => (await json(at(`${sweepAt(id)}/cells`, { outcome, limit: MOST_CELLS }), { signal })).cells;

/**
 * A figure over two axes.
 *
 * @param {{rows: string, columns: string, value: string, where: Object}} shown values of the other axes, by label
 */
export function sweepTable(id, { rows, columns, value, where }, signal) {
  const filters = Object.entries(where).map(([label, said]) => `&filter=${encodeURIComponent(`${label}=${said}`)}`);
  return json(at(`${sweepAt(id)}/table`, { rows, metric: value, columns }) + filters.join(""), { headers: { Accept: "application/json" }, signal });
}

export const sweepFile = (id, mediaType) => file(`${sweepAt(id)}/cells`, mediaType);

function jobAt(id) {
  return `optimizations/${encodeURIComponent(id)}`;
}

function sweepAt(id) {
  return `sweeps/${encodeURIComponent(id)}`;
}

/** A path with the parameters that have a value. */
function at(path, query) {
  return `${path}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""))}`;
}

function post(path, request, signal, headers = {}) {
  return send(path, writeJson(request), "application/json", signal, headers);
}

function patch(path, said) {
  return json(path, { method: "PATCH", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(said) });
}

function send(path, body, type, signal, headers = {}) {
  return json(path, { method: "POST", headers: { "Content-Type": type, Accept: "application/json", ...headers }, body, signal });
}

async function json(path, options) {
  return (await call(path, options)).json();
}

async function text(path, mediaType, { headers, ...options }) {
  return (await call(path, { ...options, headers: { ...headers, Accept: mediaType } })).text();
}

async function file(path, mediaType) {
  return (await call(path, { headers: { Accept: mediaType } })).blob();
}

function eventsAt(path) {
  const address = new URL(path, BASE);
  return hasKey() ? new EventReader(address, authorization()) : new EventSource(address);
}

/** Asks for a key where the service does, and calls again with it. */
async function call(path, options = {}) {
  for (;;) {
    const credentials = authorization();
    const response = await answer(path, options, credentials);
    if (response.ok) {
      return response;
    }
    const problem = await problemOf(response);
    if (response.status !== 401 || !(await askForKey(problem.detail, credentials))) {
      throw new ProblemError(problem, response.headers.get("Retry-After"));
    }
  }
}

/** The token of a link stands for a key: nobody is asked for one. */
async function callWithLink(path, token, options) {
  const response = await answer(path, options, { "Share-Token": token });
  if (!response.ok) {
    throw new ProblemError(await problemOf(response), response.headers.get("Retry-After"));
  }
  return response;
}

async function answer(path, options, credentials) {
  try {
    return await fetch(new URL(path, BASE), { ...options, headers: { ...options.headers, ...credentials } });
  } catch (error) {
    if (error.name === "AbortError") {
      throw error;
    }
    throw new ProblemError({ title: t("api.no_response"), detail: t("api.service_does_not_respond") });
  }
}

async function problemOf(response) {
  try {
    return await response.json();
  } catch {
    return { title: response.statusText, status: response.status, detail: t("api.the_service_returned", { 1: response.status }) };
  }
}
