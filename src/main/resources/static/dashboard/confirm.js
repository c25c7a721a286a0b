import { element } from "./dom.js";
import { t } from "./language.js";

/**
 * Asks the reader before something that cannot be undone; keeping things as they are is the answer that has the focus.
 *
 * @param {{title: string, consequences: string, action: string}} question what is asked, what follows, and the button that
 *     says so
 * @returns {Promise<boolean>} whether to do it
 */
export function confirmed({ title, consequences, action }) {
  return modal({ role: "alertdialog" }, title, (answer) => [
    element("p", { id: "asked-text" }, consequences),
    element(
      "p",
      { class: "actions" },
      element("button", { type: "button", autofocus: true, on: { click: () => answer(false) } }, t("common.cancel")),
      element("button", { type: "button", class: "danger", on: { click: () => answer(true) } }, action),
    ),
  ]);
}

/**
 * Asks something in a dialog; leaving it or its page answers false.
 *
 * @param {function} contentOf makes the content of what takes the answer
 * @returns {Promise<boolean>}
 */
export function modal(attributes, title, contentOf) {
  return new Promise((resolve) => {
    const answer = (given) => {
      dialog.close(); // which gives the focus back
      dialog.remove();
      resolve(given);
    };
    const dialog = element(
      "dialog",
      { class: "card asked", "aria-labelledby": "asked-title", "aria-describedby": "asked-text", ...attributes, on: { cancel: () => answer(false) } },
      element("h2", { id: "asked-title" }, title),
      contentOf(answer),
    );
    document.body.append(dialog);
    window.addEventListener("hashchange", () => answer(false), { once: true });
    dialog.showModal();
  });
}

/** A button that deletes something once the reader says so. */
export function deleteButton(question, act, attributes = {}) {
  const click = async () => (await confirmed(question)) && act();
  return element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", ...attributes, on: { click } }, t("common.delete"));
}
