import { announce, byId, element, fill } from "./dom.js";
import { t } from "./language.js";
import { USUAL_LIMITS } from "./presets.js";
import { reveal } from "./problems.js";
import { findSettings, fulfil, labelOf } from "./settingsearch.js";

/** Most settings of other cost models, modes or objectives that a search names. */
const MOST_ELSEWHERE = 8;

/** The drawer with all settings of the form: opened and closed, searched, and what was changed before all else. */
export class SettingsDrawer {
  /** @param {function} remember is called before something is taken back, so that this can be undone */
  constructor(form, remember) {
    Object.assign(this, { form, remember });
    this.toggle = byId("settings-toggle");
    this.search = byId("settings-search");
    this.list = byId("settings-changed").querySelector("ul");
    this.lines = new Map();
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k" && this.form.offsetParent !== null) {
        event.preventDefault();
        this.open(true, true);
      }
    });
    this.toggle.addEventListener("click", () => this.open(this.form.classList.contains("closed"), true));
    this.search.addEventListener("input", (event) => {
      event.stopPropagation();
      this.find();
    });
    this.search.addEventListener("change", (event) => event.stopPropagation());
    this.search.addEventListener("keydown", (event) => this.press(event));
    form.addEventListener("reveal", () => {
      this.open(true);
      this.clear();
    });
  }

  /** Says anew what was changed; what is searched for is searched among what belongs to the question now. */
  refresh() {
    const changed = changedSettings(this.form);
    this.toggle.textContent = changed.length === 0 ? t("settings.defaults") : t("settings.modified", { 1: changed.length });
    byId("settings-changed").hidden = changed.length === 0;
    // Lines stay where they are, for what is being clicked must not go away.
    this.lines = new Map(changed.map((setting) => [setting.control, this.lines.get(setting.control) ?? this.lineOf(setting)]));
    changed.forEach((setting) => this.lines.get(setting.control).show(setting));
    const nodes = [...this.lines.values()].map(({ node }) => node);
    if (nodes.some((node, index) => this.list.children[index] !== node) || nodes.length !== this.list.children.length) {
      this.list.replaceChildren(...nodes);
    }
    if (this.search.value.trim() !== "") {
      this.find();
    }
  }

  open(isOpen, isAsked = false) {
    this.form.classList.toggle("closed", !isOpen);
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen && isAsked) {
      this.search.focus();
    }
  }

  lineOf({ control, label }) {
    const value = element("span", { class: "changed-value" });
    const back = element("button", { type: "button", class: "quiet", on: { click: () => this.back(control) } }, t("settings.reset"), element("span", { class: "visually-hidden" }, ` ${label}`));
    const node = element("li", {}, element("button", { type: "button", class: "link", on: { click: () => reveal(control) } }, label), value, back);
    const show = (setting) => {
      value.textContent = setting.value;
      back.title = t("settings.reset_to", { A: setting.usual });
      back.dataset.usual = setting.usual;
    };
    return { node, back, label, show };
  }

  /** The focus goes to what stands there then, for it must not be lost. */
  back(control) {
    const { back, label } = this.lines.get(control);
    const at = [...this.lines.keys()].indexOf(control);
    this.remember();
    takeBack(control);
    const left = [...this.lines.values()];
    (left[Math.min(at, left.length - 1)]?.back ?? this.toggle).focus();
    announce(t("settings.is_reset", { a: label, b: back.dataset.usual }));
  }

  press(event) {
    if (event.key === "Escape") {
      this.clear();
    } else if (event.key === "Enter") {
      event.preventDefault();
      const [first] = this.found?.shown ?? [];
      if (first) {
        reveal(first);
      }
    }
  }

  clear() {
    this.search.value = "";
    this.find();
  }

  find() {
    const words = this.search.value.trim();
    this.found = findSettings(this.form, words);
    const { shown, elsewhere } = this.found;
    byId("settings-found").textContent = words === "" ? "" : shown.length === 0 ? t("settings.none_found") : t("settings.found", { 1: shown.length });
    fill(byId("settings-elsewhere"), words !== "" && elsewhere.length > 0 && this.otherwise(elsewhere));
  }

  otherwise(elsewhere) {
    return [
      element("p", { class: "hint", id: "elsewhere-heading" }, t("settings.settings_of_other_modes")),
      element(
        "ul",
        { "aria-labelledby": "elsewhere-heading" },
        elsewhere.slice(0, MOST_ELSEWHERE).map(({ control, label, where }) =>
          element("li", {}, element("button", { type: "button", class: "link", on: { click: () => (this.remember(), fulfil(this.form, control), reveal(control)) } }, label), ` ${where}`),
        ),
        elsewhere.length > MOST_ELSEWHERE && element("li", {}, t("settings.and_more", { 1: elsewhere.length - MOST_ELSEWHERE })),
      ),
    ];
  }
}

/** Of text that is longer its beginning is shown. */
const LONGEST = 40;

/** What a question is about: it has no usual value to go back to. */
const ASKED = [
  /^\/(model_id|model_config|devices|device_profiles|num_devices|cost_model|mode|quantization\/scheme)$/,
  /^\/(demand|pd_ratio\/(prefill|decode)_devices_per_instance)/,
  /^\/workload\/(input_length|output_length|length_distribution|output_distribution)/,
];

const LIMITS = new Map(Object.entries(USUAL_LIMITS).map(([name, value]) => [`/slo/${name}`, String(value)]));

/** The settings of a form that are not as usual, each with its label, its value and the usual one. */
function changedSettings(form) {
  return [...form.elements]
    .filter((control) => control.name?.startsWith("/") && !control.matches(":disabled") && !ASKED.some((pointer) => pointer.test(control.name)))
    .filter((control) => stateOf(control) !== usualOf(control))
    .map((control) => ({ control, label: labelOf(control), value: inWords(control, stateOf(control)), usual: inWords(control, usualOf(control)) }));
}

/** Sets a control to its usual value, as if somebody had done so. */
function takeBack(control) {
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
