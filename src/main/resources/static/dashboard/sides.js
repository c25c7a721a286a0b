import { element } from "./dom.js";
import { termsOf, titleOf } from "./words.js";

/**
 * A table with a column a job.
 *
 * @param {{title: *, cells: Array}[]} lines
 * @param {boolean} [withTerms] whether the jobs' terms stand below their titles
 */
export function sideBySide(caption, states, lines, withTerms = false) {
  const head = states.map((state, index) =>
    element(
      "th",
      { scope: "col" },
      `${index + 1}: `,
      element("a", { href: `#/jobs/${state.id}` }, titleOf(state.request)),
      withTerms && element("small", {}, termsOf(state.request)),
    ),
  );
  return element(
    "div",
    { class: "table sides", tabindex: "0", role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, element("span", {}, caption)),
      element("thead", {}, element("tr", {}, element("td", {}), head)),
      element(
        "tbody",
        {},
        lines.map(({ title, cells }) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, title),
            cells.map((cell) => element("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}
