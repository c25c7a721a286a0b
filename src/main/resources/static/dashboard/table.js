import { element } from "./dom.js";

/**
 * A table of figures that scrolls sideways where it does not fit.
 *
 * @param {string} caption
 * @param {{title: string, text: function, className?: string}[]} columns a column of words has the class "words"
 * @param {Object[]} rows
 * @param {function} [highlighted] whether a row is to stand out
 */
export function table(caption, columns, rows, highlighted = () => false) {
  return element(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, element("span", {}, caption)),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          columns.map(({ title, className }) => element("th", { scope: "col", class: className }, title)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map((row, index) =>
          element(
            "tr",
            { class: highlighted(row) ? "best" : null },
            columns.map(({ text, className }) => element("td", { class: className }, text(row, index))),
          ),
        ),
      ),
    ),
  );
}
