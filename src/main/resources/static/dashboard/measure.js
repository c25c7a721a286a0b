import { answerOf, bringResultFile, ProblemError, submitAndShow } from "./api.js";
import { comparison, errorsOf } from "./compared.js";
import { announce, busyButton, element, field, fill, freshId, numberInput, select } from "./dom.js";
import { layout, plain } from "./format.js";
import { t } from "./language.js";
import { isCalibrated } from "./words.js";

/** Names of what is asked for beside a file, as the page calls it. */
const BESIDE = {
  model_id: t("common.the_model"),
  version: t("measure.engine_version"),
  concurrency: t("common.concurrent_requests"),
  input_length: t("common.input_tokens"),
  output_length: t("common.output_tokens"),
  served_model: t("measure.model_in_the_file"),
  replicas: t("measure.instances_measured"),
};

/**
 * Takes what benchmarks of a plan's servers printed, shows it beside the prediction, and plans again with what it teaches.
 * Nothing for plans whose instances do not do prefill and decode, or whose model is pasted.
 */
export function measureSection(device, state, signal) {
  const servers = device.phases.flatMap(({ rows }) => rows.map(({ parallel }) => ({ label: layout(parallel), parallel, device })));
  return isMeasurable(state.request, device) && servers.length > 0 && new MeasurePanel(servers, state, signal).node;
}

/** The same of deployments of several kinds of device. */
export function measureOfDeployments(rows, { devices }, state, signal) {
  const servers = rows
    .filter(({ deployment }) => deployment === "aggregated")
    .map((row) => {
      const { parallel } = row.instances[0].load;
      return { label: `${row.device}, ${layout(parallel)}`, parallel, device: devices.find(({ device }) => device === row.device) };
    })
    .filter(({ device }) => device && isMeasurable(state.request, device));
  return servers.length > 0 && new MeasurePanel(servers, state, signal).node;
}

function isMeasurable(request, { pd_ratio: pairs, engine }) {
  return isCalibrated(request) && request.model_config === undefined && !pairs && engine !== undefined;
}

class MeasurePanel {
  /** @param {{label: string, parallel: Object, device: Object}[]} servers that may have been measured, the best first */
  constructor(servers, state, signal) {
    Object.assign(this, { servers, state, signal });
    this.sets = [];
    this.waiting = [];
    const ids = (name) => freshId(`measure-${name}`);
    this.server = select(servers.map(({ label }, index) => [index, `${index + 1}: ${label}`]));
    this.beside = {
      version: element("input", { type: "text", id: ids("version"), required: true, value: servers[0].device.engine.version, placeholder: t("measure.as_printed_by_engine"), spellcheck: "false", autocomplete: "off" }),
      replicas: numberInput("1"),
      concurrency: numberInput(),
      input_length: numberInput(),
      output_length: numberInput(),
      served_model: element("input", { type: "text", id: ids("model"), spellcheck: "false", autocomplete: "off" }),
    };
    this.chooser = element("input", { type: "file", id: ids("files"), multiple: true, accept: ".json,.jsonl,.ndjson,.yaml,.yml,.csv", "aria-describedby": ids("hint") });
    this.error = element("p", { class: "error", role: "alert", hidden: true });
    this.results = element("div", {});
    const files = element(
      "div",
      { class: "measure-files" },
      element("label", { for: this.chooser.id }, t("measure.benchmark_result_files")),
      this.chooser,
      element("p", { class: "hint", id: this.chooser.getAttribute("aria-describedby") }, t("measure.drop_or_choose_files")),
    );
    this.chooser.addEventListener("change", () => this.take([...this.chooser.files]));
    this.beside.version.addEventListener("change", () => this.take([]));
    this.node = element(
      "details",
      { class: "measure" },
      element("summary", {}, t("measure.upload_benchmark_results")),
      element("p", { class: "hint" }, t("measure.commands_above_with_benchmark")),
      element("div", { class: "measure-fields" }, field(t("measure.measured_deployment"), this.server), this.asked("version"), this.asked("replicas")),
      element(
        "details",
        { class: "measure-more" },
        element("summary", {}, t("measure.details_missing_from_file")),
        element("div", { class: "measure-fields" }, ["concurrency", "input_length", "output_length", "served_model"].map((name) => this.asked(name))),
      ),
      files,
      this.error,
      this.results,
    );
  }

  asked(name) {
    return field(BESIDE[name], this.beside[name]);
  }

  /** Sends files one after the other, those first that waited for the version. */
  async take(files) {
    this.waiting.push(...files);
    if (this.waiting.length === 0) {
      return;
    }
    if (this.beside.version.value.trim() === "") {
      this.complain(t("measure.enter_engine_version_read", { a: this.waiting[0].name }));
      this.beside.version.focus();
      return;
    }
    this.complain("");
    const sending = this.waiting.splice(0);
    for (const file of sending) {
      await this.send(file);
    }
    this.chooser.value = "";
  }

  async send(file) {
    announce(t("measure.reading", { a: file.name }));
    const set = await answerOf(bringResultFile(file, this.said(), this.signal));
    if (set instanceof ProblemError) {
      this.complain(`${file.name}: ${faultOf(set)}`);
    } else if (set) {
      this.sets.push({ ...set, name: file.name });
      this.show();
      announce(t("measure.rows_read", { a: file.name, 1: plain(set.number_of_rows) }));
    }
  }

  /** What the plan and the fields say of the server. */
  said() {
    const { parallel, device } = this.servers[Number(this.server.value)];
    const { backend, kv_cache_dtype: cache } = device.engine;
    const known = { model_id: this.state.request.model_id, device: device.device, backend, scheme: device.scheme, kv_cache_dtype: cache };
    const { tp, dp, ep } = parallel;
    const typed = Object.fromEntries(Object.entries(this.beside).map(([name, { value }]) => [name, value.trim()]));
    return Object.fromEntries(Object.entries({ ...known, tp, dp, ep, ...typed }).filter(([, value]) => value !== undefined && value !== ""));
  }

  complain(message) {
    this.error.textContent = message;
    this.error.hidden = message === "";
  }

  show() {
    const teaching = this.sets.filter(({ learnt_from: learnt }) => learnt);
    const reasons = [...new Set(this.sets.filter(({ learnt_from: learnt }) => !learnt).map(({ not_learnt_from: reason }) => reason))];
    const again = busyButton(t("measure.recalculate_with_measurements"), () => this.planAgain(), { class: "primary" });
    fill(
      this.results,
      element(
        "ul",
        { class: "hint" },
        this.sets.map((set) => element("li", {}, element("a", { href: `#/measurements/${set.id}` }, set.name), `: ${t("common.rows", { 1: plain(set.number_of_rows) })}. ${errorsOf(set)}`)),
      ),
      comparison({ rows: this.sets.flatMap(({ rows }) => rows) }, this.signal),
      reasons.map((reason) => element("p", { class: "notice" }, t("common.not_usable_for_calibration", { A: reason }))),
      teaching.length > 0 && element("p", { class: "actions" }, again),
    );
  }

  async planAgain() {
    this.complain("");
    const refused = await answerOf(submitAndShow(this.question()));
    if (refused) {
      this.complain(faultOf(refused));
    }
  }

  /** The plan's own question, with the rows that were brought beside those that it knows. */
  question() {
    const { asked, request } = this.state;
    const question = asked ?? request;
    const sets = this.sets.filter(({ learnt_from: learnt }) => learnt);
    const { device, version } = sets[0].group;
    const known = question.feedback?.measurements ?? [];
    return {
      ...question,
      engine: { ...question.engine, version },
      feedback: {
        ...question.feedback,
        ...(request.devices.length > 1 && { device }),
        measurements: [...new Set([...known, ...sets.map(({ id }) => id)])],
      },
    };
  }
}

/** What the service says of a file or a question, under the names of this page. */
function faultOf({ problem, message }) {
  const [first] = problem.errors ?? [];
  if (!first) {
    return message;
  }
  const member = first.parameter ?? first.pointer;
  return [BESIDE[member] ?? member, first.message].filter(Boolean).join(" ");
}
