import { simulate } from "./api.js";
import { figureCell, figureInWords, flagsExplained } from "./bands.js";
import { CurlPanel } from "./curl.js";
import { announce, element, field, fill, freshId } from "./dom.js";
import { decimals, layout, whole } from "./format.js";
import { replays } from "./replay.js";
import { isPair, nameOf, pairOf, sidesInWords, sizesOf } from "./simulatedpair.js";
import { table } from "./table.js";
import { timeline } from "./timeline.js";
import { ofDevice } from "./words.js";

const LOADS = [
  { member: "concurrency", name: "Requests outstanding" },
  { member: "request_rate", name: "Requests a second" },
];

/** Turns wait for the answer to the one before. */
const TURNS = { member: "concurrency", name: "Conversations open" };

/** Longer lists of requests are not worth reading in a command. */
const MOST_IN_A_COMMAND = 1000;

/** One row of a measured device, of equal replicas or of a pair, under load, request by request: percentiles and a timeline. */
export class SimulationPanel {
  constructor({ rows }, device, request) {
    this.rows = rows;
    this.device = device;
    this.request = request;
    this.obstacle = obstacleOf(request);
    this.loads = request.workload.conversation ? [TURNS] : [...LOADS, ...replays()];
    this.outcome = element("div", {});
    this.node = element(
      "section",
      { class: "card simulation" },
      element("h3", {}, "Under load, request by request"),
      element(
        "p",
        { class: "hint" },
        "Percentiles have no formula: they come from simulating every request of a benchmark, or of arrivals at a rate, on one of the layouts.",
      ),
      this.obstacle ? element("p", {}, this.obstacle) : this.controls(),
      this.outcome,
    );
  }

  controls() {
    const [row, load, amount, spread] = ["layout", "load", "amount", "spread"].map((part) => freshId(`simulated-${part}`));
    this.row = element(
      "select",
      { id: row, on: { change: () => this.propose() } },
      this.rows.map((one) => element("option", {}, nameOf(one))),
    );
    this.load = element(
      "select",
      { id: load, on: { change: () => this.propose() } },
      this.loads.map(({ name }) => element("option", {}, name)),
    );
    this.amount = element("input", { id: amount, inputmode: "decimal" });
    this.spread = element("input", { id: spread, inputmode: "decimal", value: this.request.traffic?.random_range_ratio ?? 1 });
    this.button = element("button", { type: "submit" }, "Simulate");
    this.propose();
    const run = (event) => {
      event.preventDefault();
      this.run();
    };
    const short = (label, control) => field(label, control, { short: true });
    return element(
      "form",
      { class: "row simulation-form", on: { submit: run } },
      short("Layout simulated", this.row),
      short("Load", this.load),
      short("How many", this.amount),
      hasMixedLengths(this.request.workload) ? [] : short("Shortest length (share)", this.spread),
      this.button,
    );
  }

  /** A button that simulates a row; none where that cannot be asked. */
  buttonFor(row) {
    const show = () => {
      this.row.selectedIndex = this.rows.indexOf(row);
      this.propose();
      this.node.scrollIntoView({ block: "start" });
      this.run();
    };
    const label = `Simulate ${layout(row.parallel)}`;
    return this.obstacle ? "–" : element("button", { type: "button", class: "quiet", "aria-label": label, on: { click: show } }, "Simulate");
  }

  /** The load that the search found for the row: its concurrency, or nine tenths of its requests a second. */
  propose() {
    const row = this.rows[this.row.selectedIndex];
    const { member, requests } = this.chosen();
    this.amount.value = member === "request_rate" ? Number((0.9 * row.requests_per_s).toPrecision(2)) : outstanding(row);
    this.amount.disabled = member === "replay";
    this.spread.disabled = requests !== undefined;
  }

  chosen() {
    return this.loads[this.load.selectedIndex];
  }

  async run() {
    const question = this.question(this.rows[this.row.selectedIndex]);
    this.button.disabled = true;
    fill(this.outcome, element("p", { class: "loading" }, "Simulating…"));
    try {
      const answer = await simulate(question);
      fill(this.outcome, this.shown(answer, question));
      announce("The simulation is done");
    } catch (error) {
      if (!error.problem) {
        throw error;
      }
      fill(this.outcome, refusal(error));
      announce("The simulation was refused");
    } finally {
      this.button.disabled = false;
    }
  }

  question(row) {
    const { request, device } = this;
    const { member, requests } = this.chosen();
    const amount = asNumber(this.amount.value);
    if (requests) {
      const traffic = member === "replay" ? {} : { [member]: amount, waves: request.traffic?.waves };
      return { ...simulationOf(row, device, request, traffic), workload: { requests } };
    }
    return simulationOf(row, device, request, {
      [member]: amount,
      ...(member === "request_rate" ? {} : { waves: request.traffic?.waves }),
      random_range_ratio: asNumber(this.spread.value),
      ...(member === "concurrency" && isStaggered(row) && asNumber(this.spread.value) === 1 ? { staggered: true } : {}),
    });
  }

  shown(answer, question) {
    const replicas = answer.replicas > 1 ? ` at ${answer.replicas} replicas` : "";
    return [
      element(
        "p",
        {},
        `${loadInWords(question)}${replicas}: `,
        element("strong", {}, figureInWords(answer, "tokens_per_s", 0, "tokens/s")),
        answer.pair ? `. ${whole(answer.requests)} requests were simulated.` : `. ${whole(answer.requests)} requests of one rank were simulated.`,
      ),
      answer.pair && element("p", { class: "hint" }, sidesInWords(answer.pair)),
      answer.turns &&
        element(
          "p",
          { class: "hint" },
          `The cache has ${decimals(100 * answer.turns.hit_rate, 1)} % of the prompts’ tokens: ${decimals(100 * answer.turns.turns_found, 1)} % of the turns after the first find the one before.`,
        ),
      answer.stagger_ms !== undefined &&
        element(
          "p",
          { class: "hint" },
          "All requests have the same lengths. So that they do not start and end together, each client waits once, after its first answer, " +
            `for its share of the ${decimals(answer.stagger_ms, 0)} ms that one request takes in the law, as for the percentiles of the search.`,
        ),
      inStep(question) &&
        element(
          "p",
          { class: "hint" },
          "All requests have the same lengths, so they start and end together, and wait for each other in waves. " +
            "Benchmarks spread lengths: 0.8 is usual.",
        ),
      answer.speculation &&
        element(
          "p",
          { class: "hint" },
          `A step takes ${decimals(answer.step_mean_ms, 2)} ms in the mean and yields ${answer.speculation.acceptance_length} tokens of each request; ` +
            "TPOT is that of one user. No request is luckier with its drafts than another.",
        ),
      statisticsTable(answer),
      flagsExplained([answer]),
      timeline(answer),
      (question.workload.requests?.input_tokens.length ?? 0) <= MOST_IN_A_COMMAND &&
        element("details", {}, element("summary", {}, "The same with curl"), new CurlPanel(question, "simulations").node),
    ];
  }
}

/** A row under a load of the lengths of its question, with p95. */
export function simulationOf(row, device, request, traffic) {
  const kind = row.device_p ?? device.device;
  return {
    model_id: request.model_id,
    model_config: request.model_config,
    device: kind,
    device_profile: request.device_profiles?.find(({ name }) => name === kind),
    engine: engineOf(request.engine, kind),
    quantization: { scheme: ofDevice(request.quantization.scheme, kind) },
    ...(isPair(row) ? { pair: pairOf(row, request) } : { parallel: sizesOf(row.parallel), num_devices: device.num_devices }),
    workload: lengthsOf(request.workload),
    traffic,
    speculation: draftsOf(row, request.speculation),
    percentiles: [95],
    band_coverage: request.band_coverage,
    allow_beyond_context: request.allow_beyond_context,
  };
}

function loadInWords({ workload, traffic: { concurrency, request_rate: rate } }) {
  if (concurrency !== undefined) {
    return `${whole(concurrency)} ${workload.conversation ? "conversations open" : "requests outstanding"}`;
  }
  return workload.requests ? `${whole(workload.requests.input_tokens.length)} requests at their times` : `${decimals(rate, 2)} requests a second`;
}

/** Requests that clients keep outstanding; of turns the conversations that are open, as many of each rank. */
export function outstanding(row) {
  const ranks = (row.parallel?.dp ?? 1) * (row.replicas ?? 1);
  return row.open_conversations === undefined ? row.concurrency : ranks * Math.max(1, Math.round(row.open_conversations / ranks));
}

/** What the decode steps of a row draft: of a list of numbers its own. */
function draftsOf(row, speculation) {
  const tokens = (row.parallel_d ?? row.parallel).variant?.num_mtp_tokens;
  return speculation && tokens ? { ...speculation, num_draft_tokens: tokens } : undefined;
}

/** Equal requests of a closed loop never get out of step by themselves. */
function inStep({ workload, traffic: { concurrency, random_range_ratio: ratio, staggered } }) {
  return concurrency > 1 && ratio === 1 && !staggered && !hasMixedLengths(workload);
}

/** What a workload says of lengths. */
function lengthsOf({ input_length, length_distribution, output_length, output_distribution, conversation }) {
  return { input_length, length_distribution, output_length, output_distribution, conversation };
}

export function hasMixedLengths({ length_distribution: inputs, output_distribution: outputs, requests, conversation }) {
  return Boolean(inputs || outputs || requests || conversation);
}

/** Whether clients get out of step: where the search simulated the row so, and of pairs, whose law has them so. */
function isStaggered(row) {
  return isPair(row) || row.simulation?.stagger_ms !== undefined;
}

/** A number, or a text that is none as it is: the service says what is wrong with it. */
function asNumber(text) {
  const value = Number(text);
  return Number.isFinite(value) && text.trim() !== "" ? value : text;
}

/** The engine of one device, where a search may have one for each. */
function engineOf(engine, device) {
  return Object.fromEntries(Object.entries(engine).map(([member, value]) => [member, ofDevice(value, device)]));
}

function statisticsTable(answer) {
  const rows = [
    ["Mean", "mean"],
    ["p50", "p50"],
    ["p90", "p90"],
    ["p95", "ms"],
    ["p99", "p99"],
  ].map(([name, member]) => ({ name, flags: answer.flags, ...figure("ttft", answer.ttft_ms, member), ...figure("tpot", answer.tpot_ms, member), ...figure("whole", answer.e2e_latency_ms, member) }));
  return table(
    "What clients see",
    [
      { title: "Statistic", text: (row) => row.name, className: "words" },
      { title: "TTFT (ms)", text: (row) => figureCell(row, "ttft", 1) },
      { title: "TPOT (ms)", text: (row) => figureCell(row, "tpot", 1) },
      { title: "Request latency (ms)", text: (row) => figureCell(row, "whole", 1) },
    ],
    rows,
  );
}

/** A statistic with its ends, under the names by which figures of a row are found. */
function figure(name, statistics, member) {
  const holder = member === "ms" ? statistics?.others[0] : statistics;
  return { [name]: holder?.[member], [`${name}_band`]: holder?.[`${member}_band`], [`${name}_range`]: holder?.[`${member}_range`] };
}

/** What a search may ask and a simulation may not; empty if nothing of it is asked. */
export function obstacleOf({ workload, engine }) {
  if (workload.prefix_cache_hit_rate > 0) {
    return "Simulations know no prefix cache, and the question has one.";
  }
  return engine.poll_interval > 1 ? "Simulations look at new requests every step, and the engine of the question does not." : "";
}

function refusal({ problem, message }) {
  return element(
    "div",
    { class: "problem", role: "alert" },
    problem.errors
      ? element("ul", {}, problem.errors.map((fault) => element("li", {}, element("code", {}, fault.pointer.slice(1).replaceAll("/", ".")), ` ${fault.message}`)))
      : element("p", {}, message),
  );
}
