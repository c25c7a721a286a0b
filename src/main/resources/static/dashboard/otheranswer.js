import { askBeside, ProblemError, submitAndWait } from "./api.js";
import { loadDevices } from "./catalogue.js";
import { element, fill } from "./dom.js";
import { t } from "./language.js";
import { mostInWords, ranksByTokens } from "./othermode.js";
import { askedOtherwise } from "./othermodel.js";
import { isCalibrated } from "./words.js";

/** What the other cost model says to the same question: in a line, and side by side when somebody asks; or why it cannot say. */
export function otherAnswer(state, signal) {
  const paragraph = element("p", { class: "hint other-model", "aria-live": "polite" });
  loadDevices()
    .then(() => show(paragraph, state, signal))
    .catch((error) => {
      if (!signal.aborted) {
        throw error;
      }
    });
  return paragraph;
}

async function show(paragraph, { id, request, result }, signal) {
  const { request: asked, changes, obstacle } = askedOtherwise(request);
  if (obstacle) {
    fill(paragraph, obstacle);
    return;
  }
  const ask = async ({ target }) => {
    target.disabled = true;
    try {
      const answer = await submitAndWait(asked);
      location.hash = answer.result ? `/compare/${id},${answer.id}` : `/jobs/${answer.id}`;
    } finally {
      target.disabled = false;
    }
  };
  // It comes late, and must not move the button from under a pointer.
  const said = element("span", {});
  fill(
    paragraph,
    element("button", { type: "button", on: { click: ask } }, isCalibrated(request) ? t("otheranswer.compare_with_roofline") : t("otheranswer.compare_with_calibrated")),
    ` ${t("otheranswer.same_request_with_other", { A: changes.join(", ") })}`,
    " ",
    said,
  );
  if (ranksByTokens(request) && request.mode !== "capacity") {
    await say(said, { request, result }, asked, signal);
  }
}

/** Searches of which nothing is kept are small: of others, and of what is refused, nothing is said. */
async function say(place, { request, result }, asked, signal) {
  try {
    const answer = await askBeside(asked, signal);
    if (answer.result) {
      fill(place, isCalibrated(request) ? `${t("otheranswer.roofline_model")} ` : `${t("otheranswer.calibrated_model")} `, element("strong", {}, mostInWords(answer.result, result)), ".");
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
  }
}
