import { assumed, assumedOfAll } from "./assumptions.js";
import { memoryParts } from "./bars.js";
import { element } from "./dom.js";
import { decimals, layout } from "./format.js";
import { explained } from "./glossary.js";
import { t } from "./language.js";
import { warningList } from "./warnings.js";

/**
 * The card of the best answer.
 *
 * @param {Array} words the answer in a sentence
 * @param {Array} figures what to know of it, each a `figure`
 * @param {Object} best its row, for its warnings
 * @param {Object} device the kind that it is for, for what it assumes
 * @param {...*} notes what stands below
 */
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

/** One figure of the card. */
export function figure(name, value, remark) {
  return element("div", {}, element("dt", { title: explained(name) }, name), element("dd", {}, value, remark && element("small", {}, remark)));
}
