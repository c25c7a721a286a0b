import uPlot from "../vendor/uplot/uPlot.esm.js";
import { columnsOf, frameOf } from "./frame.js";
import { plain } from "./format.js";
import { said } from "./language.js";
import { drawLimits, drawNames, drawPoints, drawSpan } from "./marks.js";
import { paletteOf, seriesStyle } from "./palette.js";

const HEIGHT = 360;
const FONT = "12px system-ui, sans-serif";

/**
 * Draws a chart into a container that is part of the page.
 *
 * @param {boolean[]} shown which series are visible
 * @param {function} pointed is told which point the pointer is at, or null
 * @param {number} [height] in pixels
 * @returns {uPlot}
 */
export function drawChart(container, chart, shown, pointed, height = HEIGHT) {
  const palette = paletteOf(container);
  const frame = frameOf(chart, shown);
  const options = {
    width: container.clientWidth,
    height,
    padding: [24, 20, 0, 0],
    legend: { show: false },
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: () => [0, frame.x] }, y: { range: () => [0, frame.y] } },
    axes: [axis(chart.x, palette, 44), axis(chart.y, palette, widthOfLabels)],
    series: [{}, ...chart.series.map((series, index) => line(series, shown[index], seriesStyle(palette, index)))],
    hooks: {
      drawClear: [(plot) => drawSpan(plot, chart, palette)],
      draw: [(plot) => drawLimits(plot, chart, palette), (plot) => drawPoints(plot, chart, palette), (plot) => drawNames(plot, chart, palette)],
      setCursor: [(plot) => pointed(nearest(plot, chart))],
    },
  };
  return new uPlot(options, columnsOf(chart), container);
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
    values: (_, splits) => splits.map(plain),
  };
}

/** Of those that stand there: those of small figures are longer than the figures. */
function widthOfLabels(_, labels) {
  return 20 + 7 * Math.max(...(labels ?? []).map(({ length }) => length), 1);
}

function line(series, show, { stroke, dash }) {
  return { label: series.label, show, stroke, dash, width: series.best ? 2.5 : 1.5, alpha: series.faint ? 0.15 : series.best ? 1 : 0.6, spanGaps: true, points: { show: false } };
}

/** The visible point closest to the pointer, within a finger's breadth. */
function nearest(plot, chart) {
  const { left, top } = plot.cursor;
  let found = null;
  let least = 48;
  chart.series.forEach((series, seriesIndex) => {
    if (!plot.series[seriesIndex + 1].show) {
      return;
    }
    series.points.forEach((point, pointIndex) => {
      const distance = Math.hypot(plot.valToPos(point.x, "x") - left, plot.valToPos(point.y, "y") - top);
      if (distance < least) {
        least = distance;
        found = { seriesIndex, pointIndex };
      }
    });
  });
  return left < 0 ? null : found;
}
