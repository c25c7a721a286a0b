import { element, fill } from "./dom.js";
import { LANGUAGE, t } from "./language.js";
import { markdown } from "./markdown.js";

const PAGE = LANGUAGE === "en" ? "start.md" : `start.${LANGUAGE}.md`;

/** Shows docs/start.md, in the language of the page: one screen for each of those who use the page, and what its words mean. */
export async function showHelp(view, signal) {
  document.title = `${t("common.help")} – throughput-optimizer`;
  const page = await fetch(new URL(`../help/${PAGE}`, import.meta.url), { signal });
  fill(
    view,
    page.ok ? element("div", { class: "help" }, markdown(await page.text())) : element("p", { class: "notice" }, t("help.this_service_does_not")),
  );
}
