const BEYOND_FEASIBLE = 2;
const BEYOND_LIMIT = 1.25;
const MARGIN = 1.05;

/**
 * How far the axes reach. The search probes batch sizes far beyond the limits; a picture of them all would leave the
 * feasible ones in a corner, so each axis ends at twice the largest feasible value, or a little beyond the limit.
 */
export function frameOf(chart, shown) {
  const points = chart.series.filter((_, index) => shown[index]).flatMap((series) => series.points);
  const x = reach(points, "x", chart.x.limit);
  const inside = points.filter((point) => point.x <= x);
  return { x: x * MARGIN, y: reach(inside, "y", chart.y.limit) * MARGIN };
}

function reach(points, axis, limit) {
  const feasible = points.filter((point) => point.withinSlo).map((point) => point[axis]);
  const all = points.map((point) => point[axis]);
  const largest = Math.max(...all, 0);
  const wanted = feasible.length === 0 ? largest : Math.max(...feasible) * BEYOND_FEASIBLE;
  const framed = Math.min(largest, wanted);
  return (limit && limit.value < largest ? Math.max(framed, limit.value * BEYOND_LIMIT) : framed) || 1;
}

/** How many points of the visible series lie outside of the frame. */
export function outside(chart, shown) {
  const frame = frameOf(chart, shown);
  const points = chart.series.filter((_, index) => shown[index]).flatMap((series) => series.points);
  return points.filter((point) => point.x > frame.x || point.y > frame.y).length;
}

/** The points as uPlot wants them: one ascending column of x, one column of y a series, holes where a series has no point. */
export function columnsOf(chart) {
  const cells = chart.series.flatMap((series, index) => series.points.map((point) => ({ point, index })));
  cells.sort((left, right) => left.point.x - right.point.x);
  const ys = chart.series.map((_, index) => cells.map((cell) => (cell.index === index ? cell.point.y : null)));
  return [cells.map((cell) => cell.point.x), ...ys];
}
