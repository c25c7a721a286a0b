/** Parts of the form that not every question has; a mode stands with its cost model where that alone has the part in it. */
const BELONGING = "[data-cost-model], [data-mode]";

/** Parts that a choice within the form shows, by their ids: the name of the choice, and its value, or the first of several. */
const CHOSEN = {
  "one-engine": ["per-device", false],
  "each-engine": ["per-device", true],
  "fixed-length": ["length-kind", "fixed"],
  "mixed-length": ["length-kind", "mixed"],
  conversation: ["length-kind", "turns"],
  "lengths-apart": ["length-kind", "fixed", "mixed"],
  "fixed-output": ["output-kind", "fixed"],
  "mixed-output": ["output-kind", "mixed"],
};

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
  const lengths = form.querySelector('[name="length-kind"]:checked');
  if (!belongs(lengths, costModel, mode)) {
    form.elements["length-kind"].value = "fixed";
  }
  form.querySelectorAll(BELONGING).forEach((part) => toggle(part, belongs(part, costModel, mode)));
  Object.entries(CHOSEN).forEach(([id, [choice, ...values]]) =>
    toggle(document.getElementById(id), values.some((value) => isChosen(form.elements[choice], value))),
  );
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
  const isOfMode = ofModes.split(" ").some((one) => one === mode || one === `${costModel}:${mode}`);
  return ofModel === costModel && isOfMode && belongs(at.parentElement, costModel, mode);
}

/**
 * What has to be chosen for a control to be asked for, as names of controls and their values, in this order; what is chosen
 * already among it.
 */
export function neededFor(control) {
  const needed = [];
  const alone = `${costModelOf(control.form)}:`;
  for (let part = control; part; part = part.parentElement) {
    const { costModel, mode, objective } = part.dataset;
    const here = [
      costModel && ["/cost_model", costModel],
      mode && ["/mode", mode.split(" ").map((one) => (one.startsWith(alone) ? one.slice(alone.length) : one)).join(" ")],
      objective && ["/objective/name", objective],
      CHOSEN[part.id]?.slice(0, 2),
    ];
    needed.unshift(...here.filter(Boolean));
  }
  return needed;
}

function isChosen(choice, value) {
  return (typeof value === "boolean" ? choice.checked : choice.value) === value;
}

function toggle(part, active) {
  part.hidden = !active;
  const controls = part.matches("fieldset") ? [part] : part.querySelectorAll("input, select, textarea");
  controls.forEach((control) => (control.disabled = !active));
}
