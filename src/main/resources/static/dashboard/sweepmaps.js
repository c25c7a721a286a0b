import { ProblemError } from "./api.js";
import { element, fill, freshId } from "./dom.js";
import { whole } from "./format.js";
import { chartPanel } from "./chartpanel.js";
import { heatMap, said, scaleOf } from "./heatmap.js";
import { labelOfAxis, named, valueInWords } from "./sweeplabels.js";
import { t } from "./language.js";
import { sweepTable } from "./sweepapi.js";

/** What is shown first of what rows have. */
const USUAL = ["tokens_per_s", "balanced_requests_per_s", "num_devices", "outcome"];

/** No axis has a map for each of its values. */
const ONE_MAP = "–";

/** How a figure over two axes is shown. */
const VIEWS = [
  ["map", t("sweepmaps.one_scale")],
  ["columns", t("sweepmaps.scale_by_column")],
  ["lines", t("sweepmaps.lines")],
];

/** Maps that are drawn unless all are asked for. */
const FIRST_MAPS = 12;

/** A figure of a sweep over two of its axes: at one value of each other, or a small map for each value of one, all by one scale. */
export class SweepMaps {
  /**
   * @param {Object} state of the sweep
   * @param {AbortSignal} signal ends what is asked for
   * @param {function(number)} open is given the number of a cell
   */
  constructor(state, signal, open) {
    const [rows, columns = ""] = state.axes.map(({ label }) => label);
    Object.assign(this, { state, signal, open, turn: 0, shownTurn: 0 });
    this.shown = { rows, columns, value: undefined, where: {}, each: ONE_MAP, view: "map" };
    this.drawnMaps = FIRST_MAPS;
    this.controls = element("div", { class: "actions sweep-axes" });
    this.table = element("div", {});
  }

  /** Choosers of the figure, of the axes, and of a value of each axis that is not shown. */
  showControls() {
    const { shown, state } = this;
    const labels = state.axes.map(({ label }) => label);
    const chosen = (member) => async ({ target }) => {
      shown[member] = target.value;
      this.drawnMaps = FIRST_MAPS;
      await this.show();
    };
    const others = this.others();
    fill(
      this.controls,
      chooser(t("sweepmaps.show_as"), VIEWS.map(([view]) => view), shown.view, chosen("view"), (view) => VIEWS.find(([name]) => name === view)[1]),
      chooser(t("common.value"), named(state.values), shown.value, chosen("value")),
      chooser(t("sweepmaps.rows"), labels, shown.rows, chosen("rows")),
      labels.length > 1 && chooser(t("sweepmaps.columns"), labels.filter((label) => label !== shown.rows), shown.columns, chosen("columns")),
      others.length > 0 && chooser(t("sweepmaps.one_map_per"), [ONE_MAP, ...others], shown.each, chosen("each")),
      Object.keys(shown.where).map((label) =>
        chooser(label, this.valuesOf(label), shown.where[label], async ({ target }) => {
          shown.where[label] = target.value;
          await this.show();
        }, valueInWords),
      ),
    );
  }

  /** @param {Object} state of the sweep by now */
  async show(state = this.state) {
    this.state = state;
    this.complete();
    const turn = ++this.turn;
    const chooserInUse = () => this.controls.contains(document.activeElement) && document.activeElement.dataset.chooser;
    if (!chooserInUse()) {
      this.showControls();
    }
    let found;
    try {
      found = await this.drawn();
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      found = element("p", { class: "notice" }, error.message);
    }
    if (turn < this.shownTurn) {
      return;
    }
    this.shownTurn = turn;
    fill(this.table, found);
    const used = chooserInUse();
    if (used) {
      this.showControls();
      [...this.controls.querySelectorAll("select")].find(({ dataset }) => dataset.chooser === used)?.focus();
    }
  }

  /** The heat map, or one at each value of the axis that has a map for each. */
  async drawn() {
    const { shown } = this;
    if (shown.each === ONE_MAP) {
      const table = await sweepTable(this.state.id, shown, this.signal);
      return shown.view === "lines" ? linesOf(table, this.signal) : heatMap(table, this.open, { byColumn: shown.view === "columns" });
    }
    const values = this.valuesOf(shown.each);
    const maps = [];
    for (const value of values.slice(0, this.drawnMaps)) {
      maps.push({ title: `${labelOfAxis(shown.each)} ${valueInWords(value)}`, table: await sweepTable(this.state.id, this.at(value), this.signal) });
    }
    const all = async () => {
      this.drawnMaps = values.length;
      await this.show();
      this.table.querySelectorAll(".heat-map")[FIRST_MAPS].focus();
    };
    const scale = scaleOf(maps.map(({ table }) => table));
    return [
      Number.isFinite(scale.span) &&
        element(
          "p",
          { class: "hint" },
          t("sweepmaps.all_maps_use_same", { 1: said(scale.least), 2: said(scale.least + scale.span) }),
        ),
      element(
        "div",
        { class: "small-multiples" },
        maps.map(({ title, table }) => element("div", { class: "small-multiple" }, heatMap(table, this.open, { scale, title, byColumn: shown.view === "columns" }))),
      ),
      maps.length < values.length && element("button", { type: "button", on: { click: all } }, t("sweepmaps.all_maps", { 1: whole(values.length) })),
    ];
  }

  /** What is shown where the axis that has a map for each is at one value. */
  at(value) {
    return { ...this.shown, where: { ...this.shown.where, [this.shown.each]: value } };
  }

  /** Axes that are not shown need a value, and those that are none. */
  complete() {
    const { shown, state } = this;
    const labels = state.axes.map(({ label }) => label);
    if (shown.columns === shown.rows || shown.columns === "") {
      shown.columns = labels.find((label) => label !== shown.rows) ?? "";
    }
    if (!state.values.includes(shown.value) || shown.value === "outcome") {
      shown.value = USUAL.find((name) => state.values.includes(name));
    }
    if (!this.others().includes(shown.each)) {
      shown.each = ONE_MAP;
    }
    shown.where = Object.fromEntries(this.others(shown.each).map((label) => [label, shown.where[label] ?? this.valuesOf(label)[0]]));
  }

  /** Axes that neither go down nor to the right, nor together with one that does. */
  others(...more) {
    const taken = [this.shown.rows, this.shown.columns, ...more];
    const zipped = (this.state.request.zip ?? []).filter((together) => together.some((label) => taken.includes(label))).flat();
    return this.state.axes.map(({ label }) => label).filter((label) => !taken.includes(label) && !zipped.includes(label));
  }

  valuesOf(axis) {
    return this.state.axes.find(({ label }) => label === axis).values.map(String);
  }
}

/** The rows of a table along an axis of numbers, a line for each column. */
function linesOf({ value, row_label: down, column_label: right, rows, columns, fields }, signal) {
  const name = labelOfAxis(value);
  const isNumber = rows.every((row) => Number.isFinite(Number(row)));
  const at = (index) => (isNumber ? Number(rows[index]) : index + 1);
  const series = columns.map((column, place) => ({
    label: columns.length > 1 ? valueInWords(column) : name,
    points: fields.map((line, index) => ({ x: at(index), y: line[place].value, withinSlo: true })).filter(({ y }) => typeof y === "number").toSorted((one, other) => one.x - other.x),
  }));
  const panel = chartPanel(name, [{ title: name, kind: labelOfAxis(right), note: isNumber ? "" : rows.map((row, index) => `${index + 1}: ${valueInWords(row)}`).join(", "), x: { name: labelOfAxis(down), label: labelOfAxis(down), limit: null }, y: { name, label: name, limit: null }, series }], signal);
  return panel ? [element("h2", { class: "visually-hidden" }, name), panel] : element("p", { class: "notice" }, t("sweepmaps.no_numbers_to_draw"));
}

function chooser(name, options, chosen, change, said = labelOfAxis) {
  const id = freshId("axis");
  return [
    element("label", { for: id }, labelOfAxis(name)),
    element(
      "select",
      { id, translate: "no", "data-chooser": name, on: { change } },
      options.map((option) => element("option", { value: option, selected: option === chosen }, said(option))),
    ),
  ];
}
