/** The value that a JSON pointer (RFC 6901) names, or undefined. */
export function valueAt(root, pointer) {
  return segments(pointer).reduce((value, segment) => value?.[segment], root);
}

/** Sets the value that a JSON pointer names; missing objects and lists on the way are made. */
export function setAt(root, pointer, value) {
  const path = segments(pointer);
  const last = path.pop();
  let target = root;
  path.forEach((segment, depth) => {
    const following = path[depth + 1] ?? last;
    target[segment] ??= /^\d+$/.test(following) ? [] : {};
    target = target[segment];
  });
  target[last] = value;
}

/** A pointer without its last segment; the empty pointer names everything. */
export function parentOf(pointer) {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

function segments(pointer) {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
