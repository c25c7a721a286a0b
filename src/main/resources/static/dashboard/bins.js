import { t } from "./language.js";

const MEMBERS = ["min_tokens", "max_tokens", "weight"];

/**
 * Reads the bins of a length distribution as people paste them: JSON, or YAML whose list `bins` has one mapping a bin, in
 * block or flow style.
 *
 * @throws {Error} that says which line or bin is not understood
 */
export function parseBins(text) {
  const trimmed = text.trim();
  const bins = /^[[{]/.test(trimmed) ? jsonBins(trimmed) : yamlBins(trimmed);
  if (bins.length === 0) {
    throw new Error(t("bins.no_bins_found"));
  }
  bins.forEach(checkMembers);
  return bins;
}

function jsonBins(text) {
  const document = JSON.parse(text);
  const bins = Array.isArray(document) ? document : document.bins;
  if (!Array.isArray(bins)) {
    throw new Error(t("bins.enter_list_or_object"));
  }
  return bins;
}

function yamlBins(text) {
  const bins = [];
  text.split("\n").forEach((line, index) => {
    const content = line.replace(/(^|\s)#.*$/, "").trim();
    if (content !== "" && content !== "---" && content !== "bins:") {
      readLine(bins, content, index + 1);
    }
  });
  return bins;
}

function readLine(bins, content, lineNumber) {
  const item = /^-\s*(.*)$/.exec(content);
  if (item) {
    bins.push({});
  }
  const pairs = (item ? item[1] : content).replace(/^\{(.*)\}$/, "$1").split(",");
  for (const pair of pairs.map((part) => part.trim()).filter((part) => part !== "")) {
    const member = /^["']?(\w+)["']?\s*:\s*(\S+)$/.exec(pair);
    const bin = bins.at(-1);
    if (!member || !bin) {
      throw new Error(t("bins.line_must_be_min", { 1: lineNumber, A: content }));
    }
    bin[member[1]] = Number(member[2]);
  }
}

function checkMembers(bin, index) {
  const missing = MEMBERS.filter((member) => typeof bin?.[member] !== "number" || Number.isNaN(bin[member]));
  const unknown = Object.keys(bin ?? {}).filter((member) => !MEMBERS.includes(member));
  if (missing.length > 0) {
    throw new Error(t("bins.bin_is_required", { 1: index + 1, a: missing.join(", ") }));
  }
  if (unknown.length > 0) {
    throw new Error(t("bins.bin_unknown_field", { 1: index + 1, a: unknown.join(", ") }));
  }
}
