import { keysOf, t } from "./language.js";

const TERMS = [...new Set(keysOf("glossary").map((key) => key.split(".")[1]))];

/** Terms of the page and their meanings. Tooltips, the help and docs/reference/glossary.md use the same text. */
export const GLOSSARY = Object.fromEntries(TERMS.map((term) => [t(`glossary.${term}.term`), t(`glossary.${term}.meaning`)]));

/** The meaning of a heading, by the words before its unit: "TTFT (ms)". Null for one that explains itself. */
export function explained(heading) {
  return typeof heading === "string" ? (GLOSSARY[heading.replace(/ \(.*\)$/, "")] ?? null) : null;
}
