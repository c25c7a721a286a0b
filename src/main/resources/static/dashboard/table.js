import { warningMark } from "./card.js";
import { copy, element, fill } from "./dom.js";
import { explained } from "./glossary.js";
import { inLanguage, t } from "./language.js";

/** Rows that are listed before somebody asks for all. */
const LISTED = 20;

/** Fewer rows are seen at a glance: nobody needs to sort or filter them. */
const SORTED = 5;

const DIRECTIONS = ["ascending", "descending"];

const NUMBER = /^[^\d\p{L}+-]*([+-]?[\d,]*\.?\d+)/u;

/**
 * A table of figures that scrolls sideways where it does not fit. Rows with warnings have a mark that opens them. A longer
 * one can be sorted by a column, filtered by words and copied into a spreadsheet; its first rows are listed, and all when
 * asked, as on paper.
 *
 * @param {{title: string, text: function, className?: string}[]} columns a column of words has the class "words", one of
 *   buttons "action"
 * @param {function} [highlighted] whether a row is to stand out
 * @param {number} [listed] rows that are listed at first
 */
export function table(caption, columns, rows, highlighted = () => false, listed = LISTED) {
  return new Listing(caption, columns, rows, highlighted, listed).node;
}

class Listing {
  constructor(caption, columns, rows, highlighted, listed) {
    Object.assign(this, { columns, highlighted, listed });
    this.lines = rows.map((row, index) => ({ row, index }));
    this.sorted = { column: 0, direction: null };
    this.words = [];
    const isLong = rows.length >= SORTED;
    this.heads = columns.map(({ title, className }, column) =>
      element("th", { scope: "col", class: className, title: explained(title) }, isLong && className !== "action" ? this.sorter(title, column) : title),
    );
    this.body = element("tbody");
    this.more = element("p", { class: "more-rows" });
    this.node = element(
      "div",
      { class: "table", tabindex: "0", role: "region", "aria-label": caption },
      isLong && this.tools(),
      element(
        "table",
        {},
        element("caption", {}, element("span", {}, caption)),
        element("thead", {}, element("tr", {}, this.heads)),
        this.body,
      ),
      this.more,
    );
    this.node.addEventListener("allrows", () => this.listAll());
    this.list();
  }

  /** A heading that sorts: upwards, downwards, and as the rows came. */
  sorter(title, column) {
    const sort = () => this.sortBy(column);
    return typeof title === "string"
      ? element("button", { type: "button", class: "sort", on: { click: sort } }, title)
      : [title, element("button", { type: "button", class: "sort", "aria-label": t("table.sort"), on: { click: sort } })];
  }

  tools() {
    const filter = ({ target }) => {
      this.words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.list();
    };
    const button = element(
      "button",
      { type: "button", class: "quiet", title: t("table.copy_all_rows_for"), "aria-label": t("table.copy_table"), on: { click: () => copy(this.separatedByTabs(), button) } },
      t("common.copy"),
    );
    return element(
      "div",
      { class: "table-tools" },
      element("input", { type: "search", placeholder: t("table.filter"), "aria-label": t("table.filter_rows"), on: { input: filter } }),
      button,
    );
  }

  sortBy(column) {
    const next = this.sorted.column === column ? DIRECTIONS.indexOf(this.sorted.direction) + 1 : 0;
    this.sorted = { column, direction: DIRECTIONS[next] ?? null };
    this.heads.forEach((head, index) => {
      if (index === column && this.sorted.direction) {
        head.setAttribute("aria-sort", this.sorted.direction);
      } else {
        head.removeAttribute("aria-sort");
      }
    });
    this.list();
  }

  listAll() {
    this.listed = Infinity;
    this.list();
  }

  list() {
    const lines = this.inOrder(this.lines.filter((line) => this.holdsWords(line)));
    fill(this.body, lines.slice(0, this.listed).map((line) => this.lineNode(line)));
    const leftOut = lines.length - this.listed;
    this.more.hidden = leftOut <= 0 && lines.length === this.lines.length;
    fill(
      this.more,
      leftOut > 0
        ? element("button", { type: "button", on: { click: () => this.listAll() } }, t("table.all_rows", { 1: lines.length }))
        : t("table.of_rows_match", { 1: lines.length, 2: this.lines.length }),
    );
  }

  inOrder(lines) {
    const { column, direction } = this.sorted;
    if (!direction) {
      return lines;
    }
    const sign = direction === "ascending" ? 1 : -1;
    const isOfWords = this.columns[column].className === "words";
    const keyed = lines.map((line) => ({ line, key: isOfWords ? this.texts(line)[column] : numberOf(this.texts(line)[column]) }));
    // Cells without a figure come last in both directions.
    const compared = (one, other) =>
      isOfWords
        ? sign * one.localeCompare(other)
        : Number.isNaN(one) || Number.isNaN(other)
          ? Number.isNaN(one) - Number.isNaN(other)
          : sign * (one - other);
    return keyed.sort((one, other) => compared(one.key, other.key)).map(({ line }) => line);
  }

  holdsWords(line) {
    return this.words.length === 0 || this.words.every((word) => this.texts(line).join(" ").toLowerCase().includes(word));
  }

  texts(line) {
    line.texts ??= this.columns.map(({ text }) => inLanguage(element("td", {}, text(line.row, line.index))).textContent);
    return line.texts;
  }

  lineNode(line) {
    line.node ??= element(
      "tr",
      { class: this.highlighted(line.row) ? "best" : null },
      this.columns.map(({ text, className }, column) =>
        element("td", { class: className }, text(line.row, line.index), column === 0 && warningMark(line.row)),
      ),
    );
    return line.node;
  }

  separatedByTabs() {
    const titles = this.heads.map((head) => head.textContent);
    const lines = this.inOrder(this.lines.filter((line) => this.holdsWords(line))).map((line) => this.texts(line));
    const isFigure = (_, column) => this.columns[column].className !== "action";
    return [titles, ...lines]
      .map((cells) => cells.filter(isFigure).map((cell) => cell.replace(/\s+/g, " ").trim()).join("\t"))
      .join("\n");
  }
}

/** The figure that a cell begins with; NaN where it holds none. */
function numberOf(text) {
  return Number(NUMBER.exec(text)?.[1].replaceAll(",", "") ?? NaN);
}

// Paper has no buttons.
addEventListener("beforeprint", () => {
  document.querySelectorAll(".table").forEach((node) => node.dispatchEvent(new Event("allrows")));
});
