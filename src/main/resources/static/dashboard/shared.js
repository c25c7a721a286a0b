import { shared } from "./api.js";
import { element, entitle, fill } from "./dom.js";
import { exportsOfLink, meaningCard } from "./downloads.js";
import { moment } from "./format.js";
import { t } from "./language.js";
import { serversOf } from "./launch.js";
import { planCards } from "./plancards.js";
import { termsOf, titleOf } from "./words.js";

/** What a link shows to whoever has it: one optimization, with nothing to do but to read and to export it. */
export async function showShared(view, signal, token) {
  const { optimization, expires_at: end, version } = await shared(token, signal);
  const { request, launch } = optimization;
  const cards = planCards(optimization, { signal });
  if (launch) {
    cards.lastChild.append(element("section", { class: "card" }, element("h3", {}, t("common.launch_on_serving_engine")), commands(t("common.launch_on_serving_engine"), serversOf(launch.script)), element("details", {}, element("summary", {}, t("launch.whole_script")), commands(t("launch.whole_script"), launch.script))));
  }
  entitle(titleOf(request));
  fill(
    view,
    element("header", { class: "job-heading" }, element("h1", { tabindex: "-1" }, titleOf(request)), element("p", { class: "lead" }, termsOf(request))),
    meaningCard(optimization, version, t("shared.this_link_expires", { a: moment(end) })),
    element("div", { class: "results" }, cards),
    exportsOfLink(token, optimization),
  );
}

function commands(label, text) {
  return element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": label }, text);
}
