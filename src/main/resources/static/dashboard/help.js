import { element, fill } from "./dom.js";
import { markdown } from "./markdown.js";

/** Shows docs/start.md: one screen for each of those who use the page, and what its words mean. */
export async function showHelp(view, signal) {
  document.title = "Help – throughput-optimizer";
  const page = await fetch(new URL("../help/start.md", import.meta.url), { signal });
  fill(
    view,
    page.ok ? element("div", { class: "help" }, markdown(await page.text())) : element("p", { class: "notice" }, "The help is not part of this service: see docs/start.md."),
  );
}
