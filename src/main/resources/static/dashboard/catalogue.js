import { capabilities, devices, lengthDistributions, models } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { decimals, gigabytes, whole } from "./format.js";
import { t } from "./language.js";
import { ModelList } from "./models.js";
import { modelNamed } from "./modelsearch.js";
import { TEST_DEVICE } from "./words.js";

let modelsByName = new Map();
let vendorsByDevice = new Map();
let measured = [];

/** Ticked where somebody asks for measured devices and has named none: the one with the most measurements. */
const FIRST_MEASURED = "H100_SXM";

const LAST_GROUP = t("catalogue.test_and_custom_devices");

/** Fills the form's choices with the catalogue's models, devices and length distributions, and the strategies of the search. */
export async function loadCatalogue() {
  const [knownModels, knownDevices, { strategies }, distributions] = await Promise.all([models(), loadDevices(), capabilities(), lengthDistributions()]);
  modelsByName = new Map(knownModels.map((model) => [model.id, model]));
  new ModelList(knownModels);
  fill(
    byId("device-choices"),
    [...Map.groupBy(knownDevices, ({ name, vendor }) => (name === TEST_DEVICE ? LAST_GROUP : vendor))].toSorted(lastGroupLast).map(([name, group]) => vendorGroup(name, group.map((device) => choice(device.name, deviceFacts(device), isMeasured(device.name))))),
  );
  byId("device-choices").addEventListener("change", replaceTestDevice);
  fill(byId("strategy"), strategies.map((name) => element("option", {}, name)));
  for (const choice of ["distribution-name", "outputs-name"]) {
    fill(
      byId(choice),
      distributions.map(({ name }) => element("option", { value: name }, name)),
      element("option", { value: "" }, t("common.custom_bins")),
    );
  }
  byId("strategy").dataset.default = strategies[0];
}

/** What pages ask of devices, of which not every page needs the rest of the catalogue: who made them, and which are measured. */
export async function loadDevices() {
  const known = await devices();
  measured = known.calibrated;
  vendorsByDevice = new Map(known.devices.map(({ name, vendor }) => [name, vendor]));
  return known.devices;
}

function lastGroupLast([one], [other]) {
  return (one === LAST_GROUP) - (other === LAST_GROUP);
}

/** Whoever chooses a device while the made-up one alone is ticked means that one instead. */
function replaceTestDevice({ currentTarget, target }) {
  const ticked = [...currentTarget.querySelectorAll("input:checked")];
  const test = ticked.find(({ value }) => value === TEST_DEVICE);
  if (test && target.checked && target !== test && ticked.length === 2) {
    test.checked = false;
  }
}

/** A request whose model goes by its name in the catalogue; or why what was typed names no model. */
export function modelOf({ model_id: typed, model_config: configuration }) {
  if (typed === undefined || configuration !== undefined || modelsByName.size === 0) {
    return {};
  }
  return modelNamed([...modelsByName.values()], typed);
}

/** Whether a device of the catalogue can be asked for figures of measured kernels. */
export function isMeasured(device) {
  return measured.includes(device);
}

/** Devices of the catalogue that the roofline alone has figures of; the made-up one is asked for by its name. */
export function unmeasuredDevices() {
  return [...vendorsByDevice.keys()].filter((name) => !isMeasured(name) && name !== TEST_DEVICE);
}

export function vendorOf(device) {
  return vendorsByDevice.get(device);
}

/** Ticks a measured device if none is ticked that is offered. */
export function tickMeasured() {
  const choices = [...byId("device-choices").querySelectorAll("input")].filter((input) => !input.matches(":disabled"));
  if (!choices.some((input) => input.checked)) {
    const first = choices.find((input) => input.value === FIRST_MEASURED) ?? choices[0];
    first?.click();
  }
}

/** Says about the named model what a planner wants to see before running. */
export function showModelFacts(modelId) {
  const model = modelsByName.get(modelId);
  byId("model-facts").textContent = model
    ? modelFacts(model)
    : t("common.catalog_model_any_name");
}

/** Adds devices that are no part of the catalogue to the choices, ticked, unless they are there. */
export function offerDevices(names) {
  const container = byId("device-choices");
  const offered = [...container.querySelectorAll("input")].map((input) => input.value);
  names
    .filter((name) => !offered.includes(name))
    .forEach((name) => {
      const added = choice(name, "");
      added.querySelector("input").checked = true;
      pastedGroup(container).append(added);
    });
}

function pastedGroup(container) {
  if (container.lastElementChild?.dataset.vendor !== LAST_GROUP) {
    container.append(vendorGroup(LAST_GROUP, []));
  }
  return container.lastElementChild.querySelector(".devices");
}

function vendorGroup(vendor, choices) {
  return element(
    "fieldset",
    { class: "vendor", "data-vendor": vendor },
    element("legend", {}, vendor),
    element("div", { class: "devices" }, choices),
  );
}

/** A device to choose; those that were not measured are offered with the analytic cost model only. */
function choice(name, facts, offeredAlways = true) {
  return element(
    "label",
    { class: "choice", "data-cost-model": offeredAlways ? null : "analytic" },
    element("input", { type: "checkbox", name: "/devices", value: name }),
    element("span", {}, element("strong", {}, name), " ", facts),
  );
}

function deviceFacts({ compute, memory, compared_with_silicon: compared }) {
  const peak = compute.matrix_tflops.bf16 ?? compute.matrix_tflops.fp16;
  const facts = [
    peak && t("catalogue.tflops", { 1: decimals(peak, 0) }),
    t("catalogue.at_tb_s", { a: gigabytes(memory.capacity_gb), 1: decimals(memory.bandwidth_tb_per_s, 1) }),
    compared === false && t("catalogue.not_validated_against_hardware"),
  ];
  return facts.filter(Boolean).join(", ");
}

function nearest({ linear, non_expert_linear: others }) {
  return others ? t("catalogue.for_experts_and_for", { a: linear, b: others }) : linear;
}

function modelFacts({ parameters, layers, max_model_len: context, supported, checkpoint_quantization: checkpoint }) {
  const facts = [
    t("catalogue.billion_parameters", { 1: decimals(parameters / 1e9, 1) }),
    t("catalogue.layers", { 1: whole(layers) }),
    t("catalogue.context_of_tokens", { 1: whole(context) }),
    supported.expert_parallelism && t("catalogue.moe"),
    supported.images && t("catalogue.image_input"),
    supported.mtp_tokens > 0 && t("catalogue.up_mtp_draft_tokens", { 1: supported.mtp_tokens }),
    checkpoint?.linear && t("catalogue.checkpoint_nearest_to", { a: checkpoint.method, b: nearest(checkpoint) }),
  ];
  return facts.filter(Boolean).join(", ");
}
