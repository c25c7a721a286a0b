import { questionOf } from "./commandline.js";
import { announce, byId, element, fill } from "./dom.js";
import { t } from "./language.js";

/** Fills the question in from a command line of the reference, and says what of it has no place. */
export function connectCommandBox(showRequest) {
  const remark = byId("command-remark");
  byId("command-take").addEventListener("click", () => {
    const { request, leftOut } = questionOf(byId("command-line").value);
    fill(remark);
    if (request.model_id === undefined) {
      fill(remark, element("p", {}, t("commandbox.command_line_must_start")));
      return;
    }
    showRequest(request);
    fill(
      remark,
      leftOut.length > 0 && element("ul", {}, leftOut.map(({ flag, reason }) => element("li", {}, element("code", {}, flag), ` ${reason}`))),
    );
    announce(t("commandbox.flags_imported"));
  });
}
