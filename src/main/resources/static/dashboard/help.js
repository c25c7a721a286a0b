import { element, fill } from "./dom.js";
import { LANGUAGE, t } from "./language.js";
import { markdown } from "./markdown.js";

/** The glossary is in English only. */
const PAGES = LANGUAGE === "en" ? ["first-plan.md", "glossary.md"] : [`first-plan.${LANGUAGE}.md`];

/** Shows the first tutorial of the docs, in the language of the page, and the glossary. */
export async function showHelp(view, signal) {
  document.title = `${t("common.help")} – throughput-optimizer`;
  const pages = await Promise.all(PAGES.map((page) => fetch(new URL(`../help/${page}`, import.meta.url), { signal })));
  const texts = await Promise.all(pages.filter((page) => page.ok).map((page) => page.text()));
  fill(
    view,
    texts.length > 0
      ? element("div", { class: "help" }, texts.flatMap(markdown))
      : element("p", { class: "notice" }, t("help.this_service_does_not")),
  );
}
