import { jobs, ProblemError } from "./api.js";
import { announce, byId, element, fill } from "./dom.js";
import { decimals, duration, moment, whole } from "./format.js";
import { isFinished } from "./stream.js";
import { counted, reasonName, termsOf, titleOf } from "./words.js";

const STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"];
const PAGE = 20;
const REFRESH_MILLIS = 3000;
const ONE = "One job to compare: add another to it";

/** Jobs to compare, which stand at the foot of every page and stay while the reader moves between pages. */
const selected = new Set();

export function selectForComparison(id) {
  selected.add(id);
  showSelection();
  announce(selected.size > 1 ? `${counted(selected.size, "job")} to compare` : ONE);
}

function showSelection() {
  const enough = selected.size > 1;
  byId("tray").hidden = selected.size === 0;
  fill(
    byId("tray"),
    enough ? element("a", { class: "button primary", href: `#/compare/${[...selected].join(",")}` }, `Compare ${selected.size} jobs`) : ONE,
    " ",
    element("button", { type: "button", class: "quiet", on: { click: compareNone } }, "Compare none"),
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
  document.title = "Jobs – throughput-optimizer";
  const list = new JobList(signal);
  fill(view, element("h1", {}, "Jobs"), list.controls, list.body, list.more);
  await list.load();
}

class JobList {
  constructor(signal) {
    this.signal = signal;
    this.body = element("div", { class: "job-list" });
    this.more = element("p", {});
    this.status = element(
      "select",
      { id: "status-filter", on: { change: () => this.load() } },
      element("option", { value: "" }, "any status"),
      STATUSES.map((status) => element("option", {}, status)),
    );
    this.controls = element(
      "div",
      { class: "actions" },
      element("label", { for: "status-filter" }, "Show"),
      this.status,
      element("span", { class: "hint" }, "Tick two jobs or more to compare them"),
    );
  }

  async load() {
    clearTimeout(this.timer);
    try {
      const page = await jobs({ status: this.status.value, limit: PAGE }, this.signal);
      this.shown = page.optimizations;
      this.showPage(page);
    } catch (error) {
      this.report(error);
    }
  }

  async loadMore(cursor) {
    try {
      const page = await jobs({ status: this.status.value, limit: PAGE, cursor }, this.signal);
      this.shown = [...this.shown, ...page.optimizations];
      this.showPage(page);
    } catch (error) {
      this.report(error);
    }
  }

  report(error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(this.body, element("p", { class: "notice" }, error.message));
    if (error.problem.status === undefined) {
      this.loadLater(); // the service was not reached, and may be again
    }
  }

  showPage({ next_cursor: cursor }) {
    const empty = element(
      "p",
      { class: "notice" },
      "No jobs here yet. ",
      element("a", { href: "#/" }, "Plan a deployment"),
      ".",
    );
    fill(
      this.body,
      this.shown.length === 0
        ? empty
        : element(
            "ul",
            { class: "jobs" },
            this.shown.map((job) => this.item(job)),
          ),
    );
    const older = element("button", { type: "button", on: { click: () => this.loadMore(cursor) } }, "Older jobs");
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
        element("a", { href: `#/jobs/${job.id}` }, titleOf(job.request)),
        element("p", { class: "hint" }, termsOf(job.request)),
        job.answer && element("p", { class: "job-answer" }, answerInWords(job.answer)),
      ),
      element(
        "p",
        { class: "job-facts" },
        isWithoutPlan(job) ? element("span", { class: "badge cancelled" }, "nothing fits") : element("span", { class: `badge ${job.status}` }, job.status),
        ` ${moment(job.submitted_at)}`,
        job.owner && `, by ${job.owner}`,
        job.started_at && job.finished_at ? `, took ${duration(job.started_at, job.finished_at)}` : "",
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
      "aria-label": `Compare ${titleOf(job.request)}, ${moment(job.submitted_at)}`,
      on: { change },
    });
  }
}

function isWithoutPlan({ answer }) {
  return answer?.devices.length === 0;
}

function answerInWords({ devices, tokens_per_s: tokens, requests_per_s: requests, cost_per_hour: cost, reason }) {
  if (devices.length === 0) {
    return reason ? reasonName(reason) : "No plan keeps the limits";
  }
  const used = devices.map(({ device, count }) => (count > 0 ? `${whole(count)} × ${device}` : device)).join(" + ");
  const figures = [
    tokens !== undefined && `${decimals(tokens, 0)} tokens/s`,
    requests !== undefined && `${decimals(requests, 2)} requests/s`,
    cost !== undefined && `${decimals(cost, 2)} an hour`,
  ].filter(Boolean);
  return [element("strong", {}, used), figures.length > 0 && `: ${figures.join(", ")}`];
}
