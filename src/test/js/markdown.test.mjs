import "./page.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { markdown } from "../../main/resources/static/dashboard/help.js";

/** A node as text: its name, and its children in parentheses. */
function shown(node) {
  return typeof node === "string" ? node : `${node.name}(${node.children.map(shown).join("")})`;
}

test("renders wrapped items with strong words, stress and code", () => {
  assert.deepEqual(markdown("- **TTFT**: time to\n  the *first* token\n- `n`\n\nEnd.").map(shown), [
    "ul(li(strong(TTFT): time to the em(first) token)li(code(n)))",
    "p(End.)",
  ]);
});

test("renders the pages of the help", () => {
  for (const page of ["tutorials/first-plan.md", "tutorials/first-plan.zh.md", "reference/glossary.md"]) {
    const text = markdown(readFileSync(`docs/${page}`, "utf8")).map(shown).join("\n").replaceAll(/pre\(.*?\n\)/gs, "");
    assert.match(text, /^h1\(/);
    assert.doesNotMatch(text, /\*\*|^p\(- |\]\(/m);
  }
});
