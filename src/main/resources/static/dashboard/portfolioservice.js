import { answerOf, job } from "./api.js";
import { element, field, fill, freshId, select } from "./dom.js";
import { FieldError } from "./fields.js";
import { moment } from "./format.js";
import { readJson, writeJson } from "./infinite.js";
import { t } from "./language.js";
import { numberInWords } from "./numberwords.js";
import { ofDevice, termsOf, titleOf } from "./words.js";

const HOURS = 24;
const UNITS = [
  ["requests_per_s", t("common.requests_s")],
  ["tokens_per_s", t("common.output_tokens_s")],
  ["concurrency", t("common.concurrent_requests_inline")],
];
const NUMBERS = [
  ["weight", t("portfolioservice.priority"), "1", t("portfolioservice.weight_if_demand_exceeds")],
  ["min_replicas", t("portfolioservice.min_replicas"), "0", t("portfolioservice.running_at_all_hours")],
  ["may_refuse", t("portfolioservice.rejectable_share"), "0", t("portfolioservice.share_each_hours_demand")],
];

/** One service of a portfolio, whose controls are named by the pointers of their members. */
export class ServiceFields {
  /**
   * @param {{plans: Object[], kinds: function, planned: function, changed: function, removed: function}} around saved plans,
   *     the kinds of the stock, and who is told of the stock of a plan, of changes, and of the end of this service
   */
  constructor(service, around) {
    Object.assign(this, { around, controls: [], kindsShown: [] });
    this.legend = element("legend", {});
    this.name = this.control("input", "name", service.name, { autocomplete: "off", placeholder: "chat" });
    this.request = this.control("textarea", "request", service.request && writeJson(service.request, 2), {
      "data-kind": "json",
      rows: "8",
      spellcheck: "false",
      placeholder: '{ "model_id": "Qwen/Qwen3-32B", "workload": { … }, "slo": { … } }',
    });
    const none = around.plans.length > 0 ? t("portfolioservice.choose_a_plan") : t("portfolioservice.no_saved_plans");
    const plans = around.plans.map(({ id, request, submitted_at: at }) => [id, `${titleOf(request)}, ${moment(at)}`]);
    this.plan = select([["", none], ...plans], () => this.take(this.plan.value));
    this.words = element("p", { class: "hint" });
    this.demand = element("textarea", { id: freshId("demand"), rows: "2", spellcheck: "false", placeholder: t("portfolioservice.6_or_24_values") });
    this.unit = select(UNITS);
    this.devices = element("fieldset", { class: "field" });
    this.folded = element("details", { open: !service.request }, element("summary", {}, t("common.request")), field(t("common.request"), this.request));
    this.request.addEventListener("input", () => this.showWords());
    this.name.addEventListener("input", () => this.showName());
    const removal = (this.removal = element("button", { type: "button", class: "quiet", on: { click: () => around.removed(this) } }, t("common.remove")));
    this.node = element(
      "fieldset",
      { class: "card service" },
      this.legend,
      element("div", { class: "row" }, field(t("common.name"), this.name), field(t("portfolioservice.copy_from_saved_plan"), this.plan)),
      this.words,
      this.folded,
      element("div", { class: "row" }, field(t("portfolioservice.demand_by_hour"), this.demand, { hint: t("portfolioservice.one_value_for_day") }), field(t("portfolioservice.demand_unit"), this.unit)),
      element(
        "div",
        { class: "row" },
        NUMBERS.map(([member, label, usual, hint]) =>
          field(label, this.control("input", member, service[member], { "data-kind": "number", "data-default": usual, placeholder: usual, inputmode: "decimal", autocomplete: "off" }), { hint }),
        ),
      ),
      this.devices,
      removal,
    );
    this.showDemand(service.demand_by_hour);
    this.showKinds(service.devices ?? []);
    this.showWords();
  }

  control(tag, member, value, attributes) {
    const control = element(tag, { id: freshId("service"), ...attributes });
    control.value = value ?? "";
    this.controls.push([control, member]);
    return control;
  }

  /** Names its controls as those of the service at a place. */
  place(place) {
    this.pointer = `/services/${place}`;
    this.number = place + 1;
    this.node.dataset.pointer = this.pointer;
    this.demand.name = `${this.pointer}/demand_by_hour`;
    this.devices.dataset.pointer = `${this.pointer}/devices`;
    this.controls.forEach(([control, member]) => (control.name = `${this.pointer}/${member}`));
    this.devices.querySelectorAll("input").forEach((input) => (input.name = `${this.pointer}/devices`));
    this.showName();
  }

  showName() {
    const name = this.name.value.trim();
    this.legend.textContent = t("portfolioservice.service", { 1: this.number, a: name && `: ${name}` });
    this.removal.setAttribute("aria-label", t("portfolioservice.remove_service", { 1: this.number }));
  }

  showWords() {
    let words;
    try {
      const request = readJson(this.request.value);
      words = `${request.model_id ?? t("common.a_pasted_model")} · ${termsOf({ ...request, mode: "capacity" })}`;
    } catch {
      words = t("portfolioservice.choose_saved_plan_or");
    }
    this.words.textContent = words;
  }

  showDemand(byHour = {}) {
    const [unit, amounts = []] = Object.entries(byHour)[0] ?? [UNITS[0][0]];
    this.unit.value = unit;
    this.demand.value = new Set(amounts).size === 1 ? String(amounts[0]) : amounts.join(", ");
  }

  /** Offers the kinds of the stock, of which none that is ticked means all. */
  showKinds(ticked = this.ticked()) {
    const kinds = this.around.kinds();
    if (kinds.join("\n") === this.kindsShown.join("\n") && this.devices.hasChildNodes()) {
      return;
    }
    this.kindsShown = kinds;
    const tick = (value) => element("input", { type: "checkbox", name: this.pointer && `${this.pointer}/devices`, value, checked: ticked.includes(value) });
    fill(
      this.devices,
      element("legend", {}, t("portfolioservice.allowed_devices")),
      element("div", { class: "choices inline" }, kinds.map((kind) => element("label", { class: "choice" }, tick(kind), element("span", {}, kind)))),
      element("p", { class: "hint" }, t("portfolioservice.default_all_devices")),
    );
  }

  ticked() {
    return [...this.devices.querySelectorAll("input:checked")].map(({ value }) => value);
  }

  async take(id) {
    if (id === "") {
      return;
    }
    const found = await answerOf(job(id, this.around.signal));
    if (!found?.request) {
      this.words.textContent = found?.message ?? "";
      return;
    }
    const taken = serviceOf(found.asked ?? found.request);
    this.request.value = writeJson(taken.request, 2);
    this.name.value ||= taken.name;
    if (taken.demand_by_hour) {
      this.showDemand(taken.demand_by_hour);
    }
    this.showName();
    this.showWords();
    this.around.planned(taken.stock);
    this.around.changed();
  }

  /** The demand of each hour; undefined where the request says it. @throws {FieldError} */
  demandByHour() {
    const texts = this.demand.value.split(/[\s,;]+/).filter((text) => text !== "");
    const amounts = texts.map((text) => numberInWords(text));
    const wrong = amounts.indexOf(undefined);
    if (wrong >= 0) {
      throw new FieldError(this.demand.name, t("portfolioservice.must_be_numbers_got", { A: texts[wrong] }));
    }
    if (![0, 1, HOURS].includes(amounts.length)) {
      throw new FieldError(this.demand.name, t("portfolioservice.must_be_one_value", { 1: amounts.length, 2: HOURS }));
    }
    return amounts.length === 0 ? undefined : { [this.unit.value]: amounts.length === 1 ? Array(HOURS).fill(amounts[0]) : amounts };
  }
}

/** Members of a plan that the portfolio says instead, or that mode `capacity` does not take. */
const LEFT_OUT = /^(mode|devices|num_devices|pd_ratio|objective|dump_original_results|explain|percentiles|accounting|demand)$/;

/**
 * A plan that was saved, as a service of a portfolio.
 *
 * @returns {{name: string, request: Object, demand_by_hour: ?Object, stock: Object[]}} its demand where it has one, and the
 *     devices that it was planned for
 */
function serviceOf(plan) {
  const { demand, slo, model_id: model, devices = [], num_devices: counts } = plan;
  const { percentile: _, ...limits } = slo ?? {};
  const request = Object.fromEntries(Object.entries({ ...plan, slo: limits }).filter(([member]) => !LEFT_OUT.test(member)));
  return {
    name: model?.split("/").at(-1) ?? "",
    request,
    demand_by_hour: demand && Object.fromEntries(Object.entries(demand).map(([unit, amount]) => [unit, Array(HOURS).fill(amount)])),
    stock: devices.map((device) => ({ device, count: ofDevice(counts, device) ?? 1 })),
  };
}
