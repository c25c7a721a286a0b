import { element, fill, freshId } from "./dom.js";
import { layout, percent, whole } from "./format.js";
import { table } from "./table.js";

const DECODING = [
  { title: "Output tokens", text: (part) => whole(part.num_output_tokens) },
  { title: "Context halfway", text: (part) => whole(part.context_tokens) },
];

/** Which lengths make up the mixed batch of a row. */
export function compositionSection(phase) {
  const id = freshId("composition");
  const detail = element("div", {});
  const show = (row) => fill(detail, compositionTable(row), leftOut(row));
  const select = element(
    "select",
    { id, on: { change: () => show(phase.rows[select.selectedIndex]) } },
    phase.rows.map((row) => element("option", {}, `${layout(row.parallel)}, batch ${row.batch_size}`)),
  );
  show(phase.rows[0]);
  return element(
    "section",
    { class: "card" },
    element("h3", {}, "What the batch is made of"),
    element("p", { class: "picker" }, element("label", { for: id }, "Layout"), " ", select),
    detail,
  );
}

function compositionTable(row) {
  const most = Math.max(...row.composition.map((part) => part.samples));
  const decodes = row.composition.some((part) => part.num_output_tokens !== undefined);
  return table(
    `${whole(row.samples)} requests at once, by ${decodes ? "input and output" : "input"} length`,
    [
      { title: "Input tokens", text: (part) => whole(part.num_input_tokens) },
      ...(decodes ? DECODING : [{ title: "Not in the prefix cache", text: (part) => whole(part.query_len) }]),
      { title: decodes ? "Share of the batch" : "Share of traffic", text: (part) => percent(100 * part.request_ratio, 1) },
      { title: "Requests", text: (part) => whole(part.samples) },
      { title: "In proportion", text: (part) => bar(part.samples / most), className: "words bar-cell" },
    ],
    row.composition,
  );
}

/** That the figures do not speak of all requests; empty where they do. */
function leftOut(row) {
  return row.omitted_ratio === undefined
    ? []
    : element(
        "p",
        { class: "hint left-out" },
        `This batch is too small for every input length: ${percent(100 * row.omitted_ratio, 2)} of the traffic is not in it, `,
        "and its figures leave that out.",
      );
}

function bar(share) {
  const node = element("span", { class: "inline-bar", "aria-hidden": "true" });
  node.style.width = `${100 * share}%`;
  return node;
}
