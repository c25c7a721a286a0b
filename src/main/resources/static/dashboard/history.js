import { jobs, ProblemError } from "./api.js";
import { announce, byId, element, fill } from "./dom.js";
import { decimals, duration, moment, plain, whole } from "./format.js";
import { t } from "./language.js";
import { costOf, money } from "./money.js";
import { askedInWords, nameText, starButton } from "./naming.js";
import { isBeingRemoved } from "./removal.js";
import { isFinished } from "./stream.js";
import { nameOf, reasonName } from "./words.js";

const STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"];
const PAGE = 20;
const LONGEST_SEARCH = 100;
const TYPING_MILLIS = 200;
const REFRESH_MILLIS = 3000;
const ONE = t("history.1_job_selected_add");

/** Jobs to compare, which stand at the foot of every page and stay while the reader moves between pages. */
const selected = new Set();

export function selectForComparison(id) {
  selected.add(id);
  showSelection();
  announce(selected.size > 1 ? t("history.jobs_selected", { 1: plain(selected.size) }) : ONE);
}

function showSelection() {
  const enough = selected.size > 1;
  byId("tray").hidden = selected.size === 0;
  fill(
    byId("tray"),
    enough ? element("a", { class: "button primary", href: `#/compare/${[...selected].join(",")}` }, t("history.compare_jobs", { 1: selected.size })) : ONE,
    " ",
    element("button", { type: "button", class: "quiet", on: { click: compareNone } }, t("history.clear_selection")),
  );
}

function compareNone() {
  selected.clear();
  document.querySelectorAll("#jobs-view .jobs input").forEach((tick) => (tick.checked = false));
  showSelection();
  byId("view").focus();
}

/** Shows all jobs, newest first, and keeps the list fresh while one of them is not finished. */
export async function showHistory(view, signal) {
  document.title = `${t("common.jobs")} – throughput-optimizer`;
  const list = new JobList(signal);
  fill(view, element("h1", {}, t("common.jobs")), list.controls, list.body, list.more);
  await list.load();
}

class JobList {
  constructor(signal) {
    this.signal = signal;
    signal.addEventListener("abort", () => clearTimeout(this.typing));
    this.body = element("div", { class: "job-list" });
    this.more = element("p", {});
    this.status = element(
      "select",
      { id: "status-filter", on: { change: () => this.load() } },
      element("option", { value: "" }, t("history.any_status")),
      STATUSES.map((status) => element("option", {}, status)),
    );
    this.starred = element("input", { type: "checkbox", id: "star-filter", on: { change: () => this.load() } });
    this.words = element("input", { type: "search", id: "job-search", maxlength: LONGEST_SEARCH, placeholder: t("history.name_or_model"), "aria-label": t("history.search_jobs"), on: { input: () => this.search() } });
    this.controls = element(
      "div",
      { class: "actions" },
      this.words,
      element("label", { for: "status-filter" }, t("history.show")),
      this.status,
      element("span", {}, this.starred, " ", element("label", { for: "star-filter" }, t("history.starred_only"))),
      element("span", { class: "hint" }, t("history.select_two_or_more")),
    );
  }

  /** Whoever still writes a word is not asked about. */
  search() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.load(), TYPING_MILLIS);
  }

  wanted(cursor) {
    return jobs({ status: this.status.value, starred: this.starred.checked, q: this.words.value.trim(), limit: PAGE, cursor }, this.signal);
  }

  async load() {
    clearTimeout(this.timer);
    const asked = this.wanted();
    this.asked = asked;
    try {
      const page = await asked;
      if (this.asked !== asked) {
        return;
      }
      this.shown = page.optimizations;
      this.showPage(page);
    } catch (error) {
      this.report(error);
    }
  }

  async loadMore(cursor) {
    try {
      const page = await this.wanted(cursor);
      this.shown = [...this.shown, ...page.optimizations];
      this.showPage(page);
    } catch (error) {
      this.report(error);
    }
  }

  report(error) {
    if (error.name === "AbortError") {
      return;
    }
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(this.body, element("p", { class: "notice" }, error.message));
    if (error.problem.status === undefined) {
      this.loadLater(); // the service was not reached, and may be again
    }
  }

  showPage({ next_cursor: cursor }) {
    const shown = this.shown.filter(({ id }) => !isBeingRemoved(id));
    const empty = this.words.value.trim()
      ? element("p", { class: "notice" }, t("history.no_matching_jobs"))
      : element("p", { class: "notice" }, `${t("history.no_jobs_yet")} `, element("a", { href: "#/" }, t("common.plan_a_deployment")), ".");
    fill(
      this.body,
      shown.length === 0
        ? empty
        : element(
            "ul",
            { class: "jobs" },
            shown.map((job) => this.item(job)),
          ),
    );
    const older = element("button", { type: "button", on: { click: () => this.loadMore(cursor) } }, t("history.older_jobs"));
    fill(this.more, cursor && older);
    this.refreshLater();
  }

  /** Refreshes the first page only: a reader who went on to older jobs keeps his place. */
  refreshLater() {
    if (this.shown.length <= PAGE && this.shown.some((job) => !isFinished(job))) {
      this.loadLater();
    }
  }

  loadLater() {
    this.timer = setTimeout(() => this.load(), REFRESH_MILLIS);
    this.signal.addEventListener("abort", () => clearTimeout(this.timer), { once: true });
  }

  item(job) {
    return element(
      "li",
      { class: "card" },
      job.status === "succeeded" ? this.tick(job) : element("span", {}),
      element(
        "div",
        {},
        element("a", { href: `#/jobs/${job.id}` }, nameText(job)),
        " ",
        starButton(job),
        element("p", { class: "hint" }, askedInWords(job)),
        job.answer && element("p", { class: "job-answer" }, answerInWords(job)),
      ),
      element(
        "p",
        { class: "job-facts" },
        isWithoutPlan(job) ? element("span", { class: "badge cancelled" }, t("history.infeasible")) : element("span", { class: `badge ${job.status}` }, job.status),
        ` ${moment(job.submitted_at)}`,
        job.owner && t("history.by", { w: job.owner }),
        job.started_at && job.finished_at ? t("common.took", { a: duration(job.started_at, job.finished_at) }) : "",
      ),
    );
  }

  tick(job) {
    const change = (event) => {
      selected[event.target.checked ? "add" : "delete"](job.id);
      showSelection();
    };
    return element("input", {
      type: "checkbox",
      checked: selected.has(job.id),
      "aria-label": t("history.compare", { A: nameOf(job), B: moment(job.submitted_at) }),
      on: { change },
    });
  }
}

function isWithoutPlan({ answer }) {
  return answer?.devices.length === 0;
}

function answerInWords({ request, answer: { devices, tokens_per_s: tokens, requests_per_s: requests, reason } }) {
  if (devices.length === 0) {
    return reason ? reasonName(reason) : t("history.no_plan_meets_targets");
  }
  const used = devices.map(({ device, count }) => (count > 0 ? `${whole(count)} × ${device}` : device)).join(" + ");
  const cost = costOf(Object.fromEntries(devices.map(({ device, count }) => [device, count])), tokens, request);
  const figures = [
    tokens !== undefined && t("common.tokens_s_count", { 1: decimals(tokens, 0) }),
    requests !== undefined && t("common.requests_s_count", { 1: decimals(requests, 2) }),
    cost?.month > 0 && t("history.a_month", { a: money(cost.month, request) }),
  ].filter(Boolean);
  return [element("strong", {}, used), figures.length > 0 && `: ${figures.join(", ")}`];
}
