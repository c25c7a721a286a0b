import { t } from "./language.js";
import { USUAL_LIMITS } from "./presets.js";
import { labelOf } from "./settingsearch.js";

/** Of text that is longer its beginning is shown. */
const LONGEST = 40;

/** What a question is about: it has no usual value to go back to. */
const ASKED = [
  /^\/(model_id|model_config|devices|device_profiles|num_devices|cost_model|mode)$/,
  /^\/(demand|pd_ratio\/(prefill|decode)_devices_per_instance)/,
  /^\/workload\/(input_length|output_length|length_distribution|output_distribution)/,
];

const LIMITS = new Map(Object.entries(USUAL_LIMITS).map(([name, value]) => [`/slo/${name}`, String(value)]));

/** The settings of a form that are not as usual, each with its label, its value and the usual one. */
export function changedSettings(form) {
  return [...form.elements]
    .filter((control) => control.name?.startsWith("/") && !control.matches(":disabled") && !ASKED.some((pointer) => pointer.test(control.name)))
    .filter((control) => stateOf(control) !== usualOf(control))
    .map((control) => ({ control, label: labelOf(control), value: inWords(control, stateOf(control)), usual: inWords(control, usualOf(control)) }));
}

/** Sets a control to its usual value, as if somebody had done so. */
export function takeBack(control) {
  const usual = usualOf(control);
  if (control.type === "checkbox") {
    control.checked = usual === "true";
  } else if (control.multiple) {
    [...control.options].forEach((option) => (option.selected = usual.split(", ").includes(option.value)));
  } else {
    control.value = usual;
  }
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

function stateOf(control) {
  if (control.type === "checkbox") {
    return String(control.checked);
  }
  const text = control.multiple ? [...control.selectedOptions].map(({ value }) => value).join(", ") : control.value.trim();
  return text === "" ? (control.dataset.default ?? "") : text;
}

function usualOf(control) {
  return control.type === "checkbox" ? "false" : (LIMITS.get(control.name) ?? control.dataset.default ?? control.dataset.initial ?? "");
}

function inWords(control, state) {
  if (control.type === "checkbox") {
    return state === "true" ? t("common.yes") : t("common.no");
  }
  if (control.tagName === "SELECT" && !control.multiple) {
    return [...control.options].find(({ value }) => value === state)?.textContent ?? state;
  }
  const text = state === "" ? control.placeholder || t("common.nothing") : state;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
