import { costModelOf, showWhatBelongs } from "./belonging.js";
import { modelOf, unmeasuredDevices, vendorOf } from "./catalogue.js";
import { byId, element, fill } from "./dom.js";
import { t } from "./language.js";

const NAMES = { calibrated: t("figures.the_calibrated_model"), analytic: t("figures.the_roofline_model") };

const OF = { calibrated: t("figures.based_on_measured_kernels"), analytic: t("figures.covers_every_device_not") };

/** Weights of the roofline model for a checkpoint without quantization. */
const UNQUANTIZED = { linear: "DISABLED" };

const ASCEND = { vendor: "HUAWEI", backend: "vllm-ascend", scheme: "W8A8" };

/** Of more devices their number is said. */
const MOST_NAMED = 3;

/**
 * Whose figures answer: those that somebody asked for, as far as they exist. Where no kernels of a device were measured, or one
 * cost model has no price of the model, the other one answers, until that is no longer so.
 */
export class Figures {
  constructor(form) {
    this.form = form;
    // Before anything that follows from the choice.
    ["input", "change"].forEach((event) => form.addEventListener(event, ({ target }) => (this.asked = target.name === "/cost_model" ? target.value : this.asked), true));
    fill(
      byId("unmeasured-devices"),
      unmeasuredDevices().map((name) => element("li", {}, element("button", { type: "button", class: "quiet", on: { click: () => this.plan(name) } }, name))),
    );
  }

  /** Takes what a question asks for, whether there are such figures or not: the service says so. */
  accept({ cost_model: costModel = "analytic" }) {
    this.asked = costModel;
    this.modelId = this.model()?.id;
    this.key = this.about();
  }

  /** Chooses anew where the model or the devices are others, and says why. */
  consider() {
    const key = this.about();
    if (key !== this.key) {
      this.choose();
      this.bringEngine();
      this.key = this.about();
    }
    const costModel = costModelOf(this.form);
    const obstacle = costModel === "analytic" && this.ticked().length > 0 ? this.obstacle("calibrated") : null;
    const words = obstacle ? t("figures.because", { a: obstacle }) : OF[costModel];
    if (this.words !== words) {
      this.words = words;
      const why = byId("figures-why");
      fill(why, element("strong", {}, NAMES[costModel]), words);
      why.title = why.textContent;
    }
  }

  choose() {
    const other = this.asked === "calibrated" ? "analytic" : "calibrated";
    const chosen = this.obstacle(this.asked) && !this.obstacle(other) ? other : this.asked;
    if (chosen !== costModelOf(this.form)) {
      this.turnTo(chosen);
    }
  }

  /** Ascend devices have an engine and a weight format of their own; another model has the formats of its checkpoint. */
  bringEngine() {
    const ticked = this.ticked();
    const ascend = ticked.filter(({ value }) => vendorOf(value) === ASCEND.vendor).length;
    const backend = byId("backend");
    const scheme = byId("scheme");
    const isAscend = backend.value === ASCEND.backend;
    const isOther = ticked.length > 0 && costModelOf(this.form) === "calibrated" && ascend === (isAscend ? 0 : ticked.length);
    backend.value = isOther ? (isAscend ? backend.dataset.initial : ASCEND.backend) : backend.value;
    const model = this.model()?.id ?? this.modelId;
    if (isOther || model !== this.modelId) {
      scheme.value = backend.value === ASCEND.backend ? ASCEND.scheme : "";
    }
    if (model !== this.modelId) {
      byId("kv-cache").value = "";
      bringWeights(ascend > 0 ? {} : this.model().checkpoint_quantization ?? UNQUANTIZED);
    }
    this.modelId = model;
  }

  /** Plans for a device without measured kernels, in place of those that are ticked. */
  plan(name) {
    const choices = [...byId("device-choices").querySelectorAll("input")];
    choices.forEach((choice) => (choice.checked = choice.value === name));
    this.turnTo("analytic");
    const chosen = choices.find((choice) => choice.value === name);
    chosen.dispatchEvent(new Event("change", { bubbles: true }));
    chosen.focus();
  }

  turnTo(costModel) {
    this.form.elements["/cost_model"].value = costModel;
    showWhatBelongs(this.form);
  }

  about() {
    return JSON.stringify([this.model()?.id, this.ticked().map(({ value }) => value)]);
  }

  ticked() {
    return [...byId("device-choices").querySelectorAll("input:checked")].filter((choice) => !choice.matches(":disabled"));
  }

  model() {
    const configuration = byId("model-config").value.trim();
    return modelOf({ model_id: byId("model-id").value.trim(), model_config: configuration === "" ? undefined : configuration }).model;
  }

  /** Why a cost model has no figures of the question; nothing where it has. */
  obstacle(costModel) {
    const unmeasured = costModel === "calibrated" ? this.ticked().filter((choice) => choice.closest("[data-cost-model]")) : [];
    if (unmeasured.length > 0) {
      const names = unmeasured.map(({ value }) => value);
      return t("figures.calibrated_model_has_no", { a: names.length > MOST_NAMED ? t("figures.devices_count", { 1: names.length }) : names.join(", ") });
    }
    const model = this.model();
    const pricing = model?.pricing?.find(({ cost_model: name }) => name === costModel);
    return pricing?.outcome === "refused" ? `${costModel === "calibrated" ? t("figures.calibrated_model_does_not") : t("figures.roofline_model_does_not")} ${model.id}` : null;
  }
}

/** Selects weights of the roofline model; its defaults where there are none. */
function bringWeights({ linear, non_expert_linear: others, mxfp4_group_size: group }) {
  const groupSize = byId("group-size");
  selectOnly(byId("linear"), linear);
  selectOnly(byId("non-expert-linear"), others);
  groupSize.value = group ?? groupSize.dataset.default;
  byId("checkpoint").checked = false;
}

function selectOnly({ options, dataset }, value = dataset.default) {
  [...options].forEach((option) => (option.selected = option.value === value));
}
