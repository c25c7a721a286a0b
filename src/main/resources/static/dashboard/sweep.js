import { addressOf } from "./address.js";
import { cancelSweep, cellsThatEnded, removeSweep, renameSweep, submitAndShow, sweep, sweepCell, sweepEvents, sweepFile, sweeps } from "./api.js";
import { deleteButton } from "./confirm.js";
import { announce, element, entitle, fill } from "./dom.js";
import { downloadMenu } from "./downloads.js";
import { moment, plain, whole } from "./format.js";
import { t } from "./language.js";
import { facts, Naming } from "./naming.js";
import { PagedList } from "./pagedlist.js";
import { follow, isFinished } from "./stream.js";
import { labelOfAxis, SweepMaps, valueInWords } from "./sweepmaps.js";
import { titleOf } from "./words.js";

const ENDS = { succeeded: t("sweep.succeeded"), failed: t("sweep.has_failed"), cancelled: t("sweep.canceled") };

const REMOVAL = {
  title: t("sweep.delete_this_sweep"),
  consequences: t("sweep.permanently_deletes_sweep_for"),
  action: t("common.delete_now"),
};

/** Tables are asked for no more often while cells fill in. */
const REFRESH_MILLIS = 1000;

const FILES = [
  { label: "CSV", mediaType: "text/csv", extension: "csv" },
  { label: t("sweep.json_lines"), mediaType: "application/x-ndjson", extension: "jsonl" },
];

export async function showSweep(view, signal, id) {
  await new SweepView(view, signal, await sweep(id, signal)).show();
}

class SweepView {
  constructor(view, signal, state) {
    Object.assign(this, { view, signal, state });
    this.maps = new SweepMaps(state, signal, (cell) => this.open(cell));
    const title = t("sweep.sweep_of", { a: (state.axes.some(({ label }) => label.endsWith("devices")) && state.request.base.model_id) || titleOf(state.request.base) });
    this.title = state.name ?? title;
    this.naming = new Naming(state, {
      title,
      asked: () => state.axes.map(({ label, values }) => t("sweep.values_of", { 1: plain(values.length), w: labelOfAxis(label) })).join(", "),
      rename: async (name) => (await renameSweep(state.id, name)).name,
    });
    this.heading = element("header", { class: "job-heading" });
    this.left = element("div", {});
  }

  async show() {
    entitle(this.title);
    fill(this.view, this.heading, this.maps.controls, this.maps.table, this.left, this.question());
    this.showHeading();
    await this.maps.show(this.state);
    if (!isFinished(this.state)) {
      await follow(this.state.id, this.signal, (standing) => this.progressed(standing), () => {}, {
        events: sweepEvents,
        look: sweep,
      });
      await this.reload();
      announce(ENDS[this.state.status]);
    }
    await this.showLeft();
  }

  progressed(standing) {
    this.state = { ...this.state, ...standing };
    this.showHeading();
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (!this.signal.aborted) {
        this.reload();
      }
    }, REFRESH_MILLIS);
  }

  async reload() {
    this.state = await sweep(this.state.id, this.signal);
    this.showHeading();
    await this.maps.show(this.state);
  }

  showHeading() {
    const { progress, problem } = this.state;
    fill(
      this.heading,
      this.naming.node,
      facts(this.state),
      !isFinished(this.state) && element("progress", { "aria-label": t("sweep.cells_searched"), max: progress.cells, value: progress.done }),
      element("p", {}, wordsOf(progress)),
      problem && element("p", { class: "problem" }, problem.detail),
      this.actions(),
    );
  }

  actions() {
    const cancelled = async () => {
      this.state = { ...this.state, ...(await cancelSweep(this.state.id)) };
      this.showHeading();
    };
    const removed = async () => {
      await removeSweep(this.state.id);
      location.hash = "/sweeps";
    };
    return element(
      "div",
      { class: "actions" },
      downloadMenu(FILES, `sweep-${this.state.id}`, ({ mediaType }) => sweepFile(this.state.id, mediaType)),
      element("a", { class: "button", href: `#/vary/sweep/${this.state.id}` }, t("sweep.change_axes")),
      isFinished(this.state)
        ? deleteButton(REMOVAL, removed)
        : element("button", { type: "button", on: { click: cancelled } }, t("common.cancel")),
    );
  }

  /** The question of a cell, answered in full: as a plan that is not kept yet, or a job where its address would be too long. */
  async open(cell) {
    const { request } = await sweepCell(this.state.id, cell, this.signal);
    const address = await addressOf(request);
    await (address ? (location.hash = address) : submitAndShow(request));
  }

  async showLeft() {
    if (this.state.progress.invalid === 0) {
      return;
    }
    const cells = await cellsThatEnded(this.state.id, "invalid", this.signal);
    const placeOf = ({ coordinates }) => Object.entries(coordinates).map(([label, value]) => `${labelOfAxis(label)} ${valueInWords(value)}`).join(", ");
    const groups = [...Map.groupBy(cells, ({ why }) => why)];
    fill(
      this.left,
      element("h2", {}, t("sweep.omitted")),
      element(
        "ul",
        {},
        groups.map(([why, alike]) =>
          element("li", {}, why, " ", alike.length === 1 ? placeOf(alike[0]) : element("details", {}, element("summary", {}, t("sweep.cells_with_this_reason", { 1: whole(alike.length) })), element("ul", {}, alike.map((cell) => element("li", {}, placeOf(cell)))))),
        ),
      ),
    );
  }

  question() {
    return element(
      "details",
      { class: "card question" },
      element("summary", {}, t("common.request")),
      element("p", { class: "hint" }, `${t("sweep.sweep")} `, element("code", {}, this.state.id), "."),
      element("pre", { tabindex: "0" }, JSON.stringify(this.state.request, null, 2)),
    );
  }
}

function wordsOf({ cells, checked, done, answered, nothing, invalid, failed }) {
  if (checked < cells && done === 0) {
    return t("sweep.of_cells_checked", { 1: whole(checked), 2: plain(cells) });
  }
  const said = [
    [answered, t("sweep.feasible")],
    [nothing, t("sweep.infeasible")],
    [invalid, t("sweep.omitted_inline")],
    [failed, t("sweep.failed")],
  ].filter(([count]) => count > 0);
  const searched = t("sweep.of_cells_searched", { 1: whole(done), 2: plain(cells) });
  return said.length > 0 ? `${searched}: ${said.map(([count, words]) => `${whole(count)} ${words}`).join(", ")}` : searched;
}

const PAGE = 20;

export async function showSweeps(view, signal) {
  const list = new SweepList(signal, "sweeps", t("sweeps.older_sweeps"));
  fill(view, element("h1", {}, t("common.sweeps")), element("p", { class: "lead" }, t("sweeps.runs_one_request_over")), list.body, list.more);
  await list.load();
}

class SweepList extends PagedList {
  page(cursor) {
    return sweeps({ cursor, limit: PAGE }, this.signal);
  }

  content() {
    return this.shown.length === 0
      ? element("p", { class: "notice" }, `${t("sweeps.no_sweeps_yet_start")} `, element("a", { href: "#/jobs" }, t("sweeps.jobs")), ".")
      : element("ul", { class: "jobs" }, this.shown.map(item));
  }
}

function item(sweep) {
  const { id, name, progress: { cells, done } } = sweep;
  return element(
    "li",
    { class: "card" },
    element("span", {}),
    element("div", {}, element("a", { href: `#/sweeps/${id}` }, name ? element("span", { translate: "no" }, name) : t("sweeps.cells", { 1: plain(cells) })), element("p", { class: "hint" }, name && `${t("sweeps.cells", { 1: plain(cells) })}, `, t("sweeps.searched", { 1: whole(done) }))),
    facts(sweep, moment(sweep.submitted_at)),
  );
}
