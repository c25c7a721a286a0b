import uPlot from "../vendor/uplot/uPlot.esm.js";
import { plain } from "./format.js";
import { said } from "./language.js";

const HEIGHT = 360;
const FONT = "12px system-ui, sans-serif";
const BEYOND_FEASIBLE = 2;
const BEYOND_LIMIT = 1.25;
const MARGIN = 1.05;
const DASHES = [
  { dash: [], border: "solid" },
  { dash: [8, 4], border: "dashed" },
  { dash: [2, 3], border: "dotted" },
];

/**
 * Draws a chart into a container that is part of the page. An axis can be logarithmic (`log`); a series can have points without
 * a line (`scattered`) or a line without points (`quiet`), and a band where its points have `ends`.
 *
 * @param {boolean[]} shown which series are visible
 * @param {function} pointed is told which point the pointer is at, or null
 * @param {number} [height] in pixels
 */
export function drawChart(container, chart, shown, pointed, height = HEIGHT) {
  const palette = paletteOf(container);
  const frame = frameOf(chart, shown);
  const styles = chart.series.map((_, index) => seriesStyle(palette, index));
  const options = {
    width: container.clientWidth,
    height,
    padding: [24, 20, 0, 0],
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, ...scale(chart.x, frame.x) }, y: scale(chart.y, frame.y) },
    axes: [axis(chart.x, palette, 44), axis(chart.y, palette, widthOfLabels)],
    series: [{}, ...chart.series.map((series, index) => line(series, shown[index], styles[index]))],
    hooks: {
      drawClear: [(plot) => drawSpan(plot, chart, palette, styles)],
      draw: [(plot) => drawLimits(plot, chart, palette), (plot) => drawPoints(plot, chart, palette, styles), (plot) => chart.named && drawNames(plot, chart, palette, styles)],
      setCursor: [(plot) => pointed(nearest(plot, chart))],
    },
  };
  return new uPlot(options, columnsOf(chart), container);
}

/** Line style of the n-th series: eight colours, then the same again in dashes and dots. */
export function seriesStyle(palette, index) {
  const colours = palette.series;
  return { stroke: colours[index % colours.length], ...DASHES[Math.floor(index / colours.length) % DASHES.length] };
}

/** Colours of the page as they are now, in light or dark. */
export function paletteOf(node) {
  const style = getComputedStyle(node);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => colour(`--series-${number}`)),
    ink: colour("--ink-soft"),
    grid: colour("--line"),
    surface: colour("--surface"),
    limit: colour("--limit"),
    best: colour("--ink"),
  };
}

/**
 * How far the axes reach. The search probes batch sizes far beyond the limits; a picture of them all would leave the
 * feasible ones in a corner, so each axis ends at twice the largest feasible value, or a little beyond the limit.
 */
function frameOf(chart, shown) {
  const points = pointsOf(chart, shown);
  const x = reach(points, "x", chart.x);
  return { x, y: reach(points.filter((point) => point.x <= x[1]), "y", chart.y) };
}

function pointsOf(chart, shown) {
  return chart.series.filter((_, index) => shown[index]).flatMap((series) => series.points);
}

function reach(points, axis, { limit, log }) {
  const feasible = points.filter((point) => point.withinSlo).map((point) => point[axis]);
  const all = points.map((point) => point[axis]);
  const largest = Math.max(...all, 0);
  const wanted = feasible.length === 0 ? largest : Math.max(...feasible) * BEYOND_FEASIBLE;
  const framed = Math.min(largest, wanted);
  const most = ((limit && limit.value < largest ? Math.max(framed, limit.value * BEYOND_LIMIT) : framed) || 1) * MARGIN;
  return [log ? 10 ** Math.floor(Math.log10(Math.min(...all, most))) : 0, most];
}

/** How many points of the visible series lie outside of the frame. */
export function outside(chart, shown) {
  const { x, y } = frameOf(chart, shown);
  return pointsOf(chart, shown).filter((point) => point.x > x[1] || point.y > y[1]).length;
}

/** The points as uPlot wants them: one ascending column of x, one column of y a series, holes where a series has no point. */
function columnsOf(chart) {
  const cells = chart.series.flatMap((series, index) => series.points.map((point) => ({ point, index })));
  cells.sort((left, right) => left.point.x - right.point.x);
  const ys = chart.series.map((_, index) => cells.map((cell) => (cell.index === index ? cell.point.y : null)));
  return [cells.map((cell) => cell.point.x), ...ys];
}

function scale({ log }, ends) {
  return { distr: log ? 3 : 1, range: () => ends };
}

function axis({ label, steps }, palette, size) {
  return {
    label: said(label),
    incrs: steps,
    size,
    labelSize: 22,
    stroke: palette.ink,
    font: FONT,
    labelFont: FONT,
    grid: { stroke: palette.grid, width: 1 },
    ticks: { stroke: palette.grid, width: 1 },
    values: (_, splits) => splits.map((split) => (split === null ? "" : plain(split))),
  };
}

/** Of those that stand there: those of small figures are longer than the figures. */
function widthOfLabels(_, labels) {
  return 20 + 7 * Math.max(...(labels ?? []).map(({ length }) => length), 1);
}

function line(series, show, { stroke, dash }) {
  const width = series.best ? 2.5 : 1.5;
  return { label: series.label, show, stroke, dash, width: series.scattered ? 0 : width, alpha: series.faint ? 0.15 : series.best ? 1 : 0.6, spanGaps: true, points: { show: false } };
}

/** The visible point closest to the pointer, within a finger's breadth. */
function nearest(plot, chart) {
  const { left, top } = plot.cursor;
  let found = null;
  let least = 48;
  visible(plot, chart, (series, seriesIndex) =>
    series.points.forEach((point, pointIndex) => {
      const distance = Math.hypot(plot.valToPos(point.x, "x") - left, plot.valToPos(point.y, "y") - top);
      if (distance < least) {
        least = distance;
        found = { seriesIndex, pointIndex };
      }
    }),
  );
  return left < 0 ? null : found;
}

function visible(plot, chart, act) {
  chart.series.forEach((series, index) => plot.series[index + 1].show && act(series, index));
}

/** Draws every probe: filled within the limits, hollow beyond them, ringed where it is the best. */
function drawPoints(plot, chart, palette, styles) {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  clipped(plot, () => {
    visible(plot, chart, (series, index) => {
      ctx.strokeStyle = styles[index].stroke;
      ctx.globalAlpha = series.faint ? 0.2 : 1;
      for (const point of series.quiet ? [] : series.points) {
        ctx.fillStyle = point.withinSlo ? ctx.strokeStyle : palette.surface;
        ctx.lineWidth = 1.5 * scale;
        circle(plot, point, (chart.named || chart.isWhole ? 2.5 : 3.5) * scale);
        ctx.fill();
        ctx.stroke();
      }
      ctx.globalAlpha = 1;
    });
    visible(plot, chart, (series) =>
      series.points.filter((point) => point.best).forEach((point) => {
        ctx.strokeStyle = palette.best;
        ctx.lineWidth = 2 * scale;
        circle(plot, point, 8 * scale);
        ctx.stroke();
      }),
    );
  });
}

/** Draws below the curves the side that the limit forbids, and the band of the ends of each series. */
function drawSpan(plot, chart, palette, styles) {
  const { ctx, bbox } = plot;
  clipped(plot, () => {
    if (chart.x.limit?.shaded) {
      ctx.globalAlpha = 0.08;
      ctx.fillStyle = palette.limit;
      ctx.fillRect(bbox.left, bbox.top, plot.valToPos(chart.x.limit.value, "x", true) - bbox.left, bbox.height);
    }
    visible(plot, chart, (series, index) => {
      const points = series.points.filter(({ ends }) => ends);
      ctx.globalAlpha = 0.13;
      ctx.fillStyle = styles[index].stroke;
      ctx.beginPath();
      points.forEach((point) => ctx.lineTo(plot.valToPos(point.x, "x", true), endAt(plot, point, "high")));
      points.toReversed().forEach((point) => ctx.lineTo(plot.valToPos(point.x, "x", true), endAt(plot, point, "low")));
      ctx.fill();
    });
  });
}

/** Where the figure of a point may lie, as far as the frame reaches. */
function endAt(plot, { ends: { low = 0, high = plot.scales.y.max } }, end) {
  return plot.valToPos(end === "low" ? low : Math.min(high, plot.scales.y.max), "y", true);
}

function drawNames(plot, chart, palette, styles) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const taken = [];
  ctx.save();
  ctx.font = `600 ${11 * scale}px system-ui, sans-serif`;
  Object.assign(ctx, { textAlign: "left", strokeStyle: palette.surface, lineWidth: 3 * scale, lineJoin: "round" });
  chart.series.forEach(({ label, points, faint }, index) => {
    const last = points.findLast(({ x }) => x <= plot.scales.x.max);
    if (!last) {
      return;
    }
    const width = ctx.measureText(label).width;
    const end = plot.valToPos(last.x, "x", true) + 6 * scale;
    const left = Math.min(end, bbox.left + bbox.width - width);
    let top = plot.valToPos(last.y, "y", true) - (left < end ? 12 : 4) * scale;
    while (taken.some((other) => Math.abs(other.top - top) < 12 * scale && left < other.right && other.left < left + width)) {
      top -= 13 * scale;
    }
    taken.push({ top, left, right: left + width });
    ctx.globalAlpha = faint ? 0.25 : 1;
    ctx.fillStyle = styles[index].stroke;
    ctx.strokeText(label, left, top);
    ctx.fillText(label, left, top);
  });
  ctx.restore();
}

/** Draws the limits as dashed lines with their names: beside the plot's top, or at its right end. */
function drawLimits(plot, chart, palette) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const [right, bottom] = [bbox.left + bbox.width, bbox.top + bbox.height];
  const draw = (limit, from, to, textAlign) => {
    ctx.beginPath();
    ctx.moveTo(...from);
    ctx.lineTo(...to);
    ctx.stroke();
    ctx.textAlign = textAlign;
    ctx.fillText(said(limit.label), to[0], to[1] - 6 * scale);
  };
  ctx.save();
  ctx.strokeStyle = palette.limit;
  ctx.fillStyle = palette.limit;
  ctx.lineWidth = 1.5 * scale;
  ctx.setLineDash([6 * scale, 4 * scale]);
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  const x = chart.x.limit && plot.valToPos(chart.x.limit.value, "x", true);
  const y = chart.y.limit && plot.valToPos(chart.y.limit.value, "y", true);
  if (chart.x.limit && x <= right) {
    draw(chart.x.limit, [x, bottom], [x, bbox.top], "center");
  }
  if (chart.y.limit && y >= bbox.top) {
    draw(chart.y.limit, [bbox.left, y], [right, y], "right");
  }
  ctx.restore();
}

function circle(plot, point, radius) {
  plot.ctx.beginPath();
  plot.ctx.arc(plot.valToPos(point.x, "x", true), plot.valToPos(point.y, "y", true), radius, 0, 2 * Math.PI);
}

function clipped(plot, draw) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw();
  ctx.restore();
}
