import { addressOf } from "./address.js";
import { cancel, job, revokeShare, share, shares, submitAndShow } from "./api.js";
import { caveatNotices } from "./card.js";
import { CurlPanel } from "./curl.js";
import { announce, busyButton, copy, element, entitle, fill, freshId, select } from "./dom.js";
import { downloads } from "./downloads.js";
import { moment, whole } from "./format.js";
import { removeUnlessUndone, selectForComparison } from "./history.js";
import { t } from "./language.js";
import { facts, naming } from "./naming.js";
import { otherAnswer, OtherMode } from "./othermode.js";
import { errorList } from "./problems.js";
import { resultSections } from "./results.js";
import { follow, isFinished } from "./stream.js";
import { nameOf } from "./words.js";

const ENDS = { succeeded: t("job.succeeded"), failed: t("job.failed"), cancelled: t("job.canceled") };

/** Shows one job, and follows it while it is not finished. */
export async function showJob(view, signal, id) {
  const state = await job(id, signal);
  entitle(nameOf(state));
  if (isFinished(state)) {
    showFinished(view, signal, state);
  } else {
    await showRunning(view, signal, state);
  }
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
    state.result && otherAnswer(state),
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
  return element("header", { class: "job-heading" }, naming(state), caveatNotices(state), facts(state));
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
    state.result && element("button", { type: "button", on: { click: () => selectForComparison(state.id) } }, t("job.compare")),
    state.result && downloads(state, signal),
    element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", on: { click: removed } }, t("common.delete")),
  );
}

function outcome(state, signal) {
  if (state.result) {
    return resultSections(state, signal, otherMode(state, signal));
  }
  if (state.problem) {
    return failure(state);
  }
  return element("div", { class: "notice" }, element("p", {}, t("job.job_was_canceled_before")), runAgain(state));
}

function failure({ problem, asked, request }) {
  return element(
    "div",
    { class: "problem" },
    element("h2", {}, problem.title),
    errorList(problem),
    problem.retryable ? runAgain({ asked, request }) : element("p", {}, t("job.same_request_would_likely")),
  );
}

/** A button that submits the same request as a new job. */
function runAgain({ asked, request }) {
  return busyButton(t("job.rerun"), () => submitAndShow(asked ?? request), { class: "primary" });
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

/** How far a search has come, and the way to cancel it. */
class RunningPanel {
  constructor(state) {
    this.id = state.id;
    this.meter = element("progress", { "aria-label": t("running.layouts_searched") });
    this.words = element("p", {});
    this.remark = element("p", { class: "hint", role: "status" });
    this.cancelButton = element("button", { type: "button", on: { click: () => this.cancel() } }, t("common.cancel"));
    this.node = element("div", { class: "card search-progress" }, this.meter, this.words, this.remark, this.cancelButton);
    this.show(state);
  }

  show({ status, progress: { candidates_done: done, candidates_total: total, points } }) {
    if (total) {
      this.meter.max = total;
      this.meter.value = done;
    }
    const searched = total ? t("running.layouts_searched_batch_sizes", { 1: whole(done), 2: whole(total), 3: whole(points) }) : t("running.starting_search");
    this.words.textContent = status === "queued" ? t("running.queued") : searched;
  }

  showConnection(connected) {
    this.say(connected ? "" : t("running.connection_lost_reconnecting"));
  }

  async cancel() {
    this.cancelButton.disabled = true;
    try {
      const { status } = await cancel(this.id);
      this.say(
        isFinished({ status }) && status !== "cancelled"
          ? t("running.search_has_already_finished")
          : t("running.canceling_after_current_batch"),
      );
    } catch (error) {
      this.cancelButton.disabled = false;
      throw error;
    }
  }

  say(remark) {
    this.remark.textContent = remark;
  }
}

/** Days that a link may last, the usual number first. */
const DAYS = [30, 7, 90, 365];

/** Links that show a job to people without a key: one makes, copies and revokes them here. */
function sharesPanel(id, signal) {
  return new SharesPanel(id, signal).node;
}

class SharesPanel {
  constructor(id, signal) {
    Object.assign(this, { id, signal });
    this.days = select(DAYS.map((days) => [days, t("shares.days", { 1: days })]));
    this.made = element("div", { class: "share-made" });
    this.list = element("ul", { class: "share-list" });
    this.failure = element("p", { class: "error", role: "alert", hidden: true });
    this.node = element(
      "details",
      { class: "shares", on: { toggle: () => this.node.open && this.attempt(() => this.refresh()) } },
      element("summary", {}, t("shares.share_link")),
      element("p", { class: "hint" }, t("shares.anyone_with_link_can")),
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.days.id }, t("shares.expires_in")),
        this.days,
        element("button", { type: "button", on: { click: () => this.attempt(() => this.make()) } }, t("shares.create_link")),
      ),
      this.made,
      this.failure,
      this.list,
    );
  }

  async make() {
    const { path, id } = await share(this.id, { expires_in_days: Number(this.days.value) }, this.signal);
    const link = new URL(path.slice(1), document.baseURI).href;
    const field = element("input", { id: freshId("link"), value: link, readonly: true });
    this.madeId = id;
    fill(
      this.made,
      element("label", { for: field.id }, t("shares.link_shown_once")),
      field,
      element("button", { type: "button", class: "quiet", on: { click: ({ target }) => copy(link, target) } }, t("common.copy_link")),
    );
    announce(t("shares.link_created"));
    await this.refresh();
  }

  async revoke(id) {
    await revokeShare(this.id, id);
    if (id === this.madeId) {
      fill(this.made);
    }
    announce(t("shares.link_revoked"));
    await this.refresh();
    this.node.querySelector("summary").focus();
  }

  async refresh() {
    const { shares: links } = await shares(this.id, this.signal);
    fill(
      this.list,
      links.map(({ id, created_at: made, expires_at: end }) =>
        element(
          "li",
          {},
          `${t("shares.created_expires", { a: moment(made), b: moment(end) })} `,
          element("button", { type: "button", class: "quiet", on: { click: () => this.attempt(() => this.revoke(id)) } }, t("shares.revoke")),
        ),
      ),
    );
  }

  /** What goes wrong is said here: the plan itself is fine. */
  async attempt(act) {
    this.failure.hidden = true;
    try {
      await act();
    } catch (error) {
      if (error.name !== "AbortError") {
        this.failure.textContent = error.message;
        this.failure.hidden = false;
      }
    }
  }
}
