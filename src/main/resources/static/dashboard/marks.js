import { seriesStyle } from "./palette.js";

/** Draws every probe: filled within the limits, hollow beyond them, ringed where it is the best. */
export function drawPoints(plot, chart, palette) {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  clipped(plot, () => {
    chart.series.forEach((series, index) => {
      if (!plot.series[index + 1].show) {
        return;
      }
      ctx.strokeStyle = seriesStyle(palette, index).stroke;
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

/** Draws the limits as dashed lines with their names. */
export function drawLimits(plot, chart, palette) {
  clipped(plot, () => {
    if (chart.x.limit) {
      limitLine(plot, chart.x.limit, palette, true);
    }
    if (chart.y.limit) {
      limitLine(plot, chart.y.limit, palette, false);
    }
  });
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

function limitLine(plot, limit, palette, vertical) {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const at = plot.valToPos(limit.value, vertical ? "x" : "y", true);
  ctx.strokeStyle = palette.limit;
  ctx.fillStyle = palette.limit;
  ctx.lineWidth = 1.5 * scale;
  ctx.setLineDash([6 * scale, 4 * scale]);
  ctx.beginPath();
  ctx.moveTo(vertical ? at : bbox.left, vertical ? bbox.top : at);
  ctx.lineTo(vertical ? at : bbox.left + bbox.width, vertical ? bbox.top + bbox.height : at);
  ctx.stroke();
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.textAlign = "left";
  ctx.fillText(
    limit.label,
    vertical ? at + 6 * scale : bbox.left + 6 * scale,
    vertical ? bbox.top + 14 * scale : at - 6 * scale,
  );
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
