import { said } from "./language.js";
import { seriesStyle } from "./palette.js";

/** Draws every probe: filled within the limits, hollow beyond them, ringed where it is the best. */
export function drawPoints(plot, chart, palette) {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  clipped(plot, () => {
    const frame = plot.scales.y.max;
    chart.series.forEach((series, index) => {
      if (!plot.series[index + 1].show) {
        return;
      }
      ctx.strokeStyle = seriesStyle(palette, index).stroke;
      series.points.filter(({ ends }) => ends).forEach((point) => errorBar(plot, point, frame));
      for (const point of series.points) {
        ctx.fillStyle = point.withinSlo ? ctx.strokeStyle : palette.surface;
        ctx.lineWidth = 1.5 * scale;
        circle(plot, point, 3.5 * scale);
        ctx.fill();
        ctx.stroke();
      }
    });
    chart.series.forEach((series, index) => {
      if (plot.series[index + 1].show) {
        series.points.filter((point) => point.best).forEach((point) => ring(plot, point, palette));
      }
    });
  });
}

/** Draws the limits as dashed lines with their names: beside the plot's top, or at its right end. */
export function drawLimits(plot, chart, palette) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = palette.limit;
  ctx.fillStyle = palette.limit;
  ctx.lineWidth = 1.5 * scale;
  ctx.setLineDash([6 * scale, 4 * scale]);
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  if (chart.x.limit) {
    const x = plot.valToPos(chart.x.limit.value, "x", true);
    if (x <= bbox.left + bbox.width) {
      dashed(ctx, x, bbox.top, x, bbox.top + bbox.height);
      ctx.textAlign = "center";
      ctx.fillText(said(chart.x.limit.label), x, bbox.top - 6 * scale);
    }
  }
  if (chart.y.limit) {
    const y = plot.valToPos(chart.y.limit.value, "y", true);
    if (y >= bbox.top) {
      dashed(ctx, bbox.left, y, bbox.left + bbox.width, y);
      ctx.textAlign = "right";
      ctx.fillText(said(chart.y.limit.label), bbox.left + bbox.width, y - 6 * scale);
    }
  }
  ctx.restore();
}

function dashed(ctx, fromX, fromY, toX, toY) {
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

/** Where the figure of a point may lie, as far as the frame reaches. */
function errorBar(plot, { x, ends }, frame) {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  const column = plot.valToPos(x, "x", true);
  const [low, high] = [ends.low ?? 0, Math.min(ends.high ?? frame, frame)].map((value) => plot.valToPos(value, "y", true));
  ctx.save();
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = scale;
  ctx.beginPath();
  ctx.moveTo(column, low);
  ctx.lineTo(column, high);
  [low, high].forEach((end) => {
    ctx.moveTo(column - 3 * scale, end);
    ctx.lineTo(column + 3 * scale, end);
  });
  ctx.stroke();
  ctx.restore();
}

function ring(plot, point, palette) {
  plot.ctx.strokeStyle = palette.best;
  plot.ctx.lineWidth = 2 * devicePixelRatio;
  circle(plot, point, 8 * devicePixelRatio);
  plot.ctx.stroke();
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
