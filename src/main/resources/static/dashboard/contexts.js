import { contexts, ProblemError } from "./api.js";
import { element, fill, freshId } from "./dom.js";
import { layout, whole } from "./format.js";
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
    this.concurrency = number("context-requests", "1");
    this.tokens = number("context-tokens", "");
    this.answered = element("div", { "aria-live": "polite" });
    this.node = element(
      "details",
      { class: "contexts", on: { toggle: () => this.node.open && this.ask() } },
      element("summary", {}, "How long requests may get"),
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.concurrency.id }, "Longest, of so many at once"),
        this.concurrency,
        element("label", { for: this.tokens.id }, "Most, of so many tokens each"),
        this.tokens,
      ),
      element("p", { class: "hint" }, "Tokens of a request are those of its prompt and its whole answer."),
      this.answered,
    );
    [this.concurrency, this.tokens].forEach((control) => control.addEventListener("input", () => this.soon()));
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SOON_MS);
  }

  async ask() {
    const wrong = [this.concurrency, this.tokens].find((control) => !control.checkValidity());
    if (wrong) {
      this.asked = null;
      fill(this.answered, element("p", { class: "hint" }, `${wrong.labels[0].textContent}: ${wrong.validationMessage}`));
      return;
    }
    const asked = { concurrency: this.concurrency.value || "1" };
    if (this.tokens.value) {
      asked.context_tokens = this.tokens.value;
    }
    this.asked = asked;
    const shown = await this.answer(asked);
    if (this.asked === asked && shown !== null) {
      fill(this.answered, shown);
    }
  }

  /** A table, or the problem in words; nothing for a call that nobody waits for any more. */
  async answer(asked) {
    try {
      const answer = await contexts(this.job.id, asked, this.signal);
      this.tokens.placeholder = String(answer.context_tokens);
      return this.layouts(answer);
    } catch (error) {
      if (error instanceof ProblemError) {
        return element("p", { class: "hint" }, error.message);
      }
      if (error.name === "AbortError") {
        return null;
      }
      throw error;
    }
  }

  layouts(answer) {
    const own = answer.layouts.filter(({ device }) => !this.device || this.isOwn(device));
    const phases = new Set(own.map(({ phase }) => phase));
    const columns = [
      !this.device && { title: "Device", text: ({ device }) => device, className: "words" },
      phases.size > 1 && { title: "Phase", text: ({ phase }) => phaseName(phase), className: "words" },
      { title: "Layout", text: ({ parallel }) => layout(parallel), className: "words" },
      { title: "Devices", text: ({ num_devices: devices }) => whole(devices) },
      { title: "Longest request", text: (row) => count(row.longest_context_tokens, row.obstacle ?? "none") },
      { title: "By memory alone", text: (row) => count(row.memory_context_tokens, "") },
      {
        title: `Requests of ${whole(answer.context_tokens)} at once`,
        text: (row) => count(row.most_requests, row.obstacle ? "" : "no limit"),
      },
    ].filter(Boolean);
    return [
      table(`Of ${whole(answer.concurrency)} at once; the model is made for ${whole(answer.model_context_tokens)} tokens`, columns, own),
      answer.omitted_layouts && element("p", { class: "hint" }, `${whole(answer.omitted_layouts)} further layouts are left out.`),
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

function number(name, value) {
  return element("input", { type: "number", id: freshId(name), min: "1", step: "1", inputmode: "numeric", value });
}
