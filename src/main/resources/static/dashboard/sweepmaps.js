import { answerOf, ProblemError, sweepTable } from "./api.js";
import { chartPanel } from "./chartpanel.js";
import { element, fill, freshId, saveFile, scrolling, tool } from "./dom.js";
import { decimals, whole } from "./format.js";
import { t } from "./language.js";

/** What is shown first of what rows have. */
const USUAL = ["tokens_per_s", "balanced_requests_per_s", "num_devices", "outcome"];

/** No axis has a map for each of its values. */
const ONE_MAP = "–";

/** How a figure over two axes is shown. */
const VIEWS = ["map", "columns", "lines"];

/** Maps that are drawn unless all are asked for. */
const FIRST_MAPS = 12;

/** A figure of a sweep over two of its axes: at one value of each other, or a small map for each value of one, all by one scale. */
export class SweepMaps {
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
      chooser(t("sweepmaps.show_as"), VIEWS, shown.view, chosen("view"), (view) => t(`sweep_view.${view}`)),
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
    const found = await answerOf(this.drawn());
    if (turn < this.shownTurn || !found) {
      return;
    }
    this.shownTurn = turn;
    fill(this.table, found instanceof ProblemError ? element("p", { class: "notice" }, found.message) : found);
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
        element("p", { class: "hint" }, t("sweepmaps.all_maps_use_same", { 1: said(scale.least), 2: said(scale.least + scale.span) })),
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
    if (shown.columns === shown.rows || shown.columns === "") {
      shown.columns = state.axes.find(({ label }) => label !== shown.rows)?.label ?? "";
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
  return element(
    "span",
    {},
    element("label", { for: id }, labelOfAxis(name)),
    element(
      "select",
      { id, translate: "no", "data-chooser": name, on: { change } },
      options.map((option) => element("option", { value: option, selected: option === chosen }, said(option))),
    ),
  );
}

/** As many as there are classes of fields, from the faintest to the one that stands out most. */
const SHADES = 8;

/** Larger figures are read without their fractions. */
const WITHOUT_FRACTION = 1000;

/** What shades of tables that are compared go by; its span is not finite where they have no figure. */
function scaleOf(tables) {
  const figures = tables.flatMap(({ fields }) => fields.flat().map((field) => field.value)).filter((figure) => typeof figure === "number");
  const least = figures.reduce((one, other) => Math.min(one, other), Infinity);
  return { least, span: figures.reduce((one, other) => Math.max(one, other), -Infinity) - least };
}

/**
 * A figure over two axes: the larger the more it stands out, and each field a button that opens its cell.
 *
 * @param {{scale: Object, title: string, byColumn: boolean}} among others that are drawn by the same scale, and what it is told from them by
 */
function heatMap(table, open, { scale = scaleOf([table]), title, byColumn = false } = {}) {
  const { value, row_label: down, column_label: right, rows, columns, fields } = table;
  const scales = byColumn ? columns.map((_, column) => scaleOf([{ fields: fields.map((line) => [line[column]]) }])) : columns.map(() => scale);
  const told = title === undefined ? "" : `${title}, `;
  const shade = (figure, { least, span }) => (span > 0 ? Math.min(SHADES - 1, Math.floor(((figure - least) / span) * SHADES)) : 0);
  const field = ({ cell, value: figure }, row, column) =>
    element(
      "td",
      { class: typeof figure === "number" ? `heat-${shade(figure, scales[column])}` : "heat-none" },
      element(
        "button",
        {
          type: "button",
          "aria-label": t("heatmap.cell", { a: `${told}${labelOfAxis(down)} ${valueInWords(rows[row])}, ${labelOfAxis(right)} ${valueInWords(columns[column])}: ${said(figure)}` }),
          on: { click: () => open(cell) },
        },
        said(figure),
      ),
    );
  const head = [`${labelOfAxis(down)} \\ ${labelOfAxis(right)}`, ...columns.map(valueInWords)].map((words) => element("th", { scope: "col" }, words));
  const lines = fields.map((line, row) => element("tr", {}, element("th", { scope: "row" }, valueInWords(rows[row])), line.map((one, column) => field(one, row, column))));
  const tools = element("span", { class: "card-tools" }, tool("PNG", ({ target }) => savePicture(target.closest("table"))), tool("CSV", () => saveTable(table)));
  const label = t("heatmap.table", { a: `${told}${labelOfAxis(value)}`, b: labelOfAxis(down), c: labelOfAxis(right) });
  return scrolling("table heat-map", label, [element("span", {}, title ?? labelOfAxis(value)), tools], head, lines);
}

/** Saves the cells of a table as a picture, with the colors that they have on the page. */
function savePicture(table) {
  const frame = table.getBoundingClientRect();
  const paper = document.createElement("canvas");
  [paper.width, paper.height] = [2 * frame.width, 2 * frame.height];
  const context = paper.getContext("2d");
  context.scale(2, 2);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, frame.width, frame.height);
  context.textBaseline = "middle";
  table.querySelectorAll("caption span:first-child, th, td").forEach((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const { backgroundColor, color, font, textAlign, paddingLeft, paddingRight } = getComputedStyle(cell);
    context.fillStyle = backgroundColor;
    context.fillRect(left - frame.left, top - frame.top, width, height);
    Object.assign(context, { fillStyle: color, font, textAlign: textAlign === "right" || textAlign === "center" ? textAlign : "left" });
    const at = { left: parseFloat(paddingLeft), center: width / 2, right: width - parseFloat(paddingRight) }[context.textAlign];
    context.fillText(cell.textContent, left - frame.left + at, top - frame.top + height / 2);
  });
  paper.toBlob((blob) => saveFile(blob, "sweep.png"));
}

function saveTable({ row_label: down, column_label: right, rows, columns, fields }) {
  const quoted = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const lines = [[`${down} \\ ${right}`, ...columns], ...fields.map((line, row) => [rows[row], ...line.map(({ value }) => value)])];
  saveFile(new Blob([lines.map((line) => line.map(quoted).join(",")).join("\n")], { type: "text/csv" }), "sweep.csv");
}

/** A figure as fields have it. */
function said(figure) {
  if (figure === undefined || figure === null) {
    return "–";
  }
  if (typeof figure !== "number") {
    return String(figure);
  }
  return Number.isInteger(figure) || Math.abs(figure) >= WITHOUT_FRACTION ? whole(Math.round(figure)) : decimals(figure, 2);
}

/** Members that buyers vary: their names, and values to begin with. */
export const MEMBERS = [
  ["/num_devices", t("common.devices"), "1, 2, 4, 8"],
  ["/devices", t("common.device"), "H100_SXM, H200_SXM"],
  ["/model_id", t("common.model"), "Qwen/Qwen3-8B, Qwen/Qwen3-32B"],
  ["/workload/input_length", t("common.input_tokens"), "1000 to 16000 in 5 log"],
  ["/workload/output_length", t("common.output_tokens"), "250, 500, 1000"],
  ["/workload/prefix_cache_hit_rate", t("common.prefix_cache_hit_rate"), "0.0 to 0.8 in 5"],
  ["/slo/ttft_ms", t("common.ttft_target_ms"), "500, 1000, 2000"],
  ["/slo/tpot_ms", t("common.tpot_target_ms"), "20, 30, 50"],
];

const FIGURES = {
  tokens_per_s: t("common.tokens_s"),
  tokens_per_s_per_device: t("common.tokens_s_per_device"),
  balanced_requests_per_s: t("common.requests_s"),
  requests_per_s: t("common.requests_s"),
  num_devices: t("common.devices"),
  ttft_ms: t("common.ttft_ms"),
  tpot_ms: t("common.tpot_ms"),
  e2e_latency_ms: t("common.e2e_latency_ms"),
  concurrency: t("common.concurrency"),
  batch_size: t("common.batch_size"),
  parallel: t("common.layout"),
  limited_by: t("common.limited_by"),
  cost_per_million_tokens: t("common.cost_per_million_tokens"),
  outcome: t("sweeplabels.outcome"),
};

/** Name of an axis or a figure as people say it; its own where they have none. */
export function labelOfAxis(name) {
  return MEMBERS.find(([pointer]) => pointer === name)?.[1] ?? FIGURES[name] ?? name;
}

/** Figures that have a name; files have all. */
function named(figures) {
  return Object.keys(FIGURES).filter((name) => figures.includes(name));
}

/** Value of an axis as people say it: "H100_SXM, FP8" for an object that is merged into the request. */
export function valueInWords(value) {
  const text = String(value);
  if (!/^[[{]/.test(text)) {
    return text;
  }
  try {
    return leaves(JSON.parse(text)).join(", ");
  } catch {
    return text;
  }
}

function leaves(value) {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
}
