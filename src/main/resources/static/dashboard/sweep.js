import { addressOf } from "./address.js";
import { ProblemError, submit } from "./api.js";
import { confirmed } from "./confirm.js";
import { announce, element, fill, saveFile } from "./dom.js";
import { duration, moment, plain, whole } from "./format.js";
import { t } from "./language.js";
import { Naming } from "./naming.js";
import { follow, isFinished } from "./stream.js";
import { cancelSweep, cellsThatEnded, removeSweep, renameSweep, sweep, sweepCell, sweepEvents, sweepFile } from "./sweepapi.js";
import { labelOfAxis, valueInWords } from "./sweeplabels.js";
import { SweepMaps } from "./sweepmaps.js";
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

/** Shows a sweep, and its cells as they fill in. */
export async function showSweep(view, signal, id) {
  fill(view, element("p", { class: "loading" }, t("common.loading")));
  try {
    await new SweepView(view, signal, await sweep(id, signal)).show();
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(view, element("h1", {}, t("sweep.sweep_not_found")), element("p", { class: "notice" }, error.message, " ", element("a", { href: "#/sweeps" }, t("sweep.all_sweeps"))));
  }
}

class SweepView {
  constructor(view, signal, state) {
    Object.assign(this, { view, signal, state });
    this.maps = new SweepMaps(state, signal, (cell) => this.open(cell));
    const title = t("sweep.sweep_of", { a: titleOf(state.request.base) });
    this.title = state.name ?? title;
    this.naming = new Naming(state, {
      title,
      asked: () => state.axes.map(({ label, values }) => t("sweep.values_of", { 1: plain(values.length), w: labelOfAxis(label) })).join(", "),
      rename: async (name) => (await renameSweep(state.id, name)).name,
    });
    this.heading = element("header", { class: "job-heading" });
    this.left = element("div", {});
    this.status = element("span", { role: "status" });
  }

  async show() {
    document.title = `${this.title} – throughput-optimizer`;
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
    const { status, progress, submitted_at: submitted, started_at: started, finished_at: finished, problem } = this.state;
    fill(
      this.heading,
      this.naming.node,
      element(
        "p",
        { class: "job-facts" },
        element("span", { class: `badge ${status}` }, status),
        ` ${t("common.submitted", { a: moment(submitted) })}`,
        finished && started ? t("common.took", { a: duration(started, finished) }) : "",
      ),
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
      if (await confirmed(REMOVAL)) {
        await removeSweep(this.state.id);
        location.hash = "/sweeps";
      }
    };
    return element(
      "div",
      { class: "actions" },
      element(
        "div",
        { class: "downloads", role: "group", "aria-label": t("common.download") },
        element("span", { "aria-hidden": "true" }, t("common.download")),
        FILES.map((file) => element("button", { type: "button", on: { click: () => this.save(file) } }, file.label)),
        this.status,
      ),
      element("a", { class: "button", href: `#/vary/sweep/${this.state.id}` }, t("sweep.change_axes")),
      isFinished(this.state)
        ? element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", on: { click: removed } }, t("common.delete"))
        : element("button", { type: "button", on: { click: cancelled } }, t("common.cancel")),
    );
  }

  /** The question of a cell, answered in full: as a plan that is not kept yet, or a job where its address would be too long. */
  async open(cell) {
    const { request } = await sweepCell(this.state.id, cell, this.signal);
    location.hash = (await addressOf(request)) ?? `/jobs/${(await submit(request)).id}`;
  }

  async save({ label, mediaType, extension }) {
    try {
      saveFile(await sweepFile(this.state.id, mediaType), `sweep-${this.state.id}.${extension}`);
      this.status.textContent = t("common.saved", { a: label });
    } catch (error) {
      this.status.textContent = t("common.is_not_available", { A: label, B: error.message });
    }
  }

  /** Cells that were left out, and why. */
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
