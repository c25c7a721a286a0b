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
      ctx.globalAlpha = series.faint ? 0.2 : 1;
      if (!chart.named) {
        series.points.filter(({ ends }) => ends).forEach((point) => errorBar(plot, point, frame));
      }
      for (const point of series.points) {
        ctx.fillStyle = point.withinSlo ? ctx.strokeStyle : palette.surface;
        ctx.lineWidth = 1.5 * scale;
        circle(plot, point, (chart.named ? 2.5 : 3.5) * scale);
        ctx.fill();
        ctx.stroke();
      }
      ctx.globalAlpha = 1;
    });
    chart.series.forEach((series, index) => {
      if (plot.series[index + 1].show) {
        series.points.filter((point) => point.best).forEach((point) => ring(plot, point, palette));
      }
    });
  });
}

/** Draws below the curves the side that the limit forbids, and the band of a series that asks for it. */
export function drawSpan(plot, chart, palette) {
  const { ctx, bbox } = plot;
  clipped(plot, () => {
    if (chart.x.limit?.shaded) {
      ctx.globalAlpha = 0.08;
      ctx.fillStyle = palette.limit;
      ctx.fillRect(bbox.left, bbox.top, plot.valToPos(chart.x.limit.value, "x", true) - bbox.left, bbox.height);
    }
    chart.series.forEach((series, index) => {
      const points = series.band ? series.points.filter(({ ends }) => ends) : [];
      if (points.length > 1) {
        ctx.globalAlpha = 0.13;
        ctx.fillStyle = seriesStyle(palette, index).stroke;
        ctx.beginPath();
        points.forEach(({ x, ends }) => ctx.lineTo(plot.valToPos(x, "x", true), plot.valToPos(ends.high, "y", true)));
        points.toReversed().forEach(({ x, ends }) => ctx.lineTo(plot.valToPos(x, "x", true), plot.valToPos(ends.low, "y", true)));
        ctx.fill();
      }
    });
  });
}

/** Names each curve at its right end. */
export function drawNames(plot, chart, palette) {
  if (!chart.named) {
    return;
  }
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const taken = [];
  ctx.save();
  ctx.font = `600 ${11 * scale}px system-ui, sans-serif`;
  chart.series.forEach(({ label, points, faint }, index) => {
    const last = points.findLast(({ x }) => x <= plot.scales.x.max);
    if (!last) {
      return;
    }
    const width = ctx.measureText(label).width;
    const left = Math.min(plot.valToPos(last.x, "x", true) + 6 * scale, bbox.left + bbox.width - width);
    let top = plot.valToPos(last.y, "y", true) - 4 * scale;
    while (taken.some((other) => Math.abs(other.top - top) < 12 * scale && left < other.right && other.left < left + width)) {
      top -= 13 * scale;
    }
    taken.push({ top, left, right: left + width });
    ctx.globalAlpha = faint ? 0.25 : 1;
    ctx.fillStyle = seriesStyle(palette, index).stroke;
    ctx.textAlign = "left";
    ctx.fillText(label, left, top);
  });
  ctx.restore();
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
