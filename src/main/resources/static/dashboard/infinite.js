/** JSON in which infinity is a number, as Python writes it into configurations of models. */

const STRING_OR_INFINITY = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b/g;
/** Too large for a number, so that it is read as infinity. */
const TOO_LARGE = "1e999";
/** Before a number that JSON lacks, in a string that nobody types. */
const MARK = "\0number:";
const MARKED = /"\\u0000number:(-?Infinity)"/g;

export function readJson(text) {
  return JSON.parse(text.replace(STRING_OR_INFINITY, (found) => (found.startsWith('"') ? found : found.replace("Infinity", TOO_LARGE))));
}

export function writeJson(value, space) {
  const marked = (_, part) => (part === Infinity || part === -Infinity ? MARK + part : part);
  return JSON.stringify(value, marked, space).replace(MARKED, "$1");
}
