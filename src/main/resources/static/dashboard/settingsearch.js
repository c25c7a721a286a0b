import { neededFor } from "./belonging.js";
import { GLOSSARY } from "./glossary.js";
import { t } from "./language.js";

/** What one looks for as one: a field with its label and hint. */
const UNIT = "#devices, #distribution-bins, #outputs-bins, label.check, .choices, .field, fieldset.bare";

const ALTERNATIVES = {
  "/cost_model": { analytic: t("settingsearch.with_the_roofline_model"), calibrated: t("common.with_the_calibrated_model") },
  "/mode": { aggregation: t("settingsearch.mode_aggregated"), disaggregation: t("settingsearch.mode_single_phase"), pd_ratio: t("settingsearch.mode_disaggregated"), capacity: t("settingsearch.mode_capacity") },
  "/objective/name": { tokens_per_s_per_user: t("settingsearch.ranked_by_tokens_s"), cost_per_million_tokens: t("settingsearch.ranked_by_cost") },
  "length-kind": { mixed: t("settingsearch.with_mixed_input_lengths"), fixed: t("settingsearch.with_one_input_length"), turns: t("settingsearch.with_multi_turn_conversations") },
  "output-kind": { mixed: t("settingsearch.with_mixed_output_lengths"), fixed: t("settingsearch.with_one_output_length") },
  "per-device": { true: t("settingsearch.with_engine_per_device"), false: t("settingsearch.with_one_engine") },
};

/**
 * Shows the settings that have all of some words in their label, hint, wire name, choices, headings or in what the glossary says
 * of them, and hides the others; all of them where there are no words.
 *
 * @returns {{shown: Element[], elsewhere: Object[]}} the controls that are shown, one a setting, and those that other questions have,
 *     with what they need
 */
export function findSettings(form, text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const fields = form.querySelector(".plan-fields");
  fields.classList.toggle("searching", words.length > 0);
  fields.querySelectorAll(".found, .holds").forEach((part) => part.classList.remove("found", "holds"));
  const matching = words.length === 0 ? [] : settingsOf(form).filter(({ control }) => words.every((word) => saidOf(control).includes(word)));
  const shown = matching.filter(({ control }) => isOffered(control));
  shown.forEach(({ unit }) => mark(unit, fields));
  unfold(fields, words.length > 0);
  const offered = new Set(shown.map(({ label }) => label));
  return {
    shown: [...new Map(shown.map(({ unit, control }) => [unit, control])).values()],
    elsewhere: matching.filter(({ control, label }) => !isOffered(control) && !offered.has(label)).map((setting) => ({ ...setting, where: whereOf(form, setting.control) })),
  };
}

function mark(unit, fields) {
  unit.classList.add("found");
  for (let part = unit.parentElement; part !== fields; part = part.parentElement) {
    part.classList.add("holds");
  }
}

/** Chooses what a control needs, so that it is asked for. */
export function fulfil(form, control) {
  for (const [name, value] of missing(form, control)) {
    const other = form.elements[name];
    if (typeof value === "boolean") {
      other.checked = value;
    } else {
      other.value = value.split(" ")[0];
    }
    (other instanceof RadioNodeList ? form.querySelector(`[name="${CSS.escape(name)}"]:checked`) : other).dispatchEvent(new Event("change", { bubbles: true }));
  }
}

export function labelOf(control) {
  if (control.name === "/devices") {
    return control.value;
  }
  const group = control.type === "radio" ? control.closest("fieldset")?.querySelector(":scope > legend") : null;
  return (group ?? control.labels?.[0])?.textContent.trim() ?? "";
}

function settingsOf(form) {
  return [...form.querySelectorAll(".plan-fields :is(input, select, textarea)")]
    .filter((control) => control.id !== "settings-search" && control.labels?.length > 0 && control.closest(UNIT))
    .map((control) => ({ control, unit: control.closest(UNIT), label: labelOf(control) }));
}

/** All words that a setting is found by; they are gathered once, for nobody rewrites a form. */
const said = new WeakMap();

function saidOf(control) {
  if (!said.has(control)) {
    said.set(control, wordsOf(control));
  }
  return said.get(control);
}

function wordsOf(control) {
  const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => !id.startsWith("fault-")).map((id) => document.getElementById(id)?.textContent);
  const wire = control.name.slice(1).replaceAll("/", ".");
  const label = [...control.labels].map((one) => one.textContent).join(" ");
  const choices = control.tagName === "SELECT" ? [...control.options].map((option) => option.textContent) : [];
  const own = [label, labelOf(control), ...described, ...choices, ...headingsOf(control), control.dataset.words].filter(Boolean).join(" ");
  const explained = Object.entries(GLOSSARY).filter(([word]) => new RegExp(`\\b${word}\\b`).test(label));
  return [own, wire, wire.replaceAll("_", " "), ...explained.flat()].join(" ").replace(/\s+/g, " ").toLowerCase();
}

function headingsOf(control) {
  const headings = [];
  for (let part = control.parentElement; part; part = part.parentElement) {
    const heading = part.querySelector(":scope > legend, :scope > summary");
    if (heading) {
      headings.push(heading.firstChild.textContent);
    }
  }
  return headings;
}

function isOffered(control) {
  return !control.matches(":disabled") && !control.closest("#plan [hidden]");
}

/** What is folded opens for what is found in it, and folds again afterwards. */
function unfold(fields, isSearching) {
  for (const part of fields.querySelectorAll("details")) {
    const holds = part.querySelector(".found") !== null;
    if (isSearching && holds && !part.open) {
      part.open = true;
      part.dataset.opened = "";
    } else if (!(isSearching && holds) && "opened" in part.dataset) {
      part.open = false;
      delete part.dataset.opened;
    }
  }
}

function missing(form, control) {
  return neededFor(control).filter(([name, value]) => {
    const other = form.elements[name];
    return typeof value === "boolean" ? other.checked !== value : !value.split(" ").includes(other.value);
  });
}

function whereOf(form, control) {
  return missing(form, control)
    .map(([name, value]) => ALTERNATIVES[name]?.[typeof value === "boolean" ? value : value.split(" ")[0]])
    .filter(Boolean)
    .join(", ");
}
