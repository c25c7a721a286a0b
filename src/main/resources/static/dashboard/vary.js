import { questionAt } from "./address.js";
import { answerOf, askBeside, devices, job, models, submitSweep, sweep } from "./api.js";
import { element, field, fill, freshId, select } from "./dom.js";
import { t } from "./language.js";
import { findModels } from "./modelsearch.js";
import { valueAt } from "./pointer.js";
import { PRESETS } from "./presets.js";
import { MEMBERS } from "./sweepmaps.js";
import { termsOf, titleOf } from "./words.js";

/** Values in equal steps: "1000 to 16000 in 5", with "log" in equal ratios. */
const STEPS = /^\s*(\S+)\s+to\s+(\S+)\s+in\s+(\d+)(\s+log)?\s*$/i;

const MOST_AXES = 4;

/** Names that are offered while one writes. */
const MOST_OFFERED = 30;

/** Most names that are offered in place of one that nobody knows. */
const MOST_NEAREST = 3;

/** Axis of devices whose weights are those that each device multiplies fastest. */
const BY_DEVICE = "device and weights";

/** Offers the axes of a sweep again, to change them. */
export async function showChange(view, signal, id) {
  const { request } = await sweep(id, signal);
  fill(view, new VaryForm(request.base, request.base, request.axes, await namesOf()).node);
}

async function namesOf() {
  const [known, all] = await Promise.all([devices(), models()]);
  return { "/devices": known.devices.map(({ name }) => name), "/model_id": all.map(({ id }) => id) };
}

/** Asks along which axes the question of a job is to be varied. */
export async function showVary(view, signal, id) {
  const { asked, request } = await job(id, signal);
  fill(view, new VaryForm(asked ?? request, request, [], await namesOf()).node);
}

/** Asks the same of a question that the address holds. */
export async function showVaryQuestion(view, signal, packed) {
  const request = await questionAt(packed).catch(() => PRESETS[0].request);
  fill(view, new VaryForm(request, request, [], await namesOf()).node);
}

/** Axes that are offered first, with the values of the question: those that stay so are left out. */
const OFFERED = ["/num_devices", "/workload/input_length", "/devices", "/model_id"];

class VaryForm {
  constructor(base, request, axes, names) {
    this.names = names;
    const { explain: _explain, dump_original_results: _dumped, ...question } = base;
    this.base = question;
    this.axes = [];
    this.list = element("div", {});
    this.problem = element("div", { class: "problem", role: "alert", hidden: true });
    this.run = element("button", { class: "primary" }, t("vary.run_sweep"));
    this.more = element("button", { type: "button", on: { click: () => this.add() } }, t("vary.add_axis"));
    this.node = element(
      "form",
      { class: "vary", novalidate: true, on: { submit: (event) => this.submit(event) } },
      element("h1", {}, t("vary.sweep_over", { a: titleOf(request) })),
      element("p", { class: "lead" }, termsOf(request)),
      element("p", { class: "hint" }, t("vary.searches_every_combination_values")),
      this.problem,
      this.list,
      element("p", { class: "actions" }, this.more, this.run),
    );
    this.weights = element("label", { class: "check", hidden: true }, element("input", { type: "checkbox" }), ` ${t("vary.weights_as_each_device_can")}`);
    this.list.after(this.weights);
    const known = axes.map((axis) => ({ index: MEMBERS.findIndex(([pointer]) => pointer === (axis.merge ? "/devices" : axis.pointer)), axis })).filter(({ index }) => index >= 0);
    known.forEach(({ index, axis }) => this.add(index, textOf(axis)));
    this.weights.firstChild.checked = known.length === 0 || axes.some(({ label }) => label === BY_DEVICE);
    if (known.length === 0) {
      OFFERED.forEach((pointer) => this.add(MEMBERS.findIndex(([one]) => one === pointer), this.own(pointer)));
    }
    this.consider();
  }

  /** The value of the question itself, as people write it. */
  own(pointer) {
    const value = valueAt(this.base, pointer) ?? "";
    return Array.isArray(value) || typeof value !== "object" ? [value].flat().join(", ") : "";
  }

  /** The weights are a choice where devices vary. */
  consider() {
    this.weights.hidden = !this.axes.some(({ member }) => member.value === "/devices");
  }

  add(chosen = 0, text = undefined) {
    const offered = element("datalist", { id: freshId("offered") });
    const axis = {
      member: select(MEMBERS.map(([pointer, name]) => [pointer, name]), () => (axis.suggest(), this.consider())),
      values: element("input", { id: freshId("values"), autocomplete: "off", spellcheck: "false", list: offered.id, on: { input: () => offer() } }),
      suggest: () => {
        axis.values.value = MEMBERS.find(([pointer]) => pointer === axis.member.value)[2];
        offer();
      },
    };
    // A list completes the whole field: what stands before the last comma is part of each offer.
    const offer = () => {
      const [, before, typed] = /^(.*,\s*)?([^,]*)$/.exec(axis.values.value);
      const words = typed.trim().toLowerCase();
      const found = (this.names[axis.member.value] ?? []).filter((name) => name.toLowerCase().includes(words) && name !== typed.trim());
      fill(offered, found.slice(0, MOST_OFFERED).map((name) => element("option", { value: `${before ?? ""}${name}` })));
    };
    const row = element(
      "fieldset",
      { class: "card vary-axis" },
      element("legend", {}, t("vary.axis", { 1: this.axes.length + 1 })),
      field(t("vary.parameter"), axis.member),
      field(t("vary.values"), axis.values),
      offered,
      element("button", { type: "button", class: "quiet", on: { click: () => this.remove(axis, row) } }, t("vary.remove_axis")),
    );
    axis.member.selectedIndex = chosen;
    axis.suggest();
    axis.values.value = text ?? axis.values.value;
    this.axes.push(axis);
    this.list.append(row);
    this.more.hidden = this.axes.length >= MOST_AXES;
  }

  remove(axis, row) {
    this.axes = this.axes.filter((one) => one !== axis);
    row.remove();
    this.more.hidden = false;
    this.consider();
  }

  async submit(event) {
    event.preventDefault();
    this.problem.hidden = true;
    this.run.disabled = true;
    const refused = await answerOf(this.send());
    if (refused) {
      this.refuse(refused.message);
    }
    this.run.disabled = false;
  }

  async send() {
    const filled = this.axes.filter(({ member, values }) => !["", this.own(member.value)].includes(values.value.trim()) || values.value.includes(","));
    const axes = filled.map(({ member, values }) => axisOf(member.value, values.value));
    const messages = await Promise.all(axes.map((axis) => this.unknownNames(axis)));
    const wrong = messages.findIndex((some) => some.length > 0);
    if (wrong >= 0) {
      this.refuse(element("ul", {}, messages.flat().map((message) => element("li", {}, message))));
      filled[wrong].values.focus();
      return;
    }
    const { id } = await submitSweep({ base: this.base, axes: await this.withWeights(axes), on_invalid: "skip" });
    location.hash = `/sweeps/${id}`;
  }

  /** Says which models or devices of an axis are unknown, each with the nearest names: their cells could only be left out. */
  async unknownNames({ pointer, values }) {
    const known = this.names[pointer];
    const others = known && Array.isArray(values) ? values.filter((value) => !known.includes([value].flat()[0])) : [];
    const messages = await Promise.all(others.map((value) => unknownName(this.base, pointer, value)));
    return messages.filter((message) => message !== null);
  }

  /** The axis of devices with the weights of each, where that is asked: FP8 where a device multiplies it, else BF16. */
  async withWeights(axes) {
    if (this.weights.hidden || !this.weights.firstChild.checked) {
      return axes;
    }
    const { devices: known } = await devices();
    const rates = (name) => known.find((one) => one.name === name)?.compute.matrix_tflops ?? {};
    const weightsOf = (name) => (rates(name).fp8 > rates(name).bf16 ? "FP8" : "BF16");
    const merged = ({ values }) => values.map(([name]) => ({ devices: [name], quantization: { ...this.base.quantization, scheme: weightsOf(name) } }));
    return axes.map((axis) => (axis.pointer === "/devices" ? { label: BY_DEVICE, merge: merged(axis) } : axis));
  }

  refuse(words) {
    fill(this.problem, words);
    this.problem.hidden = false;
  }
}

/** The service knows more names than the catalogue lists: aliases, pasted devices, models of the hub. */
async function unknownName(base, pointer, value) {
  const { problem } = await answerOf(askBeside({ ...base, [pointer.slice(1)]: value }));
  const fault = problem?.errors?.find((one) => one.pointer.startsWith(pointer));
  const nearest = fault && pointer === "/model_id" ? findModels(await models(), String(value)).found.slice(0, MOST_NEAREST) : [];
  return nearest.length > 0 ? t("vary.unknown_model_nearest", { a: value, b: nearest.map(({ id }) => id).join(", ") }) : (fault?.message ?? null);
}

/** The values of an axis as people write them. */
function textOf({ values, merge }) {
  if (merge) {
    return merge.map(({ devices: [name] }) => name).join(", ");
  }
  return Array.isArray(values) ? values.flat().join(", ") : `${values.from} to ${values.to} in ${values.steps}${values.scale === "log" ? " log" : ""}`;
}

function axisOf(pointer, text) {
  const [, from, to, steps, scale] = STEPS.exec(text) ?? [];
  if (from !== undefined) {
    return { pointer, values: { from: valueOf(from), to: valueOf(to), steps: Number(steps), ...(scale && { scale: "log" }) } };
  }
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .map(valueOf);
  return { pointer, values: pointer === "/devices" ? values.map((value) => [value]) : values };
}

/** Numbers as such, anything else as a text. */
function valueOf(text) {
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
