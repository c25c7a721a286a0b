import { urlOf } from "./api.js";
import { copy, element, select } from "./dom.js";
import { writeJson } from "./infinite.js";
import { hasKey } from "./key.js";
import { t } from "./language.js";

const FORMATS = [
  ["text/plain", t("curl.text_table")],
  ["application/json", "JSON"],
  ["text/csv", "CSV"],
];

/** The command line that asks a question, with a choice of what to get back and a button that copies it. */
export class CurlPanel {
  /**
   * @param {Object} [request] the question; none yet if left out
   * @param {string} [path] where it goes
   */
  constructor(request, path = "optimizations") {
    this.path = path;
    this.format = select(FORMATS, () => this.refresh());
    this.command = element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": t("curl.curl_command_for", { a: path }) });
    const copyIt = (event) => copy(this.command.textContent, event.target);
    this.node = element(
      "div",
      {},
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.format.id }, t("curl.response_format")),
        this.format,
        element("button", { type: "button", class: "quiet", on: { click: copyIt } }, t("common.copy")),
      ),
      this.command,
    );
    this.show(request);
  }

  show(request) {
    this.request = request;
    this.refresh();
  }

  refresh() {
    this.command.textContent = this.request ? curlOf(this.path, this.request, FORMATS[this.format.selectedIndex][0]) : "";
  }
}

/** Asks the service the same question and waits for the answer. */
function curlOf(path, request, mediaType) {
  return [
    `curl -sS ${path === "optimizations" ? quoted(`${urlOf(path)}?include=defaults`) : urlOf(path)}`,
    hasKey() && '-H "Authorization: Bearer $KEY"',
    "-H 'Content-Type: application/json'",
    `-H 'Accept: ${mediaType}'`,
    path === "optimizations" && "-H 'Prefer: wait=60'",
    `-d ${quoted(writeJson(request, 2))}`,
  ]
    .filter(Boolean)
    .join(" \\\n  ");
}

/** A text in single quotes, as POSIX shells read it. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
