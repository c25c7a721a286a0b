import { assumed, assumedOfAll } from "./assumptions.js";
import { element } from "./dom.js";
import { explained } from "./glossary.js";
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

/** One figure of the card. */
export function figure(name, value, remark) {
  return element("div", {}, element("dt", { title: explained(name) }, name), element("dd", {}, value, remark && element("small", {}, remark)));
}
