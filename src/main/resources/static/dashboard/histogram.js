import { element, fill } from "./dom.js";
import { percent, plain } from "./format.js";
import { t } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 400;
const HEIGHT = 90;

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
  fill(
    container,
    bars(ordered, sum),
    element(
      "p",
      { class: "axis", "aria-hidden": "true" },
      element("span", {}, t("histogram.tokens", { 1: plain(ordered[0].min_tokens) })),
      element("span", {}, ordered.length === 1 ? t("histogram.one_bin") : t("histogram.bins_one_bar_each", { 1: ordered.length })),
      element("span", {}, t("histogram.tokens", { 1: plain(ordered.at(-1).max_tokens) })),
    ),
  );
}

function bars(bins, sum) {
  const heaviest = Math.max(...bins.map((bin) => bin.weight));
  const picture = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", preserveAspectRatio: "none" });
  picture.setAttribute("aria-label", summary(bins, sum));
  const step = WIDTH / bins.length;
  bins.forEach((bin, index) => {
    const height = Math.max((bin.weight / heaviest) * HEIGHT, 1);
    const bar = shape("rect", { x: index * step + 0.5, y: HEIGHT - height, width: Math.max(step - 1, 0.5), height });
    const title = shape("title", {});
    title.textContent = `${range(bin)}: ${percent((100 * bin.weight) / sum, 2)}`;
    bar.append(title);
    picture.append(bar);
  });
  return picture;
}

function summary(bins, sum) {
  const top = bins.reduce((best, bin) => (bin.weight > best.weight ? bin : best));
  const mean = bins.reduce((total, bin) => total + (bin.weight * (bin.min_tokens + bin.max_tokens)) / 2, 0) / sum;
  return t("histogram.summary", { 1: bins.length, 2: plain(Math.round(mean)), a: percent((100 * top.weight) / sum), b: range(top) });
}

function range(bin) {
  return t("histogram.to_tokens", { 1: plain(bin.min_tokens), 2: plain(bin.max_tokens) });
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  return node;
}
