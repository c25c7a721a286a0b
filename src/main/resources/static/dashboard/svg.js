const TICKS = 5;
const NAMESPACE = "http://www.w3.org/2000/svg";

/** An element of a drawing. */
export function shape(tag, attributes, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
  node.append(...children);
  return node;
}

/** Words in a drawing. */
export function text(x, y, anchor, words) {
  const node = shape("text", { x, y, "text-anchor": anchor });
  node.textContent = words;
  return node;
}

/** Round values from 0 to at most the largest. */
export function ticks(most) {
  const rough = most / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= rough);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}
