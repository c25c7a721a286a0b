import { endsOf, spanInWords } from "./bands.js";
import { drawChart, outside, paletteOf, seriesStyle } from "./chart.js";
import { element, fill, select, tool } from "./dom.js";
import { decimals, layout, plain, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

const SHOWN_AT_FIRST = 8;
const PICTURE_PX = 960;
const PROBES = t("chartpanel.filled_points_meet_all");

function within(value, most) {
  return Math.min(Math.max(value, 0), most);
}

/**
 * Charts of the same series to switch between, with a legend that hides and shows series, and the figures as a table. The first
 * series are drawn, and any other when it is chosen from a list. They are of probes of layouts, unless a chart says that its series
 * are of another `kind`, and what its points are in a `note`. A chart whose curves are `named` has neither legend nor table.
 */
export function chartPanel(subject, charts, signal) {
  const drawn = charts.filter((chart) => chart.series.some((series) => series.points.length > 0));
  return drawn.length === 0 ? null : new ChartPanel(subject, drawn, signal).node;
}

/** Panels by their nodes. */
const panels = new WeakMap();

/** The charts of a panel as pictures on white, each with its title, its legend and a note: for where nothing can be drawn. */
export function picturesOf(node) {
  return panels.get(node).pictures();
}

function markOf({ stroke, border }) {
  const mark = element("i", { "aria-hidden": "true" });
  mark.style.borderTop = `3px ${border} ${stroke}`;
  return mark;
}

export class ChartPanel {
  /** @param {{tools: Array, height: number}} [look] buttons beside the heading, and the height of the chart */
  constructor(subject, charts, signal, { tools = [], height } = {}) {
    Object.assign(this, { subject, charts, height });
    this.shown = charts[0].series.map((_, index) => charts[0].isWhole || index < SHOWN_AT_FIRST);
    this.listed = [...this.shown.keys()].filter((index) => this.shown[index]);
    this.build(charts, tools);
    panels.set(this.node, this);
    this.show(charts[0]);
    const resized = new ResizeObserver(() => this.draw());
    resized.observe(this.canvas);
    for (const look of ["(prefers-color-scheme: dark)", "print"]) {
      matchMedia(look).addEventListener("change", () => this.restyle(), { signal });
    }
    signal?.addEventListener("abort", () => {
      resized.disconnect();
      this.plot?.destroy();
    });
  }

  build(charts, tools) {
    this.select = select(charts.map(({ title }, index) => [index, title]), () => this.show(charts[this.select.value]));
    this.canvas = element("div", { class: "chart", tabindex: "0", role: "group", on: { keydown: (event) => this.step(event) } });
    this.tip = element("p", { class: "tip", hidden: true });
    this.spot = element("i", { class: "spot", hidden: true });
    this.spoken = element("p", { class: "visually-hidden", role: "status" });
    this.legend = element("div", { class: "series-legend", role: "group", "aria-label": t("chartpanel.series_shown") });
    this.more = element("select", { class: "more-series", "aria-label": t("chartpanel.hidden_series"), on: { change: () => this.list(Number(this.more.value)) } });
    this.note = element("p", { class: "hint" });
    this.figures = element("details", { on: { toggle: () => this.showFigures() } }, element("summary", {}, t("chartpanel.chart_data")));
    this.node = element(
      "section",
      { class: charts[0].named ? "card frontier-card" : "card chart-card" },
      charts.length === 1
        ? element("h3", {}, charts[0].title, element("span", { class: "card-tools" }, tool("PNG", () => this.savePicture()), tools))
        : element("p", { class: "picker" }, element("label", { for: this.select.id }, t("chartpanel.chart")), " ", this.select, tool("PNG", () => this.savePicture())),
      element("div", { class: "chart-frame" }, this.canvas, this.spot, this.tip),
      this.spoken,
      !charts[0].named && [this.legend, this.more, this.note, this.figures],
    );
  }

  show(chart) {
    this.chart = chart;
    this.at = { seriesIndex: 0, pointIndex: -1 };
    this.canvas.setAttribute("aria-label", t("chartpanel.chart_use_arrow_keys", { A: chart.title }));
    this.restyle();
    this.showFigures();
  }

  /** Draws after a change of what is shown, or of how. */
  restyle() {
    this.draw();
    this.showLegend();
  }

  draw() {
    this.plot?.destroy();
    this.plot = null;
    this.point(null);
    if (this.canvas.clientWidth > 0) {
      this.plot = drawChart(this.canvas, this.chart, this.shown, (at) => this.point(at), this.height);
    }
    this.note.textContent = this.noteOf(this.chart);
  }

  noteOf(chart) {
    const away = outside(chart, this.shown);
    return (
      (chart.note ?? PROBES) +
      (chart.series.some(({ points }) => points.some(({ ends }) => ends)) ? ` ${t("chartpanel.bands_show_intervals")}` : "") +
      (away > 0 ? ` ${t("chartpanel.points_outside_the_chart", { 1: plain(away) })}` : "")
    );
  }

  async savePicture() {
    const { title, source } = await this.pictureOf(this.chart);
    element("a", { href: source, download: `${title}.png` }).click();
  }

  pictures() {
    return Promise.all(this.charts.map((chart) => this.pictureOf(chart)));
  }

  async pictureOf(chart) {
    const paper = element("div", { class: "on-paper", "aria-hidden": "true" });
    paper.style.width = `${PICTURE_PX}px`;
    document.body.append(paper);
    try {
      const plot = drawChart(paper, chart, this.shown, () => {});
      await new Promise((drawn) => setTimeout(drawn)); // it draws once whoever made it has ended
      const source = plot.ctx.canvas.toDataURL();
      plot.destroy();
      return { title: chart.title, source, legend: this.printedLegend(chart, paletteOf(paper)), note: this.noteOf(chart) };
    } finally {
      paper.remove();
    }
  }

  printedLegend({ series }, palette) {
    const lines = series.map(({ label }, index) => this.shown[index] && element("li", {}, markOf(seriesStyle(palette, index)), label));
    return element("ul", { class: "series-legend" }, lines);
  }

  showLegend() {
    const palette = paletteOf(document.documentElement);
    const { series } = this.chart;
    fill(this.legend, this.listed.map((index) => this.legendButton(series[index], seriesStyle(palette, index), index)));
    const others = series.map(({ label }, index) => ({ label, index })).filter(({ index }) => !this.listed.includes(index));
    this.more.hidden = others.length === 0;
    fill(
      this.more,
      element("option", { value: "" }, t("chartpanel.show_another_of", { 1: others.length })),
      others.map(({ label, index }) => element("option", { value: index }, label)),
    );
  }

  /** Draws a series that the legend did not have. */
  list(index) {
    this.listed.push(index);
    this.shown[index] = true;
    this.restyle();
  }

  legendButton(series, style, index) {
    const toggle = () => {
      this.shown[index] = !this.shown[index];
      button.setAttribute("aria-pressed", String(this.shown[index]));
      this.draw();
    };
    const button = element("button", { type: "button", "aria-pressed": String(this.shown[index]), on: { click: toggle } }, markOf(style), series.label);
    return button;
  }

  step(event) {
    const moves = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    const move = moves[event.key];
    if (!move) {
      return;
    }
    event.preventDefault();
    const visible = this.chart.series.map((_, index) => index).filter((index) => this.shown[index]);
    const place = Math.max(visible.indexOf(this.at.seriesIndex), 0) + move[0];
    const seriesIndex = visible[within(place, visible.length - 1)];
    const last = (this.chart.series[seriesIndex]?.points.length ?? 0) - 1;
    this.at = { seriesIndex, pointIndex: within(this.at.pointIndex + move[1], last) };
    this.point(last < 0 ? null : this.at);
    this.spoken.textContent = this.tip.textContent;
  }

  /** Marks a point, and says beside it what is known about it. */
  point(at) {
    const series = at && this.chart.series[at.seriesIndex];
    this.tip.hidden = !series || !this.plot;
    this.spot.hidden = this.tip.hidden;
    this.pointed?.(this.tip.hidden ? null : series.label);
    if (this.tip.hidden) {
      return;
    }
    this.at = at;
    const point = series.points[at.pointIndex];
    this.tip.textContent = this.describe(series, point);
    const { over } = this.plot;
    const left = over.offsetLeft + within(this.plot.valToPos(point.x, "x"), over.clientWidth);
    const top = over.offsetTop + within(this.plot.valToPos(point.y, "y"), over.clientHeight);
    this.place(left, top);
  }

  place(left, top) {
    const { tip, spot } = this;
    spot.style.left = `${left}px`;
    spot.style.top = `${top}px`;
    tip.style.left = `${within(left - tip.offsetWidth / 2, this.canvas.clientWidth - tip.offsetWidth)}px`;
    tip.style.top = `${top > tip.offsetHeight + 14 ? top - tip.offsetHeight - 12 : top + 14}px`;
  }

  describe(series, point) {
    const { x, y, describe } = this.chart;
    if (describe) {
      return describe(series, point);
    }
    const load = point.batchSize === undefined ? "" : t("chartpanel.batch_size_concurrency", { 1: whole(point.batchSize), 2: whole(point.concurrency) });
    const across = x.isConcurrency ? "" : `${x.name} ${plain(point.x)}, `;
    const ends = point.ends ? ` (${spanInWords(point.ends, 1)})` : "";
    const remarks = (point.withinSlo ? "" : t("chartpanel.misses_a_target")) + (point.best ? t("chartpanel.best") : "");
    return `${series.label}${load}: ${across}${y.name} ${plain(point.y)}${ends}${remarks}`;
  }

  showFigures() {
    this.figures.querySelector(".table")?.remove();
    if (this.figures.open) {
      const rows = this.chart.series.flatMap(({ label, points }) => points.map((point) => ({ ...point, label })));
      this.figures.append(table(`${this.subject}: ${this.chart.title}`, this.columns(), rows, (row) => row.best));
    }
  }

  columns() {
    const { x, y, kind = t("common.layout"), series } = this.chart;
    const has = (member) => series.some(({ points }) => points.some((point) => point[member]));
    const digits = (axis) => (axis.steps ? 0 : 2);
    return [
      { title: kind, text: (row) => row.label, className: "words" },
      has("batchSize") && { title: t("common.batch_size"), text: (row) => whole(row.batchSize) },
      { title: x.label, text: (row) => decimals(row.x, digits(x)) },
      { title: y.label, text: (row) => decimals(row.y, digits(y)) },
      has("ends") && { title: t("common.interval"), text: (row) => (row.ends ? spanInWords(row.ends, 1) : "–") },
      !this.chart.kind && { title: t("common.targets"), text: (row) => (row.withinSlo ? t("common.met") : t("common.missed")), className: "words" },
    ].filter(Boolean);
  }
}

const NAMES = { tokens_per_s: t("common.throughput"), concurrency: t("common.concurrency"), ttft_ms: "TTFT", tpot_ms: "TPOT", e2e_latency_ms: t("common.e2e_latency") };
const UNITS = { tokens_per_s: "tokens/s", concurrency: t("curves.requests"), ttft_ms: "ms", tpot_ms: "ms", e2e_latency_ms: "ms" };

/** How many requests a row runs, as far as it says so. */
const LOADS = ["batch_size", "concurrency"];

/** What comes whole, as requests do, is counted in whole steps. */
export const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/** The charts that a phase's probes give: each latency against throughput and concurrency, as far as the phase has it. */
export function chartsOf(phase, slo) {
  const latencies = ["tpot_ms", "ttft_ms", "e2e_latency_ms"].filter((member) =>
    phase.points.some((point) => point[member] !== undefined),
  );
  const axes = [
    ["concurrency", "tokens_per_s"],
    ...latencies.map((latency) => [latency, "tokens_per_s"]),
    ...latencies.map((latency) => ["concurrency", latency]),
  ];
  const series = seriesOf(phase);
  return axes.map(([x, y]) => chart(x, y, series, slo));
}

/** One chart from labelled lists of probes; the `best` row of a series, if it has one, is marked. */
export function chart(x, y, series, slo) {
  return {
    title: t("curves.by", { a: NAMES[y], b: x === "concurrency" ? t("curves.concurrency") : NAMES[x] }),
    x: axis(x, slo),
    y: axis(y, slo),
    series: series.map(({ label, points, best }) => ({ label, points: drawable(points, x, y, best) })),
  };
}

function axis(member, slo) {
  const value = slo.percentile === undefined ? slo[member] : undefined;
  return {
    name: NAMES[member],
    isConcurrency: member === "concurrency",
    label: `${NAMES[member]} (${UNITS[member]})`,
    steps: member === "concurrency" ? WHOLE_STEPS : undefined,
    limit: typeof value === "number" ? { value, label: t("curves.target", { a: NAMES[member] }) } : null,
  };
}

function drawable(points, x, y, best) {
  return points
    .filter((point) => Number.isFinite(point[x]) && Number.isFinite(point[y]))
    .toSorted((left, right) => left[x] - right[x])
    .map((point) => ({
      x: point[x],
      y: point[y],
      ends: endsOf(point, y),
      batchSize: point.batch_size,
      concurrency: point.concurrency,
      withinSlo: point.within_slo,
      best: best !== undefined && labelOf(point) === labelOf(best) && LOADS.every((load) => best[load] === undefined || point[load] === best[load]),
    }));
}

/** What the series of a probe, or of a ranked row, is told from others by: a layout, or how many instances of two feed each other. */
function labelOf({ parallel, paired, parallel_p: prefill = paired?.prefill_parallel, parallel_d: decode = parallel, ...row }) {
  if (!prefill) {
    return parallel.label;
  }
  const { prefill_instances: prefills, decode_instances: decodes } = paired ?? row;
  return `${prefills} × ${layout(prefill)} : ${decodes} × ${layout(decode)}`;
}

/** Probes by layout or pair: the ranked ones first, in their order; the first row of all is the best. */
function seriesOf({ rows, points }) {
  const byLabel = new Map(rows.map((row) => [labelOf(row), []]));
  const names = new Map();
  for (const point of points) {
    const label = labelOf(point);
    names.set(label, point.paired ? label : layout(point.parallel));
    byLabel.set(label, [...(byLabel.get(label) ?? []), point]);
  }
  return [...byLabel]
    .filter(([, probes]) => probes.length > 0)
    .map(([label, probes]) => ({ label: names.get(label), points: probes, best: rows[0] }));
}
