import { addressOf } from "./address.js";
import { job, ProblemError, ruleOf, submit } from "./api.js";
import { caveatNotices } from "./assumptions.js";
import { CurlPanel } from "./curl.js";
import { announce, element, fill } from "./dom.js";
import { downloads } from "./downloads.js";
import { duration, moment } from "./format.js";
import { selectForComparison } from "./history.js";
import { hasKey } from "./key.js";
import { t } from "./language.js";
import { naming } from "./naming.js";
import { otherAnswer } from "./otheranswer.js";
import { OtherMode } from "./othermode.js";
import { removeUnlessUndone } from "./removal.js";
import { resultSections } from "./results.js";
import { RunningPanel } from "./running.js";
import { sharesPanel } from "./shares.js";
import { follow, isFinished } from "./stream.js";
import { nameOf } from "./words.js";

const ENDS = { succeeded: t("job.succeeded"), failed: t("job.failed"), cancelled: t("job.canceled") };

/** Shows one job, and follows it while it is not finished. */
export async function showJob(view, signal, id) {
  fill(view, element("p", { class: "loading" }, t("common.loading")));
  try {
    const state = await job(id, signal);
    document.title = `${nameOf(state)} – throughput-optimizer`;
    if (isFinished(state)) {
      showFinished(view, signal, state);
    } else {
      await showRunning(view, signal, state);
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    showMissing(view, error);
  }
}

function showMissing(view, { problem, message }) {
  const unknown = problem.status === 404;
  document.title = `${t("job.no_job")} – throughput-optimizer`;
  fill(
    view,
    element("h1", {}, unknown ? (hasKey() ? t("job.not_found_or_not") : t("common.job_not_found")) : t("job.job_cannot_be_displayed")),
    element("p", { class: "notice" }, message, " ", element("a", { href: "#/jobs" }, t("job.all_jobs"))),
  );
}

async function showRunning(view, signal, state) {
  const panel = new RunningPanel(state);
  const top = element("div", {}, heading(state));
  let shown = state.status;
  const progressed = (standing) => {
    panel.show(standing);
    if (standing.status !== shown) {
      shown = standing.status;
      fill(top, heading({ ...state, ...standing }));
    }
  };
  fill(view, top, panel.node, question(state));
  const finished = await follow(state.id, signal, progressed, (connected) => panel.showConnection(connected));
  const focused = panel.node.contains(document.activeElement);
  showFinished(view, signal, finished);
  announce(ENDS[finished.status]);
  if (focused) {
    view.querySelector("h1").focus();
  }
}

function showFinished(view, signal, state) {
  fill(
    view,
    heading(state),
    actions(state, signal),
    state.result && sharesPanel(state.id, signal),
    state.result && otherAnswer(state, signal),
    state.result && otherMode(state, signal),
    outcome(state, signal),
    question(state),
  );
}

/** What the other mode would serve; the question is taken into the form by its address. */
function otherMode(state, signal) {
  const line = new OtherMode(async (request) => (location.hash = (await addressOf(request)) ?? `/again/${state.id}`));
  signal.addEventListener("abort", () => line.giveUp());
  line.ask({ ...(state.asked ?? state.request), devices: state.request.devices, cost_model: state.request.cost_model }, state);
  return line.node;
}

function heading(state) {
  return element(
    "header",
    { class: "job-heading" },
    naming(state),
    caveatNotices(state),
    element(
      "p",
      { class: "job-facts" },
      element("span", { class: `badge ${state.status}` }, state.status),
      ` ${t("common.submitted", { a: moment(state.submitted_at) })}`,
      state.finished_at && state.started_at ? t("common.took", { a: duration(state.started_at, state.finished_at) }) : "",
    ),
  );
}

function actions(state, signal) {
  const removed = async () => {
    if (await removeUnlessUndone(state)) {
      location.hash = "/jobs";
    }
  };
  return element(
    "div",
    { class: "actions" },
    element("a", { class: "button", href: `#/again/${state.id}` }, t("job.edit_and_rerun")),
    state.result && element("a", { class: "button", href: `#/vary/${state.id}` }, t("job.run_sweep")),
    state.result &&
      element("button", { type: "button", on: { click: () => selectForComparison(state.id) } }, t("job.compare")),
    state.result && downloads(state, signal),
    element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", on: { click: removed } }, t("common.delete")),
  );
}

function outcome(state, signal) {
  if (state.result) {
    return resultSections(state, signal);
  }
  if (state.problem) {
    return failure(state);
  }
  return element(
    "div",
    { class: "notice" },
    element("p", {}, t("job.job_was_canceled_before")),
    runAgain(state),
  );
}

function failure({ problem, asked, request }) {
  return element(
    "div",
    { class: "problem" },
    element("h2", {}, problem.title),
    problem.errors
      ? element(
          "ul",
          {},
          problem.errors.map((error) =>
            element("li", {}, element("code", {}, error.pointer || t("common.request")), " ", ruleOf(error)),
          ),
        )
      : element("p", {}, problem.detail),
    problem.retryable
      ? runAgain({ asked, request })
      : element("p", {}, t("job.same_request_would_likely")),
  );
}

/** A button that submits the same request as a new job. */
function runAgain({ asked, request }) {
  const again = async ({ target }) => {
    target.disabled = true;
    try {
      location.hash = `/jobs/${(await submit(asked ?? request)).id}`;
    } finally {
      target.disabled = false;
    }
  };
  return element("button", { type: "button", class: "primary", on: { click: again } }, t("job.rerun"));
}

function question({ asked, request, id }) {
  return element(
    "details",
    { class: "card question" },
    element("summary", {}, t("common.request")),
    element("p", { class: "hint" }, `${t("job.job")} `, element("code", {}, id), asked ? "." : t("job.defaults_are_filled_in")),
    new CurlPanel(asked ?? request).node,
  );
}
