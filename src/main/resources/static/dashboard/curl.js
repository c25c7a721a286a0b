import { optimizationsUrl } from "./api.js";

/** The command line that asks the service the same question and waits for the answer. */
export function curlOf(request) {
  return [
    `curl -sS ${optimizationsUrl()}`,
    "-H 'Content-Type: application/json'",
    "-H 'Prefer: wait=60'",
    `-d ${quoted(JSON.stringify(request, null, 2))}`,
  ].join(" \\\n  ");
}

/** A text in single quotes, as POSIX shells read it. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
