import { askOnly, devices, job, models, ProblemError } from "./api.js";
import { element, field, fill, freshId } from "./dom.js";
import { t } from "./language.js";
import { findModels } from "./modelsearch.js";
import { submitSweep } from "./sweepapi.js";
import { termsOf, titleOf } from "./words.js";

/** Members that buyers vary, by what they are called. */
const MEMBERS = [
  ["/num_devices", t("common.devices"), "1, 2, 4, 8"],
  ["/devices", t("common.device"), "H100_SXM, H200_SXM"],
  ["/model_id", t("common.model"), "Qwen/Qwen3-8B, Qwen/Qwen3-32B"],
  ["/workload/input_length", t("common.input_tokens"), "1000 to 16000 in 5 log"],
  ["/workload/output_length", t("common.output_tokens"), "250, 500, 1000"],
  ["/workload/prefix_cache_hit_rate", t("common.prefix_cache_hit_rate"), "0.0 to 0.8 in 5"],
  ["/slo/ttft_ms", t("common.ttft_target_ms"), "500, 1000, 2000"],
  ["/slo/tpot_ms", t("common.tpot_target_ms"), "20, 30, 50"],
];

/** Values in equal steps: "1000 to 16000 in 5", with "log" in equal ratios. */
const STEPS = /^\s*(\S+)\s+to\s+(\S+)\s+in\s+(\d+)(\s+log)?\s*$/i;

const MOST_AXES = 4;

/** Members whose values are lists: each value is the list of it. */
const LISTS = ["/devices"];

/** Most names that are offered in place of one that nobody knows. */
const MOST_NEAREST = 3;

/** Asks along which axes the question of a job is to be varied. */
export async function showVary(view, signal, id) {
  document.title = `${t("vary.vary")} – throughput-optimizer`;
  fill(view, element("p", { class: "loading" }, t("common.loading")));
  try {
    const { asked, request } = await job(id, signal);
    fill(view, new VaryForm(asked ?? request, request).node);
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(view, element("h1", {}, t("common.job_not_found")), element("p", { class: "notice" }, error.message));
  }
}

class VaryForm {
  constructor(base, request) {
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
    this.add();
    this.add(3);
  }

  add(chosen = 0) {
    const axis = {
      member: element(
        "select",
        { id: freshId("member"), on: { change: () => axis.suggest() } },
        MEMBERS.map(([pointer, name], index) => element("option", { value: pointer, selected: index === chosen }, name)),
      ),
      values: element("input", { id: freshId("values"), autocomplete: "off", spellcheck: "false" }),
      suggest: () => {
        axis.values.value = MEMBERS.find(([pointer]) => pointer === axis.member.value)[2];
      },
    };
    const row = element(
      "fieldset",
      { class: "card vary-axis" },
      element("legend", {}, t("vary.axis", { 1: this.axes.length + 1 })),
      field(t("vary.parameter"), axis.member),
      field(t("vary.values"), axis.values),
    );
    axis.suggest();
    this.axes.push(axis);
    this.list.append(row);
    this.more.hidden = this.axes.length >= MOST_AXES;
  }

  async submit(event) {
    event.preventDefault();
    this.problem.hidden = true;
    this.run.disabled = true;
    try {
      const filled = this.axes.filter(({ values }) => values.value.trim() !== "");
      const axes = filled.map(({ member, values }) => axisOf(member.value, values.value));
      const unknown = (await Promise.all(axes.map((axis) => unknownNames(this.base, axis)))).map((messages, index) => ({ messages, values: filled[index].values }));
      const wrong = unknown.filter(({ messages }) => messages.length > 0);
      if (wrong.length > 0) {
        this.refuse(element("ul", {}, wrong.flatMap(({ messages }) => messages).map((message) => element("li", {}, message))));
        wrong[0].values.focus();
        return;
      }
      const { id } = await submitSweep({ base: this.base, axes, on_invalid: "skip" });
      location.hash = `/sweeps/${id}`;
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      this.refuse(error.message);
    } finally {
      this.run.disabled = false;
    }
  }

  refuse(words) {
    fill(this.problem, words);
    this.problem.hidden = false;
  }
}

/** Says which models or devices of an axis are unknown, each with the nearest names: their cells could only be left out. */
async function unknownNames(base, { pointer, values }) {
  const known = { "/model_id": async () => (await models()).map(({ id }) => id), "/devices": async () => (await devices()).devices.map(({ name }) => name) }[pointer];
  if (!known || !Array.isArray(values)) {
    return [];
  }
  const names = await known();
  const others = values.filter((value) => !names.includes([value].flat()[0]));
  const messages = await Promise.all(others.map((value) => unknownName(base, pointer, value)));
  return messages.filter((message) => message !== null);
}

/** The service knows more names than the catalogue lists: aliases, pasted devices, models of the hub. */
async function unknownName(base, pointer, value) {
  try {
    await askOnly({ ...base, [pointer.slice(1)]: value });
  } catch (error) {
    const fault = error.problem?.errors?.find((one) => one.pointer.startsWith(pointer));
    if (fault && pointer === "/model_id") {
      const nearest = findModels(await models(), String(value)).found.slice(0, MOST_NEAREST);
      return nearest.length > 0 ? t("vary.unknown_model_nearest", { a: value, b: nearest.map(({ id }) => id).join(", ") }) : fault.message;
    }
    if (fault) {
      return fault.message;
    }
    if (!(error instanceof ProblemError)) {
      throw error;
    }
  }
  return null;
}

/** An axis as the service takes it. */
export function axisOf(pointer, text) {
  const [, from, to, steps, scale] = STEPS.exec(text) ?? [];
  if (from !== undefined) {
    return { pointer, values: { from: valueOf(from), to: valueOf(to), steps: Number(steps), ...(scale && { scale: "log" }) } };
  }
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .map(valueOf);
  return { pointer, values: LISTS.includes(pointer) ? values.map((value) => [value]) : values };
}

/** Numbers as such, anything else as a text. */
function valueOf(text) {
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
