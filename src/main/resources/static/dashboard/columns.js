import { pageColumns } from "./api.js";
import { figureCell, flagsCell, isMeasuredRow } from "./bands.js";
import { decimals, layout, percent, whole } from "./format.js";

/** The columns of tables by name, as the service says them: its reports show the same figures. */
let tables;

/** Kinds of column that are read rather than compared. */
const WORDS = ["text", "layout", "devices", "flags"];

const CELLS = {
  text: (row, { member }) => row[member],
  count: (row, { member }) => whole(row[member]),
  figure: (row, { member, digits, ends }) => (ends ? figureCell(row, member, digits) : decimals(row[member], digits)),
  share: (row, { member }) => percent(100 * row[member]),
  layout: (row, { member }) => layout(row[member]),
  instances: (row) => (row.prefill_instances ? `${row.prefill_instances} : ${row.decode_instances}` : "–"),
  devices: (row, { member }) => `${row[member.replace("device", "num_devices")]} × ${row[member]}`,
  flags: flagsCell,
};

/** Before a view is shown that has such tables. */
export async function loadColumns() {
  tables ??= await pageColumns();
}

/**
 * The columns of a table in their order, but for those of what no row has.
 *
 * @param {Object} [madeUp] columns that the page makes up, by name: one, several, or false for none
 */
export function columnsOf(name, rows, madeUp = {}) {
  const measured = rows.some(isMeasuredRow);
  return tables[name]
    .flatMap((column) => (column.kind === "made_up" ? madeUp[column.member] : isShown(column, rows, measured) && columnOf(column, measured)))
    .filter(Boolean);
}

export function figuresOf(name) {
  return tables[name];
}

function isShown({ member, analytic }, rows, measured) {
  return rows.some((row) => row[member] !== undefined) && !(analytic && measured);
}

/** Figures of measured kernels have ends, and fewer digits. */
function columnOf(column, measured) {
  const said = measured && column.ends ? { ...column, digits: 1 } : column;
  return { title: column.title, text: (row) => CELLS[column.kind](row, said), className: WORDS.includes(column.kind) ? "words" : undefined };
}
