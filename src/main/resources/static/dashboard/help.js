import { element, fill, scrolling } from "./dom.js";
import { LANGUAGE, t } from "./language.js";

/** The glossary is in English only. */
const PAGES = LANGUAGE === "en" ? ["first-plan.md", "glossary.md"] : [`first-plan.${LANGUAGE}.md`];

/** Shows the first tutorial of the docs, in the language of the page, and the glossary. */
export async function showHelp(view, signal) {
  const pages = await Promise.all(PAGES.map((page) => fetch(new URL(`../help/${page}`, import.meta.url), { signal })));
  const texts = await Promise.all(pages.filter((page) => page.ok).map((page) => page.text()));
  fill(
    view,
    texts.length > 0
      ? element("div", { class: "help" }, texts.flatMap(markdown))
      : element("p", { class: "notice" }, t("help.this_service_does_not")),
  );
}

const FENCE = /^```/;
const HEADING = /^(#{1,3}) (.+)$/;
const ITEM = /^(?:- |(\d+)\. )(.*)$/;
const WRAPPED = /^ +\S/;
const ROW = /^\|(.+)\|$/;
const RULE = /^\|[\s|:-]+\|$/;
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/;

/** The nodes of a page of our docs: headings, paragraphs, lists, tables and blocks of code, no markup of its own. */
export function markdown(text) {
  const lines = text.split("\n");
  const nodes = [];
  while (lines.length > 0) {
    const node = block(lines);
    if (node) {
      nodes.push(node);
    }
  }
  return nodes;
}

function block(lines) {
  const [line] = lines;
  const heading = HEADING.exec(line);
  if (heading) {
    lines.shift();
    return element(`h${heading[1].length}`, {}, inline(heading[2]));
  }
  if (FENCE.test(line)) {
    lines.shift();
    const code = taken(lines, (next) => !FENCE.test(next));
    lines.shift();
    return element("pre", { class: "curl", tabindex: "0" }, code.join("\n"));
  }
  if (ROW.test(line)) {
    return table(taken(lines, (next) => ROW.test(next)));
  }
  if (ITEM.test(line)) {
    const items = taken(lines, (next) => ITEM.test(next) || WRAPPED.test(next)).join("\n").replaceAll(/\n +/g, " ").split("\n");
    return element(ITEM.exec(line)[1] ? "ol" : "ul", {}, items.map((item) => element("li", {}, inline(ITEM.exec(item)[2]))));
  }
  const words = taken(lines, (next) => next.trim() !== "" && ![FENCE, HEADING, ROW, ITEM].some((form) => form.test(next)));
  if (words.length === 0) {
    lines.shift();
    return null;
  }
  return element("p", {}, inline(words.join(" ")));
}

/** Takes the lines away that something holds of, from the first on. */
function taken(lines, holds) {
  const end = lines.findIndex((line) => !holds(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function table(rows) {
  const cells = (row) => ROW.exec(row)[1].split("|").map((cell) => cell.trim());
  const [head, ...body] = rows.filter((row) => !RULE.test(row));
  const columns = cells(head).map((cell) => element("th", { scope: "col", class: "words" }, inline(cell)));
  const lines = body.map((row) => element("tr", {}, cells(row).map((cell) => element("td", { class: "words" }, inline(cell)))));
  return scrolling("table", t("markdown.table", { A: cells(head).join(", ") }), null, columns, lines);
}

/** Code, strong and emphasized words, and the words of links: other pages of the docs do not come with the service. */
function inline(text) {
  const found = INLINE.exec(text);
  if (!found) {
    return [text];
  }
  const [whole, code, strong, stressed, link] = found;
  const [name, words] = Object.entries({ code, strong, em: stressed }).find(([, words]) => words !== undefined) ?? [];
  const node = name ? element(name, {}, words) : link;
  return [text.slice(0, found.index), node, ...inline(text.slice(found.index + whole.length))];
}
