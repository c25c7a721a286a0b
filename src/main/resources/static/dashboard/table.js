import { element, fill } from "./dom.js";
import { warningMark } from "./warnings.js";

/** Pairs that are listed before somebody asks for all. */
const LISTED = 12;

/**
 * A table of figures that scrolls sideways where it does not fit. Rows with warnings have a mark that opens them.
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
            columns.map(({ text, className }, column) =>
              element("td", { class: className }, text(row, index), column === 0 && warningMark(row)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A ranking of pairs: the first ones, and all when asked. The best stands out. */
export function pairRanking(caption, columns, rows) {
  const listed = element("div", {});
  const list = (some) => fill(listed, table(caption, columns, some, (row) => row.rank === 1));
  const all = () => {
    list(rows);
    more.remove();
  };
  const more = element("p", {}, element("button", { type: "button", on: { click: all } }, `All ${rows.length} pairs`));
  list(rows.slice(0, LISTED));
  return element("div", {}, listed, rows.length > LISTED && more);
}
