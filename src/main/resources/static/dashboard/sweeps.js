import { ProblemError } from "./api.js";
import { element, fill } from "./dom.js";
import { duration, moment, plain, whole } from "./format.js";
import { t } from "./language.js";
import { isFinished } from "./stream.js";
import { sweeps } from "./sweepapi.js";

const PAGE = 20;
const REFRESH_MILLIS = 3000;

/** Shows all sweeps, newest first, and keeps the list fresh while one of them is not finished. */
export async function showSweeps(view, signal) {
  document.title = `${t("common.sweeps")} – throughput-optimizer`;
  const list = new SweepList(signal);
  fill(
    view,
    element("h1", {}, t("common.sweeps")),
    element("p", { class: "lead" }, t("sweeps.runs_one_request_over")),
    list.body,
    list.more,
  );
  await list.load();
}

class SweepList {
  constructor(signal) {
    Object.assign(this, { signal, shown: [] });
    this.body = element("div", { class: "job-list" });
    this.more = element("p", {});
  }

  async load(cursor) {
    clearTimeout(this.timer);
    try {
      const page = await sweeps({ cursor, limit: PAGE }, this.signal);
      this.shown = cursor ? [...this.shown, ...page.sweeps] : page.sweeps;
      this.show(page.next_cursor);
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      fill(this.body, element("p", { class: "notice" }, error.message));
    }
  }

  show(cursor) {
    fill(
      this.body,
      this.shown.length === 0
        ? element("p", { class: "notice" }, `${t("sweeps.no_sweeps_yet_start")} `, element("a", { href: "#/jobs" }, t("sweeps.jobs")), ".")
        : element(
            "ul",
            { class: "jobs" },
            this.shown.map((one) => item(one)),
          ),
    );
    fill(this.more, cursor && element("button", { type: "button", on: { click: () => this.load(cursor) } }, t("sweeps.older_sweeps")));
    if (this.shown.length <= PAGE && this.shown.some((one) => !isFinished(one))) {
      this.timer = setTimeout(() => this.load(), REFRESH_MILLIS);
      this.signal.addEventListener("abort", () => clearTimeout(this.timer), { once: true });
    }
  }
}

function item({ id, name, status, progress: { cells, done }, submitted_at: submitted, started_at: started, finished_at: finished }) {
  return element(
    "li",
    { class: "card" },
    element("span", {}),
    element("div", {}, element("a", { href: `#/sweeps/${id}` }, name ? element("span", { translate: "no" }, name) : t("sweeps.cells", { 1: plain(cells) })), element("p", { class: "hint" }, name && `${t("sweeps.cells", { 1: plain(cells) })}, `, t("sweeps.searched", { 1: whole(done) }))),
    element(
      "p",
      { class: "job-facts" },
      element("span", { class: `badge ${status}` }, status),
      ` ${moment(submitted)}`,
      started && finished ? t("common.took", { a: duration(started, finished) }) : "",
    ),
  );
}
