import { devices, models, strategies } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { decimals, gigabytes, whole } from "./format.js";

let modelsByName = new Map();
let strategiesByName = new Map();

/** Fills the form's choices with the catalogue's models and devices, and the strategies of the search. */
export async function loadCatalogue() {
  const [knownModels, knownDevices, knownStrategies] = await Promise.all([models(), devices(), strategies()]);
  strategiesByName = new Map(knownStrategies.map((strategy) => [strategy.name, strategy]));
  modelsByName = new Map(knownModels.map((model) => [model.id, model]));
  fill(
    byId("models"),
    knownModels.map((model) => element("option", { value: model.id })),
  );
  fill(
    byId("device-choices"),
    knownDevices.map((device) => choice(device.name, deviceFacts(device))),
  );
  fill(
    byId("strategy"),
    knownStrategies.map(({ name }) => element("option", {}, name)),
  );
  byId("strategy").dataset.default = knownStrategies[0].name;
}

/** How far a strategy goes without a batch range; nothing about one that the service does not know. */
export function strategyNamed(name) {
  return strategiesByName.get(name) ?? {};
}

/** Says about the named model what a planner wants to see before running. */
export function showModelFacts(modelId) {
  const model = modelsByName.get(modelId);
  byId("model-facts").textContent = model
    ? modelFacts(model)
    : "A model of the catalogue, or any name with a pasted configuration.";
}

/** Adds devices that are no part of the catalogue to the choices, ticked, unless they are there. */
export function offerDevices(names) {
  const container = byId("device-choices");
  const offered = [...container.querySelectorAll("input")].map((input) => input.value);
  names
    .filter((name) => !offered.includes(name))
    .forEach((name) => {
      const added = choice(name, "from the pasted profiles");
      added.querySelector("input").checked = true;
      container.append(added);
    });
}

function choice(name, facts) {
  return element(
    "label",
    { class: "choice" },
    element("input", { type: "checkbox", name: "/devices", value: name }),
    element("span", {}, element("strong", {}, name), " ", facts),
  );
}

function deviceFacts({ compute, memory }) {
  const peak = compute.matrix_tflops.bf16 ?? compute.matrix_tflops.fp16;
  const facts = [
    peak && `${decimals(peak, 0)} TFLOPS`,
    `${gigabytes(memory.capacity_gb)} at ${decimals(memory.bandwidth_tb_per_s, 1)} TB/s`,
  ];
  return facts.filter(Boolean).join(", ");
}

function modelFacts({ parameters, layers, supported }) {
  const facts = [
    `${decimals(parameters / 1e9, 1)} billion parameters`,
    `${whole(layers)} layers`,
    supported.expert_parallelism && "routed experts",
    supported.images && "takes images",
    supported.mtp_tokens > 0 && `up to ${supported.mtp_tokens} MTP draft tokens`,
  ];
  return facts.filter(Boolean).join(", ");
}
