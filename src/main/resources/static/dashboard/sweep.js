import { addressOf } from "./address.js";
import { ProblemError, submit } from "./api.js";
import { confirmed } from "./confirm.js";
import { announce, element, fill } from "./dom.js";
import { duration, moment, whole } from "./format.js";
import { follow, isFinished } from "./stream.js";
import { cancelSweep, cellsThatEnded, removeSweep, sweep, sweepCell, sweepEvents, sweepFile } from "./sweepapi.js";
import { SweepMaps } from "./sweepmaps.js";
import { counted, titleOf } from "./words.js";

const REMOVAL = {
  title: "Delete this sweep?",
  consequences: "Its rows are removed for good, for everybody. What was downloaded stays.",
  action: "Delete it",
};

/** Tables are asked for no more often while cells fill in. */
const REFRESH_MILLIS = 1000;

const FILES = [
  { label: "CSV", mediaType: "text/csv", extension: "csv" },
  { label: "JSON lines", mediaType: "application/x-ndjson", extension: "jsonl" },
];

/** Shows a sweep, and its cells as they fill in. */
export async function showSweep(view, signal, id) {
  fill(view, element("p", { class: "loading" }, "Loading…"));
  try {
    await new SweepView(view, signal, await sweep(id, signal)).show();
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(view, element("h1", {}, "No such sweep"), element("p", { class: "notice" }, error.message, " ", element("a", { href: "#/sweeps" }, "All sweeps")));
  }
}

class SweepView {
  constructor(view, signal, state) {
    Object.assign(this, { view, signal, state });
    this.maps = new SweepMaps(state, signal, (cell) => this.open(cell));
    this.heading = element("header", { class: "job-heading" });
    this.left = element("div", {});
    this.status = element("span", { role: "status" });
  }

  async show() {
    document.title = `Sweep of ${titleOf(this.state.request.base)} – throughput-optimizer`;
    fill(this.view, this.heading, this.maps.controls, this.maps.table, this.left, this.question());
    this.showHeading();
    await this.maps.show(this.state);
    if (!isFinished(this.state)) {
      await follow(this.state.id, this.signal, (standing) => this.progressed(standing), () => {}, {
        events: sweepEvents,
        look: sweep,
      });
      await this.reload();
      announce(`The sweep has ${this.state.status === "cancelled" ? "been cancelled" : this.state.status}`);
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
    const { status, progress, submitted_at: submitted, started_at: started, finished_at: finished, problem, axes } = this.state;
    fill(
      this.heading,
      element("h1", { tabindex: "-1" }, `Sweep of ${titleOf(this.state.request.base)}`),
      element("p", { class: "lead" }, axes.map(({ label, values }) => `${counted(values.length, "value")} of ${label}`).join(", ")),
      element(
        "p",
        { class: "job-facts" },
        element("span", { class: `badge ${status}` }, status),
        ` submitted ${moment(submitted)}`,
        finished && started ? `, took ${duration(started, finished)}` : "",
      ),
      !isFinished(this.state) && element("progress", { "aria-label": "Cells searched", max: progress.cells, value: progress.done }),
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
        { class: "downloads", role: "group", "aria-label": "Download" },
        element("span", { "aria-hidden": "true" }, "Download"),
        FILES.map((file) => element("button", { type: "button", on: { click: () => this.save(file) } }, file.label)),
        this.status,
      ),
      isFinished(this.state)
        ? element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", on: { click: removed } }, "Delete…")
        : element("button", { type: "button", on: { click: cancelled } }, "Cancel"),
    );
  }

  /** The question of a cell, answered in full: as a plan that is not kept yet, or a job where its address would be too long. */
  async open(cell) {
    const { request } = await sweepCell(this.state.id, cell, this.signal);
    location.hash = (await addressOf(request)) ?? `/jobs/${(await submit(request)).id}`;
  }

  async save({ label, mediaType, extension }) {
    try {
      const address = URL.createObjectURL(await sweepFile(this.state.id, mediaType));
      element("a", { href: address, download: `sweep-${this.state.id}.${extension}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      this.status.textContent = `${label} saved`;
    } catch (error) {
      this.status.textContent = `${label} is not available: ${error.message}`;
    }
  }

  /** Cells that were left out, and why. */
  async showLeft() {
    if (this.state.progress.invalid === 0) {
      return;
    }
    const cells = await cellsThatEnded(this.state.id, "invalid", this.signal);
    fill(
      this.left,
      element("h2", {}, "Left out"),
      element(
        "ul",
        {},
        cells.map(({ coordinates, why }) =>
          element("li", {}, Object.entries(coordinates).map(([label, value]) => `${label} ${value}`).join(", "), ": ", why),
        ),
      ),
    );
  }

  question() {
    return element(
      "details",
      { class: "card question" },
      element("summary", {}, "The request"),
      element("p", { class: "hint" }, "Sweep ", element("code", {}, this.state.id), "."),
      element("pre", { tabindex: "0" }, JSON.stringify(this.state.request, null, 2)),
    );
  }
}

function wordsOf({ cells, checked, done, answered, nothing, invalid, failed }) {
  if (checked < cells && done === 0) {
    return `${whole(checked)} of ${counted(cells, "cell")} checked`;
  }
  const said = [
    [answered, "answered"],
    [nothing, "within no limits"],
    [invalid, "left out"],
    [failed, "failed"],
  ].filter(([count]) => count > 0);
  return `${whole(done)} of ${counted(cells, "cell")} searched${said.length > 0 ? ": " : ""}${said.map(([count, words]) => `${whole(count)} ${words}`).join(", ")}`;
}
