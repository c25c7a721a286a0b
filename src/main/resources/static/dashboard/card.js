import { memoryParts } from "./bars.js";
import { element } from "./dom.js";
import { decimals, layout } from "./format.js";
import { explained } from "./glossary.js";
import { t } from "./language.js";
import { devicesAsked, TEST_DEVICE } from "./words.js";

/** The card of the best answer. */
export function heroCard(words, figures, best, device, ...notes) {
  return element(
    "div",
    { class: "card hero" },
    element("p", { class: "best-words" }, words),
    element("dl", { class: "figures" }, figures),
    warningList(best),
    assumed(device),
    notes,
  );
}

/** In its place where nothing keeps the limits, which may be kept by what the kinds of device are not assumed to be. */
export function noAnswerCard(words, devices, ...notes) {
  return element("div", { class: "card hero none" }, element("p", { class: "best-words" }, words), notes, assumedOfAll(devices));
}

/** What a device lacks where one request does not fit, in the layout that comes nearest; nothing where memory is not the reason. */
export function shortageOf(rejected) {
  const nearest = rejected.filter(({ memory }) => memory).toSorted((one, other) => excess(one) - excess(other))[0];
  return (
    nearest && [
      element("p", {}, t("card.nearest_fitting_in_memory", { a: layout(nearest.parallel), b: partsInWords(nearest.memory) })),
      nearest.memory.seen_gib !== undefined && memoryParts(layout(nearest.parallel), nearest.memory),
    ]
  );
}

function excess({ memory: { needed_gb: needed, total_gb: total } }) {
  return needed / total;
}

function partsInWords({ total_gb: total, needed_gb: needed, weight_gb: weights, engine_gb: engine, request_gb: request }) {
  const [all, sum, ...parts] = [total, needed, weights, engine, request].map((size) => t("common.gib", { 1: decimals(size, 1) }));
  return weights > total
    ? t("card.weights_need_device_has", { a: parts[0], b: all })
    : t("card.device_needs_and_has", { a: sum, b: all, c: parts[0], d: parts[1], e: parts[2] });
}

export function figure(name, value, remark) {
  return element("div", {}, element("dt", { title: explained(name) }, name), element("dd", {}, value, remark && element("small", {}, remark)));
}

/** What to know of kinds of device before trusting figures on them, each once; what is made up is said anyway. */
function caveats(result) {
  const said = (result?.devices ?? []).flatMap(({ assumptions }) => assumptions ?? []).filter(({ about }) => about === "device");
  return [...new Set(said.map(({ text }) => text))].filter((text) => !text.startsWith(TEST_DEVICE));
}

/** What stands below the heading of a job for that. */
export function caveatNotices({ request, result }) {
  return [
    devicesAsked(request)?.includes(TEST_DEVICE) &&
      element("p", { class: "notice" }, t("assumptions.fictional_device_for_tests", { a: TEST_DEVICE })),
    caveats(result).map((text) => element("p", { class: "notice" }, `${text}.`)),
  ];
}

/** What the answer about a kind of device assumes, for its card; the heading says what to know of the devices. */
export function assumed(device) {
  const all = (device?.assumptions ?? []).filter(({ about }) => about !== "device");
  const plain = all.filter(({ engine_default: other }) => other === undefined);
  const otherwise = all.filter(({ engine_default: other }) => other !== undefined);
  return (
    all.length > 0 &&
    element(
      "div",
      { class: "assumed" },
      plain.length > 0 && element("p", { class: "hint" }, t("assumptions.assumes", { A: plain.map(({ text }) => text).join("; ") })),
      otherwise.map(({ text }) => element("p", {}, t("assumptions.assumes", { A: text }))),
    )
  );
}

/** The same about several kinds, those alike together. */
function assumedOfAll(devices) {
  const alike = [...Map.groupBy(devices, ({ assumptions }) => JSON.stringify(assumptions ?? [])).values()];
  return alike.map((group) => {
    const said = assumed(group[0]);
    return said && [alike.length > 1 && element("p", {}, `${group.map(({ device }) => device).join(", ")}:`), said];
  });
}

/** What to know before relying on a row: of its own, or of the instances that it is made of. */
function warningsOf({ warnings = [], instances }) {
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
