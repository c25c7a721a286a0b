/** Parts of the form that not every question has. */
const BELONGING = "[data-cost-model], [data-mode]";

/** The cost model that the form asks. */
export function costModelOf(form) {
  return form.elements["/cost_model"].value;
}

/** Shows what belongs to the chosen cost model and mode; what belongs to others is kept, hidden, and not asked. */
export function showWhatBelongs(form) {
  const chosen = form.querySelector('[name="/mode"]:checked');
  const costModel = costModelOf(form);
  if (!belongs(chosen, costModel, chosen.value)) {
    form.elements["/mode"].value = "aggregation";
  }
  const mode = form.elements["/mode"].value;
  form.querySelectorAll(BELONGING).forEach((part) => toggle(part, belongs(part, costModel, mode)));
  toggle(document.getElementById("one-engine"), !perDevice(form));
  toggle(document.getElementById("each-engine"), perDevice(form));
  toggleLengths(form, "length-kind", "fixed-length", "mixed-length");
  toggleLengths(form, "output-kind", "fixed-output", "mixed-output");
  const objective = form.elements["/objective/name"].value;
  form.querySelectorAll("[data-objective]").forEach((part) => toggle(part, part.dataset.objective === objective));
}

/** Whether a part is of the cost model and of the mode that it names, if any, and so is all around it. */
function belongs(part, costModel, mode) {
  const at = part.closest(BELONGING);
  if (!at) {
    return true;
  }
  const { costModel: ofModel = costModel, mode: ofModes = mode } = at.dataset;
  return ofModel === costModel && ofModes.split(" ").includes(mode) && belongs(at.parentElement, costModel, mode);
}

/**
 * What has to be chosen for a control to be asked for, as names of controls and their values, in this order; what is chosen
 * already among it.
 */
export function neededFor(control) {
  const needed = [];
  for (let part = control; part; part = part.parentElement) {
    const { costModel, mode, objective } = part.dataset;
    const here = [
      costModel && ["/cost_model", costModel],
      mode && ["/mode", mode],
      objective && ["/objective/name", objective],
      part.id === "each-engine" && ["per-device", true],
      part.id === "one-engine" && ["per-device", false],
      part.id === "mixed-length" && ["length-kind", "mixed"],
      part.id === "fixed-length" && ["length-kind", "fixed"],
      part.id === "mixed-output" && ["output-kind", "mixed"],
      part.id === "fixed-output" && ["output-kind", "fixed"],
    ];
    needed.unshift(...here.filter(Boolean));
  }
  return needed;
}

function perDevice(form) {
  return form.elements["per-device"].checked;
}

/** One length, or a distribution of them. */
function toggleLengths(form, kind, one, several) {
  const mixed = form.elements[kind].value === "mixed";
  toggle(document.getElementById(one), !mixed);
  toggle(document.getElementById(several), mixed);
}

function toggle(part, active) {
  part.hidden = !active;
  const controls = part.matches("fieldset") ? [part] : part.querySelectorAll("input, select, textarea");
  controls.forEach((control) => (control.disabled = !active));
}
