import { element } from "./dom.js";
import { decimals, plain } from "./format.js";
import { t } from "./language.js";
import { shape, text, ticks } from "./svg.js";

const WIDTH = 460;
const HEIGHT = 230;
const LEFT = 52;
const RIGHT = 14;
const TOP = 22;
const BOTTOM = 40;

/** Ends of bands beyond so many times the largest figure are cut. */
const CUT = 2.5;

/**
 * Figures over requests at once, on a logarithmic axis: marks of what was measured, lines of what is predicted, each with its band.
 *
 * @param {string} title what the picture shows, with its unit
 * @param {{name: string, look: string, points: {x: number, y: number, low?: number, high?: number}[]}[]} series of the looks
 *     "measured", "before" and "after"; those without points are left out
 */
export function measuredChart(title, series) {
  const shown = series.filter(({ points }) => points.length > 0);
  const all = shown.flatMap(({ points }) => points);
  if (all.length === 0) {
    return null;
  }
  const place = placed(all);
  const picture = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("measuredchart.by_concurrency", { A: title, B: inWords(shown) }) });
  grid(picture, place, title);
  shown.filter(({ look }) => look !== "measured").forEach((one) => line(picture, place, one));
  shown.filter(({ look }) => look === "measured").forEach((one) => marks(picture, place, one));
  return element("figure", { class: "measured-picture" }, picture, legend(shown));
}

function placed(all) {
  const xs = all.map(({ x }) => x);
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const largest = Math.max(...all.map(({ y }) => y));
  const top = Math.min(Math.max(...all.map(({ y, high }) => high ?? y)), CUT * largest) * 1.05;
  const span = Math.log(most / least) || 1;
  return {
    xs: [...new Set(xs)],
    top,
    column: (x) => (most === least ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + (Math.log(x / least) / span) * (WIDTH - LEFT - RIGHT)),
    row: (y) => TOP + (1 - Math.min(y, top) / top) * (HEIGHT - TOP - BOTTOM),
  };
}

function grid(picture, { xs, top, column, row }, title) {
  for (const value of ticks(top)) {
    picture.append(
      shape("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: row(value), y2: row(value) }),
      text(LEFT - 6, row(value) + 4, "end", plain(value)),
    );
  }
  let free = -Infinity;
  for (const value of xs.toSorted((left, right) => left - right)) {
    if (column(value) >= free) {
      picture.append(text(column(value), HEIGHT - BOTTOM + 16, "middle", plain(value)));
      free = column(value) + 30;
    }
  }
  picture.append(text(4, 12, "start", title), text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle", t("common.concurrent_requests")));
}

/** A band with the line of its figures; of a single one a whisker with its dot. */
function line(picture, { column, row, top }, { look, points }) {
  const sorted = points.toSorted((left, right) => left.x - right.x);
  const corner = (of) => (point) => `${column(point.x)},${row(of(point))}`;
  const banded = sorted.filter(({ low, high }) => low !== undefined || high !== undefined);
  const low = (point) => point.low ?? 0;
  const high = (point) => point.high ?? top;
  if (banded.length > 1) {
    picture.append(shape("polygon", { class: `band ${look}`, points: [...banded.map(corner(high)), ...banded.toReversed().map(corner(low))].join(" ") }));
  } else {
    banded.forEach((point) => picture.append(shape("line", { class: `whisker-line ${look}`, x1: column(point.x), x2: column(point.x), y1: row(low(point)), y2: row(high(point)) })));
  }
  picture.append(shape("polyline", { class: look, points: sorted.map(corner(({ y }) => y)).join(" ") }));
  if (sorted.length < 12) {
    sorted.forEach((point) => picture.append(shape("circle", { class: look, cx: column(point.x), cy: row(point.y), r: 2.5 })));
  }
}

function marks(picture, { column, row }, { points }) {
  points.forEach(({ x, y }) => {
    const [cx, cy] = [column(x), row(y)];
    picture.append(shape("path", { class: "measured", d: `M${cx},${cy - 5}l5,5l-5,5l-5,-5z` }));
  });
}

function legend(series) {
  return element(
    "figcaption",
    { class: "measured-legend", "aria-hidden": "true" },
    series.map(({ name, look }) => element("span", { class: look }, `${look === "measured" ? "◆" : "▬"} ${name}`)),
  );
}

/** What a reader who does not see the picture hears of it: the measured marks, and what stands beside them. */
function inWords(series) {
  return series
    .filter(({ points }) => points.length <= 12)
    .map(({ name, points }) => `${name} ${points.map(({ x, y }) => t("measuredchart.at", { 1: decimals(y, 1), 2: plain(x) })).join(", ")}`)
    .join("; ");
}
