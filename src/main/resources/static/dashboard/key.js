import { element } from "./dom.js";
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
 * @param {string} reason why the service refused the call
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

function ask(reason) {
  return new Promise((resolve) => {
    const input = element("input", {
      id: "key",
      type: "password",
      autocomplete: "off",
      spellcheck: "false",
      required: true,
      "aria-describedby": "key-reason key-hint",
    });
    const done = (given) => {
      declined = !given;
      dialog.remove();
      resolve(given);
    };
    const take = (event) => {
      event.preventDefault();
      key = input.value.trim();
      done(true);
    };
    const dialog = element(
      "dialog",
      { class: "card asked", "aria-labelledby": "key-title", on: { cancel: () => done(false) } },
      element(
        "form",
        { on: { submit: take } },
        element("h2", { id: "key-title" }, t("key.api_key_required")),
        element("p", { id: "key-reason" }, reason),
        element(
          "div",
          { class: "field" },
          element("label", { for: "key" }, t("key.api_key")),
          input,
          element("p", { class: "hint", id: "key-hint" }, t("key.key_kept_in_this")),
        ),
        element(
          "p",
          { class: "actions" },
          element("button", { class: "primary" }, t("key.use_key")),
          " ",
          element("button", { type: "button", class: "quiet", on: { click: () => done(false) } }, t("common.cancel")),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
