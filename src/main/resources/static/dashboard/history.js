import { jobs, remove } from "./api.js";
import { confirmed } from "./confirm.js";
import { announce, byId, element, fill, select } from "./dom.js";
import { decimals, moment, plain, whole } from "./format.js";
import { t } from "./language.js";
import { costOf, money } from "./money.js";
import { askedInWords, facts, nameText, starButton } from "./naming.js";
import { PagedList } from "./pagedlist.js";
import { nameOf, reasonName } from "./words.js";

const STATUSES = ["queued", "running", "succeeded", "failed", "cancelled"];
const PAGE = 20;
const LONGEST_SEARCH = 100;
const TYPING_MILLIS = 200;
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

export async function showHistory(view, signal) {
  const list = new JobList(signal);
  fill(view, element("h1", {}, t("common.jobs")), list.controls, list.body, list.more);
  await list.load();
}

class JobList extends PagedList {
  constructor(signal) {
    super(signal, "optimizations", t("history.older_jobs"));
    signal.addEventListener("abort", () => clearTimeout(this.typing));
    this.status = select([["", t("history.any_status")], ...STATUSES.map((status) => [status])], () => this.load(), { id: "status-filter" });
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

  page(cursor) {
    return jobs({ status: this.status.value, starred: this.starred.checked || undefined, q: this.words.value.trim(), limit: PAGE, cursor }, this.signal);
  }

  content() {
    const shown = this.shown.filter(({ id }) => !isBeingRemoved(id));
    if (shown.length > 0) {
      return element("ul", { class: "jobs" }, shown.map((job) => this.item(job)));
    }
    return this.words.value.trim()
      ? element("p", { class: "notice" }, t("history.no_matching_jobs"))
      : element("p", { class: "notice" }, `${t("history.no_jobs_yet")} `, element("a", { href: "#/" }, t("common.plan_a_deployment")), ".");
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
      facts(job, moment(job.submitted_at) + (job.owner ? t("history.by", { w: job.owner }) : ""), job.answer?.devices.length === 0 && element("span", { class: "badge cancelled" }, t("history.infeasible"))),
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

const UNDO_MILLIS = 10_000;

const QUESTION = {
  title: t("removal.delete_this_job"),
  consequences:
    t("removal.permanently_deletes_result_for"),
  action: t("common.delete_now"),
};

/** Jobs that are deleted once nobody can undo it any more, each with its timer. */
const leaving = new Map();

/** Jobs that the service did not delete, each with why. */
const kept = new Map();

function isBeingRemoved(id) {
  return leaving.has(id);
}

/** Asks, and deletes the job ten seconds later, or when the page is left; says whether it will. */
export async function removeUnlessUndone(job) {
  if (!(await confirmed(QUESTION))) {
    return false;
  }
  leaving.set(job.id, { job, timer: setTimeout(() => removeNow(job.id), UNDO_MILLIS) });
  show();
  announce(t("removal.deleted_you_can_undo"));
  return true;
}

async function removeNow(id) {
  const { job, timer } = leaving.get(id);
  clearTimeout(timer);
  leaving.delete(id);
  show();
  try {
    await remove(id);
  } catch (problem) {
    kept.set(id, { job, why: problem.message });
    show();
    announce(t("removal.not_deleted"));
  }
}

function undo(id) {
  clearTimeout(leaving.get(id).timer);
  leaving.delete(id);
  show();
  announce(t("removal.not_deleted"));
  location.hash = `/jobs/${id}`;
}

function show() {
  const place = byId("removals");
  place.hidden = leaving.size + kept.size === 0;
  fill(place, [
    ...[...leaving.values()].map(({ job }) => notice(t("removal.deleted"), job, "", t("common.undo"), () => undo(job.id))),
    ...[...kept.values()].map(({ job, why }) => notice(t("removal.not_deleted_heading"), job, why, t("removal.dismiss"), () => putAside(job.id))),
  ]);
}

function notice(what, job, why, action, act) {
  return element("p", { class: "notice" }, what, " ", nameText(job), " ", why, " ", element("button", { type: "button", on: { click: act } }, action));
}

function putAside(id) {
  kept.delete(id);
  show();
}

// Who leaves was told that it is deleted.
addEventListener("pagehide", () => [...leaving.keys()].forEach(removeNow));
