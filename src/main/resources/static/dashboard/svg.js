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
