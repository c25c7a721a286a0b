import { element, saveFile, tool } from "./dom.js";
import { decimals, whole } from "./format.js";
import { t } from "./language.js";
import { labelOfAxis, valueInWords } from "./sweeplabels.js";

/** As many as there are classes of fields, from the faintest to the one that stands out most. */
const SHADES = 8;

/** Larger figures are read without their fractions. */
const WITHOUT_FRACTION = 1000;

/** What shades of tables that are compared go by; its span is not finite where they have no figure. */
export function scaleOf(tables) {
  const figures = tables.flatMap(({ fields }) => fields.flat().map((field) => field.value)).filter((figure) => typeof figure === "number");
  const least = figures.reduce((one, other) => Math.min(one, other), Infinity);
  return { least, span: figures.reduce((one, other) => Math.max(one, other), -Infinity) - least };
}

/**
 * A figure over two axes: the larger the more it stands out, and each field a button that opens its cell.
 *
 * @param {Object} table as the service answers it
 * @param {function(number)} open is given the number of a cell
 * @param {{scale: Object, title: string, byColumn: boolean}} among others that are drawn by the same scale, and what it is told from them by
 */
export function heatMap(table, open, { scale = scaleOf([table]), title, byColumn = false } = {}) {
  const { value, row_label: down, column_label: right, rows, columns, fields } = table;
  const scales = byColumn ? columns.map((_, column) => scaleOf([{ fields: fields.map((line) => [line[column]]) }])) : columns.map(() => scale);
  const told = title === undefined ? "" : `${title}, `;
  const shade = (figure, { least, span }) => (span > 0 ? Math.min(SHADES - 1, Math.floor(((figure - least) / span) * SHADES)) : 0);
  const field = ({ cell, value: figure }, row, column) =>
    element(
      "td",
      { class: typeof figure === "number" ? `heat-${shade(figure, scales[column])}` : "heat-none" },
      element(
        "button",
        {
          type: "button",
          "aria-label": t("heatmap.cell", { a: `${told}${labelOfAxis(down)} ${valueInWords(rows[row])}, ${labelOfAxis(right)} ${valueInWords(columns[column])}: ${said(figure)}` }),
          on: { click: () => open(cell) },
        },
        said(figure),
      ),
    );
  return element(
    "div",
    { class: "table heat-map", tabindex: "0", role: "region", "aria-label": t("heatmap.table", { a: `${told}${labelOfAxis(value)}`, b: labelOfAxis(down), c: labelOfAxis(right) }) },
    element(
      "table",
      {},
      element("caption", {}, element("span", {}, title ?? labelOfAxis(value)), element("span", { class: "card-tools" }, tool("PNG", ({ target }) => savePicture(target.closest("table"))), tool("CSV", () => saveTable(table)))),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "col" }, `${labelOfAxis(down)} \\ ${labelOfAxis(right)}`),
          columns.map((column) => element("th", { scope: "col" }, valueInWords(column))),
        ),
      ),
      element(
        "tbody",
        {},
        fields.map((line, row) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, valueInWords(rows[row])),
            line.map((one, column) => field(one, row, column)),
          ),
        ),
      ),
    ),
  );
}

/** Saves the cells of a table as a picture, with the colors that they have on the page. */
function savePicture(table) {
  const frame = table.getBoundingClientRect();
  const paper = document.createElement("canvas");
  [paper.width, paper.height] = [2 * frame.width, 2 * frame.height];
  const context = paper.getContext("2d");
  context.scale(2, 2);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, frame.width, frame.height);
  context.textBaseline = "middle";
  table.querySelectorAll("caption span:first-child, th, td").forEach((cell) => {
    const { left, top, width, height } = cell.getBoundingClientRect();
    const { backgroundColor, color, font, textAlign, paddingLeft, paddingRight } = getComputedStyle(cell);
    context.fillStyle = backgroundColor;
    context.fillRect(left - frame.left, top - frame.top, width, height);
    Object.assign(context, { fillStyle: color, font, textAlign: textAlign === "right" || textAlign === "center" ? textAlign : "left" });
    const at = { left: parseFloat(paddingLeft), center: width / 2, right: width - parseFloat(paddingRight) }[context.textAlign];
    context.fillText(cell.textContent, left - frame.left + at, top - frame.top + height / 2);
  });
  paper.toBlob((blob) => saveFile(blob, "sweep.png"));
}

function saveTable({ row_label: down, column_label: right, rows, columns, fields }) {
  const quoted = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const lines = [[`${down} \\ ${right}`, ...columns], ...fields.map((line, row) => [rows[row], ...line.map(({ value }) => value)])];
  saveFile(new Blob([lines.map((line) => line.map(quoted).join(",")).join("\n")], { type: "text/csv" }), "sweep.csv");
}

/** A figure as fields have it. */
export function said(figure) {
  if (figure === undefined || figure === null) {
    return "–";
  }
  if (typeof figure !== "number") {
    return String(figure);
  }
  return Number.isInteger(figure) || Math.abs(figure) >= WITHOUT_FRACTION ? whole(Math.round(figure)) : decimals(figure, 2);
}
