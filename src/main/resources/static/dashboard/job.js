import { job, ProblemError, remove } from "./api.js";
import { curlOf } from "./curl.js";
import { announce, copy, element, fill } from "./dom.js";
import { downloads } from "./downloads.js";
import { duration, moment } from "./format.js";
import { selectForComparison } from "./history.js";
import { resultSections } from "./results.js";
import { follow, isFinished } from "./stream.js";
import { termsOf, titleOf } from "./words.js";

/** Shows one job, and follows it while it is not finished. */
export async function showJob(view, signal, id) {
  fill(view, element("p", { class: "loading" }, "Loading…"));
  try {
    const state = await job(id, signal);
    document.title = `${titleOf(state.request)} – throughput-optimizer`;
    if (isFinished(state)) {
      showFinished(view, signal, state);
    } else {
      await showRunning(view, signal, state);
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    document.title = "No job – throughput-optimizer";
    fill(view, element("h1", {}, "No such job"), element("p", { class: "notice" }, error.message));
  }
}

async function showRunning(view, signal, state) {
  const meter = element("progress", { "aria-label": "Layouts searched" });
  const words = element("p", {});
  const cancel = element("button", { type: "button", on: { click: () => cancelUnlessFinished(state.id) } }, "Cancel");
  const top = element("div", {});
  const progressed = (change) => {
    fill(top, heading({ ...state, status: change.status }));
    showProgress(meter, words, change.status, change.progress);
  };
  progressed(state);
  fill(view, top, element("div", { class: "card search-progress" }, meter, words, cancel), question(state));
  const finished = await follow(state.id, signal, progressed);
  announce(`The job has ${finished.status}`);
  showFinished(view, signal, finished);
}

/** Looks first: deleting a job that has finished in the meantime would remove it with its result. */
async function cancelUnlessFinished(id) {
  if (!isFinished(await job(id))) {
    await remove(id);
  }
}

function showProgress(meter, words, status, { candidates_done: done, candidates_total: total, points }) {
  if (total) {
    meter.max = total;
    meter.value = done;
  }
  words.textContent =
    status === "queued"
      ? "Waiting for its turn"
      : `${done} of ${total ?? "some"} layouts searched, ${points} batch sizes tried`;
}

function showFinished(view, signal, state) {
  fill(view, heading(state), actions(state), outcome(state, signal), question(state));
}

function heading(state) {
  return element(
    "header",
    { class: "job-heading" },
    element("h1", {}, titleOf(state.request)),
    element("p", { class: "lead" }, termsOf(state.request)),
    element(
      "p",
      { class: "job-facts" },
      element("span", { class: `badge ${state.status}` }, state.status),
      ` submitted ${moment(state.submitted_at)}`,
      state.finished_at && state.started_at ? `, took ${duration(state.started_at, state.finished_at)}` : "",
    ),
  );
}

function actions(state) {
  const removed = async () => {
    await remove(state.id);
    location.hash = "/jobs";
  };
  return element(
    "div",
    { class: "actions" },
    element("a", { class: "button", href: `#/again/${state.id}` }, "Change and run again"),
    state.result &&
      element("a", { class: "button", href: "#/jobs", on: { click: () => selectForComparison(state.id) } }, "Compare…"),
    state.result && downloads(state),
    element("button", { type: "button", class: "quiet", on: { click: removed } }, "Delete"),
  );
}

function outcome(state, signal) {
  if (state.result) {
    return resultSections(state, signal);
  }
  if (state.problem) {
    return element(
      "div",
      { class: "problem" },
      element("h2", {}, state.problem.title),
      element("p", {}, state.problem.detail),
    );
  }
  return element("p", { class: "notice" }, "The job was cancelled before it had a result.");
}

function question({ request, id }) {
  const curl = element(
    "pre",
    { tabindex: "0", role: "region", "aria-label": "curl command" },
    curlOf(request),
  );
  const copyCurl = (event) => copy(curl.textContent, event.target);
  return element(
    "details",
    { class: "card question" },
    element("summary", {}, "The request"),
    element("p", { class: "hint" }, "Job ", element("code", {}, id), ". Defaults are filled in."),
    curl,
    element("button", { type: "button", class: "quiet", on: { click: copyCurl } }, "Copy"),
  );
}
