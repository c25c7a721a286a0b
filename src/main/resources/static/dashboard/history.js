import { jobs, ProblemError } from "./api.js";
import { element, fill } from "./dom.js";
import { duration, moment } from "./format.js";
import { isFinished } from "./stream.js";
import { termsOf, titleOf } from "./words.js";

const STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"];
const PAGE = 20;
const REFRESH_MILLIS = 3000;

/** Jobs ticked for comparison; kept while the reader moves between pages. */
const selected = new Set();

export function selectForComparison(id) {
  selected.add(id);
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
    this.compare = element("a", { class: "button primary" });
    this.controls = element(
      "div",
      { class: "actions" },
      element("label", { for: "status-filter" }, "Show"),
      this.status,
      this.compare,
    );
    this.showSelection();
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
      ),
      element(
        "p",
        { class: "job-facts" },
        element("span", { class: `badge ${job.status}` }, job.status),
        ` ${moment(job.submitted_at)}`,
        job.started_at && job.finished_at ? `, took ${duration(job.started_at, job.finished_at)}` : "",
      ),
    );
  }

  tick(job) {
    const change = (event) => {
      selected[event.target.checked ? "add" : "delete"](job.id);
      this.showSelection();
    };
    return element("input", {
      type: "checkbox",
      checked: selected.has(job.id),
      "aria-label": `Compare ${titleOf(job.request)}, ${moment(job.submitted_at)}`,
      on: { change },
    });
  }

  showSelection() {
    const enough = selected.size > 1;
    fill(this.compare, enough ? `Compare ${selected.size} jobs` : "Tick two jobs or more to compare them");
    if (enough) {
      this.compare.href = `#/compare/${[...selected].join(",")}`;
    } else {
      this.compare.removeAttribute("href");
    }
  }
}
