import { ProblemError } from "./api.js";
import { firstAble } from "./commands.js";
import { copy, element, fill, freshId } from "./dom.js";
import { t } from "./language.js";

/**
 * The rows of a result that commands start, and which device each is of.
 *
 * @param {Object} [device] the kind that is meant; deployments for a demand say theirs
 */
export function startable({ capacity }, device) {
  if (!capacity) {
    return { labels: rowLabels(device), deviceOf: () => device.device };
  }
  const { rows, shortfalls = [] } = capacity;
  const deployments = rows.length > 0 ? rows : shortfalls.flatMap(({ needed }) => needed);
  return { labels: deployments.map(deploymentLabel), deviceOf: (rank) => deployments[rank - 1].device };
}

function deploymentLabel({ device, num_devices: devices, instances }) {
  return `${devices} × ${device}, ${instances.map(({ count, load }) => `${count} × ${load.parallel.label}`).join(" → ")}`;
}

/** What each rank stands for. */
function rowLabels({ phases, pd_ratio: pairs }) {
  if (pairs) {
    return pairs.rows.map(({ parallel_p: prefill, parallel_d: decode }) => `${prefill.label} → ${decode.label}`);
  }
  const fewest = Math.min(...phases.map(({ rows }) => rows.length));
  return Array.from({ length: fewest }, (_, rank) => phases.map(({ rows }) => rows[rank].parallel.label).join(", "));
}

/** Where one chooses an engine and a row, and copies what starts it. */
export class LaunchPanel {
  /** @param {boolean} open whether the commands are shown before anybody asks */
  constructor({ labels, deviceOf }, commands, open = false) {
    Object.assign(this, { deviceOf, commands });
    this.engine = element("select", { id: freshId("launch") });
    this.row = choice(labels.map((label, rank) => ({ value: rank + 1, text: `${rank + 1}: ${label}` })));
    this.context = choice([
      { value: "", text: t("launch.as_requested") },
      { value: "longest", text: t("launch.longest_that_fits") },
    ]);
    this.form = choice([
      { value: "", text: t("launch.commands") },
      { value: "deployment", text: t("launch.kubernetes_deployments") },
      { value: "leaderworkerset", text: t("launch.kubernetes_leaderworkersets") },
      { value: "dynamo", text: t("launch.dynamo_graph") },
      { value: "llm-d", text: t("launch.llm_d_values") },
      { value: "kserve", text: t("launch.kserve_llminferenceservice") },
    ]);
    this.check = element("input", { type: "checkbox", id: freshId("launch-check") });
    this.script = element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": t("launch.commands_for", { a: deviceOf(1) }) });
    this.refusals = element("ul", { class: "launch-refusals hint" });
    const copyIt = (event) => copy(this.script.textContent, event.target);
    this.copyButton = element("button", { type: "button", class: "quiet", on: { click: copyIt } }, t("common.copy"));
    this.row.addEventListener("change", () => this.refresh());
    this.check.addEventListener("change", () => this.showWhole(this.check.checked || this.isWhole()));
    [this.engine, this.context, this.form, this.check].forEach((control) => control.addEventListener("change", () => this.write()));
    this.whole = element("button", { type: "button", class: "link", "aria-pressed": "false", on: { click: () => this.showWhole(!this.isWhole()) } }, t("launch.whole_script"));
    this.node = element(
      "details",
      { class: "launch", open, on: { toggle: () => this.node.open && this.refresh() } },
      element("summary", {}, t("common.launch_on_serving_engine")),
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.engine.id }, t("launch.serving_engine")),
        this.engine,
        element("label", { for: this.row.id }, t("common.plan")),
        this.row,
        commands.ofJob && [element("label", { for: this.context.id }, t("common.longest_request")), this.context],
        commands.ofJob && [element("label", { for: this.form.id }, t("launch.format")), this.form],
        this.copyButton,
      ),
      this.refusals,
      this.script,
      element("p", { class: "launch-more hint" }, this.check, element("label", { for: this.check.id }, t("launch.include_a_benchmark")), this.whole),
    );
    this.show(null, []);
  }

  /** Which row is meant. */
  place() {
    return { rank: this.row.value, device: this.deviceOf(this.row.value) };
  }

  /** Asks which engines run the row, keeps the one that is chosen if it does, and writes its commands. */
  async refresh() {
    const place = this.place();
    this.placed = place;
    const answer = await this.answer(this.commands.engines(place));
    if (this.placed !== place || answer === null) {
      return;
    }
    if (answer instanceof ProblemError) {
      this.show(null, [answer.message]);
      return;
    }
    const able = answer.engines.filter(({ refusal }) => !refusal);
    const kept = able.find(({ engine }) => engine === this.engine.value) ?? firstAble(answer.engines);
    fill(
      this.engine,
      answer.engines.map(({ engine, title, refusal }) =>
        element("option", { value: engine, disabled: Boolean(refusal), title: refusal, selected: engine === kept?.engine }, title),
      ),
    );
    this.reasons = answer.engines.filter(({ refusal }) => refusal).map(({ refusal }) => `${refusal}.`);
    if (kept) {
      await this.write();
    } else {
      this.show(null, this.reasons);
    }
  }

  /** Nothing before it is known which engines there are: they bring their commands with them. */
  async write() {
    if (!this.engine.value) {
      return;
    }
    const asked = { engine: this.engine.value, ...this.place() };
    if (this.context.value) {
      asked.context_tokens = this.context.value;
    }
    const kind = this.form.value;
    this.check.disabled = kind !== "";
    if (kind) {
      asked.format = kind;
    } else {
      asked.benchmark = this.check.checked;
    }
    this.asked = asked;
    const answer = await this.answer(this.commands.script(asked));
    if (this.asked !== asked || answer === null) {
      return;
    }
    if (answer instanceof ProblemError) {
      this.show(null, [answer.message]);
    } else {
      this.show(answer, this.reasons);
    }
  }

  /** Shows commands, or that there are none to copy, and what stands in the way. */
  show(script, reasons) {
    this.text = script ?? "";
    this.showWhole(this.isWhole());
    this.script.hidden = script === null;
    this.copyButton.disabled = script === null;
    fill(
      this.refusals,
      reasons.map((reason) => element("li", {}, reason)),
    );
    this.refusals.hidden = script !== null || reasons.length === 0;
  }

  isWhole() {
    return this.whole.getAttribute("aria-pressed") === "true";
  }

  /** Shows the whole script, or the commands of the servers alone. */
  showWhole(isWhole) {
    const servers = this.form.value === "" ? serversOf(this.text) : this.text;
    this.whole.hidden = servers === this.text;
    this.whole.setAttribute("aria-pressed", String(isWhole));
    this.script.textContent = isWhole ? this.text : servers;
  }

  /** What a call answers, or its problem; nothing for a call that nobody waits for any more. */
  async answer(call) {
    try {
      return await call;
    } catch (error) {
      if (error instanceof ProblemError) {
        return error;
      }
      if (error.name === "AbortError") {
        return null;
      }
      throw error;
    }
  }
}

/** Comment that begins the part of a script after its servers. */
const AFTER_SERVERS = /\n# (router|benchmark)/;

/** The commands that start servers, without comments, router and benchmark. */
export function serversOf(script) {
  const end = script.search(AFTER_SERVERS);
  return (end < 0 ? script : script.slice(0, end)).split("\n").filter((line) => !line.startsWith("# ")).join("\n").trim();
}

function choice(options) {
  return element(
    "select",
    { id: freshId("launch") },
    options.map(({ value, text }) => element("option", { value }, text)),
  );
}
