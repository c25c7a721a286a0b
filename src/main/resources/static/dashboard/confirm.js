import { element, freshId } from "./dom.js";
import { t } from "./language.js";

/**
 * Asks the reader before something that cannot be undone; keeping things as they are is the answer that has the focus.
 *
 * @param {{title: string, consequences: string, action: string}} question what is asked, what follows, and the button that
 *     says so
 * @returns {Promise<boolean>} whether to do it
 */
export function confirmed({ title, consequences, action }) {
  return new Promise((resolve) => {
    const heading = freshId("asked");
    const text = freshId("consequences");
    const answer = (given) => () => {
      dialog.close(); // which gives the focus back
      dialog.remove();
      resolve(given);
    };
    const keep = element("button", { type: "button", autofocus: true, on: { click: answer(false) } }, t("common.cancel"));
    const dialog = element(
      "dialog",
      { class: "card asked", role: "alertdialog", "aria-labelledby": heading, "aria-describedby": text, on: { cancel: answer(false) } },
      element("h2", { id: heading }, title),
      element("p", { id: text }, consequences),
      element("p", { class: "actions" }, keep, element("button", { type: "button", class: "danger", on: { click: answer(true) } }, action)),
    );
    document.body.append(dialog);
    window.addEventListener("hashchange", answer(false), { once: true }); // the page it was asked on is left
    dialog.showModal();
  });
}
