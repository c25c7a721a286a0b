import { answerOf, contexts, ProblemError } from "./api.js";
import { element, fill, numberInput } from "./dom.js";
import { layout, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";
import { phaseName } from "./words.js";

const SOON_MS = 300;

/**
 * How long requests may get on each layout that a job tries, and how many of a length it holds: asked when it is opened.
 *
 * @param {?Object} device whose layouts are shown; absent for those of all
 */
export function contextSection(device, job, signal) {
  return new ContextPanel(device, job, signal).node;
}

class ContextPanel {
  constructor(device, job, signal) {
    Object.assign(this, { device, job, signal });
    this.concurrency = numberInput("1");
    this.tokens = numberInput();
    this.answered = element("div", { "aria-live": "polite" });
    this.node = element(
      "details",
      { class: "contexts", on: { toggle: () => this.node.open && this.ask() } },
      element("summary", {}, t("contexts.maximum_request_length")),
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.concurrency.id }, t("contexts.longest_request_at_concurrency")),
        this.concurrency,
        element("label", { for: this.tokens.id }, t("contexts.max_concurrency_at_request")),
        this.tokens,
      ),
      element("p", { class: "hint" }, t("contexts.request_length_prompt_plus")),
      this.answered,
    );
    this.node.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), SOON_MS);
    });
  }

  async ask() {
    const wrong = [this.concurrency, this.tokens].find((control) => !control.checkValidity());
    if (wrong) {
      this.asked = null;
      fill(this.answered, element("p", { class: "hint" }, `${wrong.labels[0].textContent}: ${wrong.validationMessage}`));
      return;
    }
    const asked = { concurrency: this.concurrency.value || "1", context_tokens: this.tokens.value };
    this.asked = asked;
    const answer = await answerOf(contexts(this.job.id, asked, this.signal));
    if (this.asked === asked && answer) {
      fill(this.answered, answer instanceof ProblemError ? element("p", { class: "hint" }, answer.message) : this.layouts(answer));
    }
  }

  layouts(answer) {
    this.tokens.placeholder = String(answer.context_tokens);
    const own = answer.layouts.filter(({ device }) => !this.device || this.isOwn(device));
    const phases = new Set(own.map(({ phase }) => phase));
    const columns = [
      !this.device && { title: t("common.device"), text: ({ device }) => device, className: "words" },
      phases.size > 1 && { title: t("common.phase"), text: ({ phase }) => phaseName(phase), className: "words" },
      { title: t("common.layout"), text: ({ parallel }) => layout(parallel), className: "words" },
      { title: t("common.devices"), text: ({ num_devices: devices }) => whole(devices) },
      { title: t("common.longest_request"), text: (row) => count(row.longest_context_tokens, row.obstacle ?? t("common.none")) },
      { title: t("contexts.limited_by_memory_only"), text: (row) => count(row.memory_context_tokens, "") },
      {
        title: t("contexts.max_concurrency_at_tokens", { 1: whole(answer.context_tokens) }),
        text: (row) => count(row.most_requests, row.obstacle ? "" : t("contexts.unlimited")),
      },
    ].filter(Boolean);
    return [
      table(t("contexts.at_concurrency_models_context", { 1: whole(answer.concurrency), 2: whole(answer.model_context_tokens) }), columns, own),
      answer.omitted_layouts && element("p", { class: "hint" }, t("contexts.more_layouts_omitted", { 1: whole(answer.omitted_layouts) })),
    ].filter(Boolean);
  }

  /** Of a pair on two kinds both are its own. */
  isOwn(device) {
    return device === this.device.device || this.device.device.split(" + ").includes(device);
  }
}

function count(value, otherwise) {
  return value === undefined ? otherwise : whole(value);
}
