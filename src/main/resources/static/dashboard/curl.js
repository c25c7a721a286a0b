import { urlOf } from "./api.js";
import { copy, element, freshId } from "./dom.js";
import { writeJson } from "./infinite.js";
import { hasKey } from "./key.js";
import { t } from "./language.js";

const FORMATS = [
  { name: t("curl.text_table"), mediaType: "text/plain" },
  { name: "JSON", mediaType: "application/json" },
  { name: "CSV", mediaType: "text/csv" },
];

/** The command line that asks a question, with a choice of what to get back and a button that copies it. */
export class CurlPanel {
  /**
   * @param {Object} [request] the question; none yet if left out
   * @param {string} [path] where it goes
   */
  constructor(request, path = "optimizations") {
    this.path = path;
    const id = freshId("curl-format");
    this.select = element(
      "select",
      { id, on: { change: () => this.refresh() } },
      FORMATS.map(({ name }) => element("option", {}, name)),
    );
    this.command = element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": t("curl.curl_command_for", { a: path }) });
    const copyIt = (event) => copy(this.command.textContent, event.target);
    this.node = element(
      "div",
      {},
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: id }, t("curl.response_format")),
        this.select,
        element("button", { type: "button", class: "quiet", on: { click: copyIt } }, t("common.copy")),
      ),
      this.command,
    );
    this.show(request);
  }

  /** Shows the command line of a question, or none. */
  show(request) {
    this.request = request;
    this.refresh();
  }

  refresh() {
    this.command.textContent = this.request ? curlOf(this.path, this.request, FORMATS[this.select.selectedIndex].mediaType) : "";
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
