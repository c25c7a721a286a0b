import { modal } from "./confirm.js";
import { element, field } from "./dom.js";
import { t } from "./language.js";

/** The reader's key: kept by this tab until it is closed or loaded anew, and nowhere else. */
let key = null;

/** The question that is open, so that calls which are refused together ask once. */
let question = null;

/** Whether the reader has none to give: asked again on the next page. */
let declined = false;

window.addEventListener("hashchange", () => (declined = false));

/** Headers of a call. */
export function authorization() {
  return key === null ? {} : { Authorization: `Bearer ${key}` };
}

export function hasKey() {
  return key !== null;
}

/**
 * Asks the reader for a key.
 *
 * @param {Object} refused headers of that call
 * @returns {Promise<boolean>} whether there is a key to try now
 */
export function askForKey(reason, refused) {
  if (refused.Authorization !== authorization().Authorization) {
    return Promise.resolve(true);
  }
  if (declined) {
    return Promise.resolve(false);
  }
  question ??= ask(reason).finally(() => (question = null));
  return question;
}

async function ask(reason) {
  const input = element("input", { id: "key", type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const isGiven = await modal({}, t("key.api_key_required"), (answer) => {
    const take = (event) => {
      event.preventDefault();
      key = input.value.trim();
      answer(true);
    };
    return element(
      "form",
      { on: { submit: take } },
      element("p", { id: "asked-text" }, reason),
      field(t("key.api_key"), input, { hint: t("key.key_kept_in_this") }),
      element(
        "p",
        { class: "actions" },
        element("button", { class: "primary" }, t("key.use_key")),
        " ",
        element("button", { type: "button", class: "quiet", on: { click: () => answer(false) } }, t("common.cancel")),
      ),
    );
  });
  declined = !isGiven;
  return isGiven;
}
