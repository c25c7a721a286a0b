import { about } from "./api.js";
import { caveatNotices } from "./assumptions.js";
import { picturesOf } from "./chartpanel.js";
import { loadColumns } from "./columns.js";
import { element } from "./dom.js";
import { writeJson } from "./infinite.js";
import { inLanguage, said, t } from "./language.js";
import { meaningCard } from "./meaning.js";
import { askedInWords, nameText } from "./naming.js";
import { wholeResult } from "./results.js";
import { nameOf } from "./words.js";

/** What is filled in when it is opened, and so is empty here. */
const ASKED_WHEN_OPENED = ".launch, .contexts, .measure, .simulation, .beyond-means[aria-busy]";

/** Nothing in the file may ask for anything, or run. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * An answer as one HTML file that needs nothing else: as it is printed, with every table whole and every chart as a picture.
 *
 * @param {Object} job with its request and its result, probes included
 * @param {string} [script] what starts the best row
 */
export async function report(job, script) {
  await loadColumns();
  const drawing = new AbortController();
  try {
    const page = contentOf(job, script, (await about()).version, drawing.signal);
    page.querySelectorAll(".table").forEach((table) => table.dispatchEvent(new Event("allrows")));
    const panels = [...page.querySelectorAll(".chart-card")];
    const pictures = await Promise.all(panels.map(picturesOf));
    const paper = document.implementation.createHTMLDocument(); // nothing is loaded there
    paper.body.append(page);
    panels.forEach((panel, index) => panel.replaceWith(...pictures[index].map((picture) => figureOf(picture, paper))));
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    toPaper(page, hiddenOnPaper(rules));
    return new Blob([fileOf(nameOf(job), inLanguage(page), styleOf(rules))], { type: "text/html" });
  } finally {
    drawing.abort();
  }
}

function contentOf(job, script, made, signal) {
  const { request } = job;
  return element(
    "main",
    {},
    element(
      "header",
      { class: "job-heading" },
      element("p", {}, "throughput-optimizer"),
      element("h1", {}, nameText(job)),
      element("p", { class: "lead" }, askedInWords(job)),
      caveatNotices(job),
    ),
    meaningCard(job, made),
    wholeResult(job, signal),
    script && element("section", { class: "card" }, element("h2", {}, t("common.launch_on_serving_engine")), element("pre", { class: "curl" }, script)),
    element("section", { class: "card" }, element("h2", {}, t("common.request")), element("pre", { class: "curl" }, writeJson(request, 2))),
  );
}

function figureOf({ title, source, legend, note }, paper) {
  const figure = paper.adoptNode(element("section", { class: "card chart-card" }, element("h3", {}, title), legend, element("p", { class: "hint" }, note)));
  const picture = paper.createElement("img");
  picture.alt = said(title);
  picture.src = source;
  figure.firstChild.after(picture);
  return figure;
}

/** Takes away what paper does not show, and what could only be clicked. */
function toPaper(page, hidden) {
  page.querySelectorAll(ASKED_WHEN_OPENED).forEach((node) => node.remove());
  page.querySelectorAll("details").forEach((details) => (details.open = true));
  hidden.forEach((selector) => page.querySelectorAll(selector).forEach((node) => node.remove()));
  page.querySelectorAll("a, button, details:not(:has(> :not(summary)))").forEach((node) => node.replaceWith(...node.childNodes));
  page.querySelectorAll("[tabindex]").forEach((node) => node.removeAttribute("tabindex"));
}

/** What the print style sheet hides. */
function hiddenOnPaper(rules) {
  return rules.flatMap((rule) => {
    const inner = innerOf(rule);
    if (inner) {
      return rule.media.mediaText === "print" ? inner.filter(({ style }) => style?.display === "none").map(({ selectorText }) => selectorText) : hiddenOnPaper(inner);
    }
    return [];
  });
}

/** All rules as one sheet that looks on a screen as the page does on paper. */
function styleOf(rules) {
  return rules
    .map((rule) => {
      const inner = innerOf(rule);
      const media = inner && rule.media.mediaText;
      if (!inner || media.includes("dark")) {
        return inner ? "" : rule.cssText;
      }
      return ["", "print"].includes(media) ? styleOf(inner) : `@media ${media} {\n${styleOf(inner)}\n}`;
    })
    .join("\n");
}

/** The rules within one for some media; nothing for other rules. */
function innerOf({ media, styleSheet, cssRules }) {
  return media && [...(styleSheet?.cssRules ?? cssRules)];
}

function fileOf(title, page, style) {
  const written = (node) => new XMLSerializer().serializeToString(node);
  return [
    "<!DOCTYPE html>",
    `<html lang="${document.documentElement.lang}">`,
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    written(inLanguage(element("title", {}, title))),
    `<style>\n${style}\n</style>`,
    "</head>",
    '<body class="report">',
    written(page),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
