import { answerOf, autoscaling, autoscalingUnstored, launch, launchEngines, launchUnstored, manifests, ProblemError } from "./api.js";
import { copy, copyLater, element, fill, freshId, select } from "./dom.js";
import { decimals, layout } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

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
  const labels = deployments.map(({ device: name, num_devices: devices, instances }) => `${devices} × ${name}, ${instances.map(({ count, load }) => `${count} × ${layout(load.parallel)}`).join(" → ")}`);
  return { labels, deviceOf: (rank) => deployments[rank - 1].device };
}

/** What each rank stands for. */
function rowLabels({ phases, pd_ratio: pairs }) {
  if (pairs) {
    return pairs.rows.map(({ parallel_p: prefill, parallel_d: decode }) => `${layout(prefill)} → ${layout(decode)}`);
  }
  const fewest = Math.min(...phases.map(({ rows }) => rows.length));
  return Array.from({ length: fewest }, (_, rank) => phases.map(({ rows }) => layout(rows[rank].parallel)).join(", "));
}

/** Formats of what starts a plan: commands, and files for Kubernetes. */
const FORMS = ["", "deployment", "leaderworkerset", "dynamo", "llm-d", "kserve"];

/** Where one chooses an engine and a row, and copies what starts it. */
export class LaunchPanel {
  /** @param {boolean} open whether the commands are shown before anybody asks */
  constructor({ labels, deviceOf }, commands, open = false) {
    Object.assign(this, { deviceOf, commands });
    this.engine = select([]);
    this.row = select(labels.map((label, rank) => [rank + 1, `${rank + 1}: ${label}`]));
    this.context = select([
      ["", t("launch.as_requested")],
      ["longest", t("launch.longest_that_fits")],
    ]);
    this.form = select(FORMS.map((form) => [form, t(`launch_form.${form || "commands"}`)]));
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
    this.show("", []);
  }

  /** Which row is meant. */
  place() {
    return { rank: this.row.value, device: this.deviceOf(this.row.value) };
  }

  /** Asks which engines run the row, keeps the one that is chosen if it does, and writes its commands. */
  async refresh() {
    const place = this.place();
    this.placed = place;
    const answer = await answerOf(this.commands.engines(place));
    if (this.placed !== place || !answer) {
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
    const format = this.form.value || undefined;
    this.check.disabled = format !== undefined;
    const asked = { engine: this.engine.value, ...this.place(), context_tokens: this.context.value || undefined, format, benchmark: format ? undefined : this.check.checked };
    this.asked = asked;
    const answer = await answerOf(this.commands.script(asked));
    if (this.asked !== asked || answer === undefined) {
      return;
    }
    this.show(...(answer instanceof ProblemError ? [null, [answer.message]] : [answer, this.reasons]));
  }

  /** Shows commands, or that there are none to copy, and what stands in the way. */
  show(script, reasons) {
    this.text = script ?? "";
    this.showWhole(this.isWhole());
    this.script.hidden = script === null;
    this.copyButton.disabled = !script;
    fill(this.refusals, reasons.map((reason) => element("li", {}, reason)));
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
}

/** Comment that begins the part of a script after its servers. */
const AFTER_SERVERS = /\n# (router|benchmark)/;

/** The commands that start servers, without comments, router and benchmark. */
export function serversOf(script) {
  const end = script.search(AFTER_SERVERS);
  return (end < 0 ? script : script.slice(0, end)).split("\n").filter((line) => !line.startsWith("# ")).join("\n").trim();
}

/** The commands of a job's rows: which engines start a row, and what one of them is told. */
export function commandsOfJob(id, signal) {
  return {
    engines: (place) => launchEngines(id, place, signal),
    script: (asked) => (asked.format ? manifests : launch)(id, asked, signal),
    autoscaling: (asked) => autoscaling(id, asked, signal),
    ofJob: true,
  };
}

/**
 * The same of a result that is not stored. Those of its best row came with it; for others the question is asked again.
 *
 * @param {Object} best what starts the best row: its engine, its script, and all engines
 * @param {string} [leader] the kind of device that the best row is of
 */
export function commandsOfAnswer(request, best, leader, signal) {
  const isThere = ({ engine, rank, device, benchmark }) =>
    !benchmark && Number(rank) === 1 && engine === best.engine && (leader === undefined || device === leader);
  return {
    engines: async () => best,
    script: async (asked) => (isThere(asked) ? best.script : launchUnstored(request, asked, signal)),
    autoscaling: (asked) => autoscalingUnstored(request, asked, signal),
  };
}

/** The engine to start with: the one of the plan, unless it cannot start the row. */
function firstAble(engines) {
  const able = engines.filter(({ refusal }) => !refusal);
  return able.find(({ chosen }) => chosen) ?? able[0];
}

/** What starts a row on the engine to start with. */
export async function scriptOf(commands, place) {
  const { engines } = await commands.engines(place);
  const engine = firstAble(engines)?.engine ?? engines[0].engine;
  return commands.script({ engine, ...place, benchmark: false });
}

/** Copies the commands of one row, for the engine to start with. */
function commandButton(commands, place) {
  const script = () => scriptOf(commands, place);
  return element(
    "button",
    { type: "button", class: "quiet command", title: t("commands.copy_launch_commands_this"), on: { click: ({ target }) => copyLater(script, target) } },
    t("common.copy"),
    element("span", { class: "visually-hidden" }, ` ${t("commands.commands_of_plan", { 1: place.rank })}`),
  );
}

/** A column of such buttons. */
export function commandColumn(commands, deviceOf) {
  return {
    title: t("commands.command"),
    text: (row, index) => commandButton(commands, { rank: index + 1, device: deviceOf(index + 1) }),
    className: "action",
  };
}

const PLANNER = "dynamo";

/** Autoscalers and their names. */
const FORMATS = [
  ["keda", "KEDA"],
  ["hpa", "HPA"],
  ["wva", "llm-d WVA"],
  ["llm-d", t("autoscale.llm_d_router")],
  [PLANNER, t("autoscale.dynamo_planner")],
];

/** Numbers that are listed: the others are in the files. */
const LISTED = ["target_concurrency", "concurrency", "requests_per_s", "kv_cache_threshold", "queue_length_threshold", "min_replicas", "max_replicas"];

/**
 * Files and numbers for an autoscaler of a plan for a demand, asked for when the panel opens; nothing for other answers.
 *
 * @param {function} ask answers parameters of the autoscaler for a query
 */
export function autoscalePanel({ capacity }, ask) {
  if (!capacity?.rows.length) {
    return undefined;
  }
  const aggregated = capacity.rows.findIndex(({ deployment }) => deployment === "aggregated");
  const formats = aggregated < 0 ? FORMATS.filter(([format]) => format === PLANNER) : FORMATS;
  const format = select(formats, () => show(), { "aria-label": t("autoscale.autoscaler") });
  const rates = element("input", { type: "text", "aria-label": t("autoscale.rates"), placeholder: t("autoscale.rates"), on: { change: () => show() } });
  const files = element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": t("autoscale.files") });
  const numbers = element("div", {});
  const copyButton = element("button", { type: "button", class: "quiet", disabled: true, on: { click: ({ target }) => copy(files.textContent, target) } }, t("common.copy"));
  let last;

  async function show() {
    const query = { formats: format.value, rank: Math.max(aggregated, 0) + 1, rate_profile: rates.value.replaceAll(/\s/g, "") };
    last = query;
    const answer = await answerOf(ask(query));
    if (last === query && answer) {
      files.textContent = answer.message ?? (answer.files.map(({ content }) => content).join("---\n") || answer.notes.join("\n"));
      copyButton.disabled = !answer.files?.length;
      fill(numbers, answer.parameters && listing(answer));
    }
  }

  const node = element(
    "details",
    { class: "autoscale", on: { toggle: () => node.open && !last && show() } },
    element("summary", {}, t("autoscale.autoscale")),
    element("div", { class: "curl-options" }, format, rates, copyButton),
    files,
    numbers,
  );
  return node;
}

/** The numbers with their intervals and formulas, and the device hours of rates over time. */
function listing({ parameters, schedule, notes }) {
  const rows = LISTED.map((name) => parameters.find((one) => one.name === name)).filter(Boolean);
  const columns = [
    { title: t("autoscale.number"), text: ({ name, formula }) => element("span", { title: formula }, name), className: "words" },
    { title: t("autoscale.value"), text: ({ value }) => shown(value) },
    { title: t("autoscale.interval"), text: ({ low, high }) => (low === undefined || high === undefined ? "" : `${shown(low)} – ${shown(high)}`) },
  ];
  return [
    table(t("autoscale.numbers"), columns, rows),
    schedule && element("p", { class: "hint" }, t("autoscale.device_hours", { 1: shown(schedule.device_hours), 2: shown(schedule.fixed_device_hours) })),
    notes.map((note) => element("p", { class: "hint" }, note)),
  ];
}

function shown(value) {
  return decimals(value, Number.isInteger(value) ? 0 : 2);
}
