import { element, fill } from "./dom.js";
import { percent, plain } from "./format.js";
import { t } from "./language.js";

/**
 * Draws the share of requests per bin. Bins of real traffic span four orders of magnitude, so every bin is equally wide
 * and only the labels tell the lengths.
 */
export function drawHistogram(container, bins) {
  const sound = bins.filter((bin) => bin.weight > 0 && bin.max_tokens > bin.min_tokens);
  if (sound.length === 0) {
    fill(container);
    return;
  }
  const sum = sound.reduce((total, bin) => total + bin.weight, 0);
  const ordered = sound.toSorted((left, right) => left.min_tokens - right.min_tokens);
  const columns = ordered.map((bin) => ({ sizes: [bin.weight], title: `${range(bin)}: ${percent((100 * bin.weight) / sum, 2)}` }));
  fill(
    container,
    columnPicture(summary(ordered, sum), columns),
    element(
      "p",
      { class: "axis", "aria-hidden": "true" },
      element("span", {}, t("histogram.tokens", { 1: plain(ordered[0].min_tokens) })),
      element("span", {}, ordered.length === 1 ? t("histogram.one_bin") : t("histogram.bins_one_bar_each", { 1: ordered.length })),
      element("span", {}, t("histogram.tokens", { 1: plain(ordered.at(-1).max_tokens) })),
    ),
  );
}

function summary(bins, sum) {
  const top = bins.reduce((best, bin) => (bin.weight > best.weight ? bin : best));
  const mean = bins.reduce((total, bin) => total + (bin.weight * (bin.min_tokens + bin.max_tokens)) / 2, 0) / sum;
  return t("histogram.summary", { 1: bins.length, 2: plain(Math.round(mean)), a: percent((100 * top.weight) / sum), b: range(top) });
}

function range(bin) {
  return t("histogram.to_tokens", { 1: plain(bin.min_tokens), 2: plain(bin.max_tokens) });
}

const NAMESPACE = "http://www.w3.org/2000/svg";
const STEP = 10;
const HEIGHT = 90;
const PARTS = ["lower", "upper"];

function shape(tag, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  node.append(...children);
  return node;
}

/**
 * A picture with an equally wide column for each of several values.
 *
 * @param {string} label what a screen reader says
 * @param {{sizes: number[], title: string}[]} columns sizes of one or two parts of a column, from below
 */
export function columnPicture(label, columns) {
  const picture = shape("svg", { viewBox: `0 0 ${STEP * columns.length} ${HEIGHT}`, role: "img", preserveAspectRatio: "none", "aria-label": label });
  const most = Math.max(...columns.map(({ sizes }) => sizes.reduce((sum, size) => sum + size, 0))) || 1;
  columns.forEach(({ sizes, title }, index) => {
    let top = HEIGHT;
    sizes.forEach((size, part) => {
      const height = (size / most) * HEIGHT;
      top -= height;
      picture.append(shape("rect", { class: PARTS[part], x: STEP * index + 0.5, y: top, width: STEP - 1, height }, shape("title", {}, title)));
    });
  });
  return picture;
}
