import { element, fill, freshId } from "./dom.js";
import { layout, percent, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

const DECODING = [
  { title: t("common.output_tokens"), text: (part) => whole(part.num_output_tokens) },
  { title: t("composition.mean_context"), text: (part) => whole(part.context_tokens) },
];

/** Which lengths make up the mixed batch of a row. */
export function compositionSection(phase) {
  const id = freshId("composition");
  const detail = element("div", {});
  const show = (row) => fill(detail, compositionTable(row), leftOut(row));
  const select = element(
    "select",
    { id, on: { change: () => show(phase.rows[select.selectedIndex]) } },
    phase.rows.map((row) => element("option", {}, t("common.batch_size_count", { a: layout(row.parallel), 1: row.batch_size }))),
  );
  show(phase.rows[0]);
  return element(
    "section",
    { class: "card" },
    element("h3", {}, t("composition.batch_composition")),
    element("p", { class: "picker" }, element("label", { for: id }, t("common.layout")), " ", select),
    detail,
  );
}

function compositionTable(row) {
  const most = Math.max(...row.composition.map((part) => part.samples));
  const decodes = row.composition.some((part) => part.num_output_tokens !== undefined);
  return table(
    t("composition.concurrent_requests_by_length", { 1: whole(row.samples), a: decodes ? t("composition.input_and_output") : t("composition.input") }),
    [
      { title: t("common.input_tokens"), text: (part) => whole(part.num_input_tokens) },
      ...(decodes ? DECODING : [{ title: t("composition.uncached_tokens"), text: (part) => whole(part.query_len) }]),
      { title: decodes ? t("composition.share_of_the_batch") : t("composition.share_of_traffic"), text: (part) => percent(100 * part.request_ratio, 1) },
      { title: t("common.requests"), text: (part) => whole(part.samples) },
      { title: t("composition.share_chart"), text: (part) => bar(part.samples / most), className: "words bar-cell" },
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
        `${t("composition.this_batch_too_small", { 1: percent(100 * row.omitted_ratio, 2) })} `,
        t("composition.and_its_results_exclude"),
      );
}

function bar(share) {
  const node = element("span", { class: "inline-bar", "aria-hidden": "true" });
  node.style.width = `${100 * share}%`;
  return node;
}
