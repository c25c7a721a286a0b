import { shape, text } from "./svg.js";

const SIZE = 520;
const LEFT = 64;
const BOTTOM = 48;
/** Of both axes at their end: half of the longest tick label, and the title of the upright one. */
const END = 36;
const LEGEND = 24;

/**
 * Points on two logarithmic axes of the same reach, with the line where both are equal and those at twice and half.
 *
 * @param {string} title what a screen reader says
 * @param {{x: number, y: number, series: number}[]} points
 * @param {string[]} names of the series
 */
export function scatter(title, xTitle, yTitle, points, names) {
  const values = points.flatMap(({ x, y }) => [x, y]);
  const least = 10 ** Math.floor(Math.log10(Math.min(...values, 10)));
  const most = 10 ** Math.ceil(Math.log10(Math.max(...values, 100)));
  const shown = [...new Set(points.map(({ series }) => series))].sort((left, right) => left - right);
  const bottom = SIZE - BOTTOM;
  const place = (value) => (Math.log(value / least) / Math.log(most / least)) * (bottom - END);
  const column = (value) => LEFT + place(value);
  const row = (value) => bottom - place(value);
  const width = LEFT + bottom;
  const picture = shape("svg", { viewBox: `0 0 ${width} ${SIZE + LEGEND * Math.ceil(shown.length / 2)}`, role: "img", "aria-label": title });
  for (let decade = least; decade <= most; decade *= 10) {
    picture.append(
      shape("line", { class: "grid", x1: column(decade), x2: column(decade), y1: row(least), y2: row(most) }),
      shape("line", { class: "grid", x1: column(least), x2: column(most), y1: row(decade), y2: row(decade) }),
      text(column(decade), bottom + 18, "middle", decade.toLocaleString("en-US")),
      text(LEFT - 8, row(decade) + 4, "end", decade.toLocaleString("en-US")),
    );
  }
  for (const ratio of [0.5, 1, 2]) {
    const from = ratio < 1 ? least / ratio : least;
    const to = ratio > 1 ? most / ratio : most;
    picture.append(
      shape("line", { class: ratio === 1 ? "equal" : "factor", x1: column(from), y1: row(from * ratio), x2: column(to), y2: row(to * ratio) }),
    );
  }
  points.forEach(({ x, y, series }) => picture.append(shape("circle", { class: `series-${(series % 8) + 1}`, cx: column(x), cy: row(y), r: 3 })));
  picture.append(text((column(least) + column(most)) / 2, SIZE - 8, "middle", xTitle), text(8, 12, "start", yTitle));
  shown.forEach((series, index) => {
    const x = LEFT + (index % 2) * 220;
    const y = SIZE + 12 + LEGEND * Math.floor(index / 2);
    picture.append(shape("circle", { class: `series-${(series % 8) + 1}`, cx: x, cy: y - 4, r: 5 }), text(x + 12, y, "start", names[series]));
  });
  return picture;
}
