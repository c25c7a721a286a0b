import { element } from "./dom.js";
import { t } from "./language.js";

/** What to know before relying on a row: of its own, or of the instances that it is made of. */
export function warningsOf({ warnings = [], instances }) {
  const ofInstances = Array.isArray(instances) ? instances.flatMap(({ load }) => load?.warnings ?? []) : [];
  return [...new Set([...warnings, ...ofInstances])];
}

/** Warnings of the best row, for its card; nothing where it has none. */
export function warningList(row) {
  const warnings = warningsOf(row);
  return warnings.length > 0 && element("ul", { class: "warnings" }, warnings.map(sentence));
}

/** Tells that a row of a table has warnings, and opens them. */
export function warningMark(row) {
  const warnings = warningsOf(row);
  return (
    warnings.length > 0 &&
    element(
      "details",
      { class: "warned" },
      element("summary", { title: warnings.join("; ") }, element("span", { "aria-hidden": "true" }, "⚠"), element("span", { class: "visually-hidden" }, t("warnings.warnings"))),
      element("ul", { class: "warnings" }, warnings.map(sentence)),
    )
  );
}

function sentence(warning) {
  return element("li", {}, `${warning[0].toUpperCase()}${warning.slice(1)}.`);
}
