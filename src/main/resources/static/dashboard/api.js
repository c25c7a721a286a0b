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

/** The rule of an error, without the name of its field at the beginning. */
export function ruleOf({ pointer, parameter, detail }) {
  const name = parameter ?? (pointer ? pointer.slice(1).replace(/\/(\d+)(?=\/|$)/g, "[$1]").replaceAll("/", ".") : "The request body");
  return detail.startsWith(name) ? detail.slice(name.length).replace(/^:? /, "") : detail;
}

/** Where questions of one kind go, as an absolute address. */
export function urlOf(path) {
  return new URL(path, BASE).href;
}

export function submit(request, signal) {
  return post(`optimizations?${WITH_PROBES},defaults`, request, signal);
}

/** The answer of a question with its probes, which is not stored. */
export function askWhole(request, signal) {
  return post(`optimizations?${UNSTORED}&${WITH_PROBES},defaults`, request, signal, BRIEFLY);
}

/** The same of a question that the page compares with, told apart by its address; its assumptions are not shown. */
export function askBeside(request, signal) {
  return post(`optimizations?${UNSTORED}`, request, signal, BRIEFLY);
}

/** The job of a question, finished unless that takes long. */
export function submitAndWait(request, signal) {
  return post(`optimizations?${WITH_PROBES},defaults`, request, signal, { Prefer: "wait=20" });
}

/** Which service gets what of one stock. */
export function planPortfolio(request, signal) {
  return post("portfolios", request, signal);
}

/** One configuration under load. */
export function simulate(request, signal) {
  return post("simulations", request, signal);
}

function post(path, request, signal, headers = {}) {
  return json(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
    body: writeJson(request),
    signal,
  });
}

export function job(id, signal) {
  return json(`optimizations/${encodeURIComponent(id)}?${WITH_PROBES}`, { signal });
}

/** One page of jobs, newest first. */
export function jobs({ status, starred, q, cursor, limit }, signal) {
  const query = new URLSearchParams();
  Object.entries({ status, starred, q, cursor, limit }).forEach(([name, value]) => value && query.set(name, value));
  return json(`optimizations?${query}`, { signal });
}

/** Cancels a job unless it is finished; answers how it stands. */
export function cancel(id) {
  return json(`optimizations/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}

/** Removes a finished job with its result, also when the page is left meanwhile. */
export function remove(id) {
  return call(`optimizations/${encodeURIComponent(id)}`, { method: "DELETE", keepalive: true });
}

/** Names a job, or marks it with a star. */
export function label(id, said) {
  return patch(`optimizations/${encodeURIComponent(id)}`, said);
}

export function patch(path, said) {
  return json(path, {
    method: "PATCH",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(said),
  });
}

/** A stream of server-sent events about one job. */
export function events(id) {
  return eventsAt(`optimizations/${encodeURIComponent(id)}/events`);
}

/** The stream at a path. */
export function eventsAt(path) {
  const address = new URL(path, BASE);
  return hasKey() ? new EventReader(address, authorization()) : new EventSource(address);
}

/** A job's `result` or `curves` in one of their media types. */
export async function download(id, part, mediaType) {
  const response = await call(`optimizations/${encodeURIComponent(id)}/${part}`, { headers: { Accept: mediaType } });
  return response.blob();
}

/** The commands that start a row of a job's result, as a script. */
export async function launch(id, asked, signal) {
  const path = `optimizations/${encodeURIComponent(id)}/launch?${new URLSearchParams(asked)}`;
  const response = await call(path, { headers: { Accept: "text/plain" }, signal });
  return response.text();
}

/** A link that shows a job to people without a key. */
export function share(id, how, signal) {
  return post(`optimizations/${encodeURIComponent(id)}/shares`, how, signal);
}

/** The links of a job that have not ended, without what opens them. */
export function shares(id, signal) {
  return json(`optimizations/${encodeURIComponent(id)}/shares`, { signal });
}

export function revokeShare(id, link) {
  return call(`optimizations/${encodeURIComponent(id)}/shares/${encodeURIComponent(link)}`, { method: "DELETE" });
}

/** What a link shows. */
export async function shared(token, signal) {
  return (await callWithLink(`share?${WITH_PROBES}`, token, { signal })).json();
}

/** The result that a link shows, in one of its media types. */
export async function downloadShared(token, mediaType) {
  const response = await callWithLink(`share/result?${WITH_PROBES}`, token, { headers: { Accept: mediaType } });
  return response.blob();
}

/** The same servers for a cluster, as YAML. */
export async function manifests(id, asked, signal) {
  const path = `optimizations/${encodeURIComponent(id)}/launch/manifests?${new URLSearchParams(asked)}`;
  const response = await call(path, { headers: { Accept: "application/yaml, application/problem+json" }, signal });
  return response.text();
}

/** Which engines can start a row of a job's result, and why not. */
export function launchEngines(id, asked, signal) {
  return json(`optimizations/${encodeURIComponent(id)}/launch/engines?${new URLSearchParams(asked)}`, { signal });
}

/** The commands that start a row of what a question is answered, of which nothing is kept. */
export async function launchUnstored(request, asked, signal) {
  const response = await call(`launch-scripts?${new URLSearchParams(asked)}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/plain", Prefer: "wait=5" },
    body: writeJson(request),
    signal,
  });
  return response.text();
}

/** Numbers and files for an autoscaler of a job's plan. */
export function autoscaling(id, asked, signal) {
  return json(`optimizations/${encodeURIComponent(id)}/autoscaling?${new URLSearchParams(asked)}`, { signal });
}

/** The same of what a question is answered, of which nothing is kept. */
export function autoscalingUnstored(request, asked, signal) {
  return post(`optimizations/autoscaling?${new URLSearchParams(asked)}`, request, signal, { Prefer: "wait=5" });
}

/** How long requests may get on each layout that a job tries, and how many of a length it holds. */
export function contexts(id, asked, signal) {
  return json(`optimizations/${encodeURIComponent(id)}/contexts?${new URLSearchParams(asked)}`, { signal });
}

/** One page of measured sets, newest first and without their rows. */
export function measurements({ cursor, limit }, signal) {
  const query = new URLSearchParams();
  Object.entries({ cursor, limit }).forEach(([name, value]) => value && query.set(name, value));
  return json(`measurements?${query}`, { signal });
}

/** A measured set with its rows. */
export function measurementSet(id, signal) {
  return json(`measurements/${encodeURIComponent(id)}`, { signal });
}

/** Removes a measured set. */
export function removeMeasurements(id) {
  return call(`measurements/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/**
 * The measured set that a result file of a benchmark tool makes.
 *
 * @param {File} file as the tool wrote it
 * @param {Object} beside what the file does not say
 */
export function bringResultFile(file, beside, signal) {
  const [, type] = RESULT_TYPES.find(([ending]) => ending.test(file.name)) ?? [null, "application/json"];
  return json(`measurements/from-file?${new URLSearchParams(beside)}`, {
    method: "POST",
    headers: { "Content-Type": type, Accept: "application/json" },
    body: file,
    signal,
  });
}

/** The columns of the page's tables, which are no part of the API. */
export function pageColumns() {
  return json("../../dashboard/columns.json");
}

/** The version of the service, where it knows one, and the operator's prices. */
export function about() {
  return json("../../dashboard/about.json");
}

/** All devices, and the names of those that cost model `calibrated` takes. */
export function devices() {
  return json("devices");
}

export async function models() {
  return (await json("models")).models;
}

/**
 * Settings and memory of a start-up log.
 *
 * @param {string} text the log
 * @param {{device: ?string, model_id: ?string}} how what the log does not name
 */
export function readEngineLog(text, how, signal) {
  return postText(`engine-logs?${new URLSearchParams(how)}`, text, signal);
}

/** Layout and settings of the server that a command line starts. */
export function readServerCommand(text, how, signal) {
  return postText(`servers/from-command?${new URLSearchParams(how)}`, text, signal);
}

/** Traffic of a running server, by its metrics or by answers of Prometheus. */
export function readMetrics(text, signal) {
  return postText("traffic/from-metrics", text, signal, text.startsWith("{") ? "application/json" : "text/plain");
}

/** Requests that an input of another planner stands for. */
export function importRequest(text, signal) {
  return postText("import", text, signal);
}

/** A running server beside the best plan for the same devices. */
export function compareServer(request, signal) {
  return post("comparisons", request, signal);
}

function postText(path, body, signal, type = "text/plain") {
  return json(path, { method: "POST", headers: { "Content-Type": type, Accept: "application/json" }, body, signal });
}

/** Measured servers against the calibrated cost model. */
export function accuracy(signal) {
  return json("accuracy", { signal });
}

/** Values that a request can have in fields with a fixed list. */
export function capabilities() {
  return json("capabilities");
}

export async function lengthDistributions() {
  return (await json("length-distributions")).length_distributions;
}

/**
 * The length distribution of a trace.
 *
 * @param {File} file separated values, or by its name JSON, compressed or not
 * @param {{bins: string, binning: string}} how bins are made, and which columns hold what where the service does not know their names
 */
export function distributionOf(file, how, signal) {
  const [, ending] = /\.(jsonl|ndjson|json)(?:\.gz)?$/i.exec(file.name) ?? [];
  const lines = ending?.toLowerCase() === "json" ? "application/json" : "application/x-ndjson";
  const type = ending ? lines : "text/csv";
  return json(`length-distributions/from-trace?${new URLSearchParams(how)}`, {
    method: "POST",
    headers: { "Content-Type": type, Accept: "application/json" },
    body: file,
    signal,
  });
}

export function lengthDistribution(name) {
  return json(`length-distributions/${encodeURIComponent(name)}`);
}

/** The document that a call answers. */
export async function json(path, options) {
  const response = await call(path, options);
  return response.json();
}

/** Asks for a key where the service does, and calls again with it. */
export async function call(path, options = {}) {
  for (;;) {
    const credentials = authorization();
    const response = await answer(path, { ...options, headers: { ...options.headers, ...credentials } });
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
  const response = await answer(path, { ...options, headers: { ...options.headers, "Share-Token": token } });
  if (!response.ok) {
    throw new ProblemError(await problemOf(response), response.headers.get("Retry-After"));
  }
  return response;
}

async function answer(path, options) {
  try {
    return await fetch(new URL(path, BASE), options);
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
