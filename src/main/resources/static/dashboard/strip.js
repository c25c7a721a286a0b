import { answerOf, askBeside } from "./api.js";
import { byId, element, fill, pause } from "./dom.js";
import { plain } from "./format.js";
import { t } from "./language.js";
import { mostInWords, ranksByTokens } from "./othermode.js";
import { reveal } from "./problems.js";
import { labelOf } from "./settingsearch.js";

/** Values that are offered for a number, by its setting. */
const USUAL = {
  "/num_devices": [1, 2, 4, 8, 16, 32, 64],
  "/workload/input_length": [512, 1024, 2048, 4096, 8192, 32768],
  "/workload/output_length": [128, 256, 512, 1024, 2048, 4096],
  "/slo/ttft_ms": [500, 1000, 2000, 5000],
  "/slo/tpot_ms": [20, 30, 50, 100],
};
const PERCENTILES = [90, 95, 99];

/** Steps of a slider, equal ratios apart. */
const STEPS = 200;

/** Pause after the last change before percentiles are searched. */
const PAUSE_MILLIS = 700;

/**
 * Editor of the part of the sentence that was clicked: usual values as buttons, and a slider for a number. Every change goes
 * through the form's own control, which stays the only place of the value.
 */
export class EditStrip {
  /** @param {function} question returns the question that the form asks, or undefined */
  constructor(form, question) {
    Object.assign(this, { form, question });
    this.node = byId("strip");
    this.node.addEventListener("keydown", (event) => {
      const isEntered = event.key === "Enter" && event.target.matches("input:not([type=checkbox], [type=range])");
      if (isEntered) {
        event.preventDefault(); // the question is not saved by it
      }
      if (event.key === "Escape" || (isEntered && event.target.getAttribute("aria-expanded") !== "true")) {
        event.target.blur();
        this.close(true);
      }
    });
    // The strip's own controls are no settings.
    ["input", "change"].forEach((kind) => this.node.addEventListener(kind, (event) => !event.target.name?.startsWith("/") && event.stopPropagation()));
  }

  /**
   * Opens the editor of a control; a control that it has no editor for is shown among all settings.
   *
   * @param {string} key what the part of the sentence leads to
   */
  open(key, control) {
    const build = this.builderOf(control);
    if (!build || this.key === key) {
      this.close(this.key === key);
      if (!build) {
        reveal(control);
      }
      return;
    }
    this.close();
    this.key = key;
    this.control = control;
    this.node.setAttribute("aria-label", labelOf(control));
    fill(this.node, build(control), element("button", { type: "button", class: "quiet close", "aria-label": t("strip.close"), on: { click: () => this.close(true) } }, "×"));
    this.node.hidden = false;
    this.mark();
    const first = this.node.querySelector("input:not([type=range]), button");
    first.focus();
    first.select?.();
  }

  /** Shows what the form holds now, after any change. */
  refresh() {
    if (this.key !== undefined) {
      this.node.querySelectorAll("[data-update]").forEach((part) => part.dispatchEvent(new Event("update")));
      this.mark();
    }
  }

  close(toPart = false) {
    this.leaving?.abort();
    this.back?.();
    this.back = undefined;
    const part = this.partOf(this.key);
    this.key = undefined;
    this.node.hidden = true;
    fill(this.node);
    this.mark();
    if (toPart) {
      (part ?? byId("settings-toggle")).focus();
    }
  }

  mark() {
    for (const part of byId("plan-words").querySelectorAll(".part")) {
      part.setAttribute("aria-expanded", String(part.dataset.opens === this.key));
    }
  }

  partOf(key) {
    return [...byId("plan-words").querySelectorAll(".part")].find(({ dataset }) => dataset.opens === key);
  }

  builderOf(control) {
    if (control.id === "model-id") {
      return (field) => this.moved(field);
    }
    if (control.name === "/devices") {
      return () => this.devices();
    }
    if (control.type === "radio") {
      return () => this.choices(labelOf(control), this.alike(control).map((one) => [one.closest("label").querySelector("strong")?.textContent ?? one.value, () => one.checked, () => one.click()]));
    }
    if (control.tagName === "SELECT" && !control.multiple) {
      const options = () => [...control.options].filter(({ disabled }) => !disabled);
      return () => this.choices(labelOf(control), options().map((option) => [option.textContent, () => option.selected, () => set(control, option.value, "change")]));
    }
    return control.dataset.kind === "number" || control.dataset.kind === "count" ? () => this.number(control) : null;
  }

  /** The field itself, for as long as the strip is open. */
  moved(control) {
    const field = control.closest(".field");
    const place = document.createComment("");
    field.before(place);
    this.back = () => place.replaceWith(field);
    return field;
  }

  /** One device, or several where they are compared, and the number of devices. */
  devices() {
    const all = this.alike(byId("plan").querySelector("#devices input"));
    const several = element("input", { type: "checkbox" });
    several.checked = all.filter(({ checked }) => checked).length > 1;
    const choose = (one) => {
      all.forEach((other) => (other.checked = other === one ? !several.checked || !one.checked : several.checked && other.checked));
      one.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const count = byId("num-devices");
    return [
      this.choices(t("form.accelerators"), all.map((one) => [one.value, () => one.checked, () => choose(one)])),
      element("label", {}, several, ` ${t("strip.several")}`),
      !count.matches(":disabled") && count.closest("[hidden]") === null && element("span", { class: "of" }, this.number(count)),
    ];
  }

  /** Controls of the same name that the form asks for now. */
  alike({ name }) {
    return [...this.form.querySelectorAll(`[name="${CSS.escape(name)}"]`)].filter((one) => !one.matches(":disabled") && !one.closest("#plan [data-cost-model][hidden]"));
  }

  choices(label, offered) {
    return [element("strong", {}, label), ...offered.map((one) => chip(...one))];
  }

  number(control) {
    const usual = USUAL[control.name] ?? [];
    const text = element("input", { type: "text", inputmode: control.inputMode, size: 7, "aria-label": labelOf(control), "data-update": "" });
    text.value = control.value;
    text.addEventListener("input", () => set(control, text.value, "input"));
    text.addEventListener("change", () => set(control, text.value, "change"));
    text.addEventListener("update", () => document.activeElement !== text && (text.value = control.value));
    const isLimit = control.name.startsWith("/slo/");
    return [
      element("strong", {}, labelOf(control)),
      usual.length > 0 && slider(control, usual),
      text,
      ...usual.map((value) => chip(plain(value), () => Number(control.value) === value, () => set(control, String(value), "change"))),
      isLimit && chip(t("common.no_target"), () => control.value === "", () => set(control, "", "change")),
      isLimit && this.percentiles(),
    ];
  }

  /** Whether a limit is on the mean or on a percentile, and what the percentile would leave. */
  percentiles() {
    const control = byId("slo-percentile");
    if (control.matches(":disabled")) {
      return null;
    }
    const left = element("span", { class: "hint", role: "status", "data-update": "" });
    const show = () => this.showLeft(left);
    left.addEventListener("update", show);
    show();
    return element(
      "span",
      { class: "of" },
      chip(t("strip.mean"), () => control.value === "", () => set(control, "", "change")),
      ...PERCENTILES.map((one) => chip(`p${one}`, () => Number(control.value) === one, () => set(control, String(one), "change"))),
      left,
    );
  }

  async showLeft(node) {
    this.leaving?.abort();
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    const request = this.question();
    node.textContent = "";
    if (!request || !ranksByTokens(request) || request.mode === "capacity") {
      return;
    }
    const question = { ...request, slo: { ...request.slo, percentile: 95 } };
    const answer = await answerOf(pause(PAUSE_MILLIS, signal).then(() => askBeside(question, signal)));
    node.textContent = answer?.result ? t("strip.would_leave", { 1: 95, A: mostInWords(answer.result) }) : "";
  }
}

function chip(words, isOn, choose) {
  const node = element("button", { type: "button", class: "chip", "data-update": "", on: { click: choose } }, words);
  const show = () => node.setAttribute("aria-pressed", String(isOn()));
  node.addEventListener("update", show);
  show();
  return node;
}

/** A slider over the usual values and half and twice beyond them, by factors. */
function slider(control, usual) {
  const [low, high] = [Math.log(usual[0] / 2), Math.log(2 * usual.at(-1))];
  const node = element("input", { type: "range", min: 0, max: STEPS, "aria-label": labelOf(control), "data-update": "" });
  const at = () => (STEPS * (Math.log(Number(control.value) || usual.at(-1)) - low)) / (high - low);
  node.value = at();
  node.addEventListener("update", () => document.activeElement !== node && (node.value = at()));
  node.addEventListener("input", () => set(control, String(rounded(Math.exp(low + (node.value / STEPS) * (high - low)))), "input"));
  return node;
}

/** Two significant digits, and no fractions: a slider promises no more. */
function rounded(value) {
  return Math.max(1, Math.round(Number(value.toPrecision(2))));
}

function set(control, value, kind) {
  control.value = value;
  control.dispatchEvent(new Event(kind, { bubbles: true }));
}
