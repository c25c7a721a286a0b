import { answerOf, ProblemError, simulate } from "./api.js";
import { endsOf, figureCell, figureInWords, flagsExplained } from "./bands.js";
import { chartPanel } from "./chartpanel.js";
import { CurlPanel } from "./curl.js";
import { announce, element, field, fill, freshId, select } from "./dom.js";
import { number } from "./fields.js";
import { decimals, layout, whole } from "./format.js";
import { t } from "./language.js";
import { errorList } from "./problems.js";
import { table } from "./table.js";
import { ofDevice } from "./words.js";

const LOADS = [
  { member: "concurrency", name: t("common.concurrency") },
  { member: "request_rate", name: t("simulation.request_rate_requests_s") },
];

/** Turns wait for the answer to the one before. */
const TURNS = { member: "concurrency", name: t("simulation.open_conversations") };

/** Longer lists of requests are not worth reading in a command. */
const MOST_IN_A_COMMAND = 1000;

/** One row of a measured device, of equal replicas or of a pair, under load, request by request: percentiles and a timeline. */
export class SimulationPanel {
  constructor({ rows }, device, request, signal) {
    Object.assign(this, { rows, device, request, signal });
    this.obstacle = obstacleOf(request);
    this.loads = request.workload.conversation ? [TURNS] : [...LOADS, ...replays()];
    this.outcome = element("div", {});
    this.node = element(
      "section",
      { class: "card simulation" },
      element("h3", {}, t("common.simulation")),
      element("p", { class: "hint" }, t("simulation.simulates_every_request_benchmark")),
      this.obstacle ? element("p", {}, this.obstacle) : this.controls(),
      this.outcome,
    );
  }

  controls() {
    this.row = select(this.rows.map((row) => [nameOf(row)]), () => this.propose());
    this.load = select(this.loads.map(({ name }) => [name]), () => this.propose());
    this.amount = element("input", { id: freshId("amount"), inputmode: "decimal" });
    this.spread = element("input", { id: freshId("spread"), inputmode: "decimal", value: this.request.traffic?.random_range_ratio ?? 1 });
    this.button = element("button", { type: "submit" }, t("simulation.simulate"));
    this.propose();
    const run = (event) => {
      event.preventDefault();
      this.run();
    };
    const short = (label, control) => field(label, control, { short: true });
    return element(
      "form",
      { class: "row simulation-form", on: { submit: run } },
      short(t("simulation.simulated_layout"), this.row),
      short(t("simulation.load"), this.load),
      short(t("simulation.amount"), this.amount),
      hasMixedLengths(this.request.workload) ? [] : short(t("common.random_range_ratio"), this.spread),
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
    const label = t("simulation.simulate_value", { a: layout(row.parallel) });
    return this.obstacle ? "–" : element("button", { type: "button", class: "quiet", "aria-label": label, on: { click: show } }, t("simulation.simulate"));
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
    fill(this.outcome, element("p", { class: "loading" }, t("simulation.simulating")));
    const answer = await answerOf(simulate(question));
    const isRefused = answer instanceof ProblemError;
    fill(this.outcome, isRefused ? element("div", { class: "problem", role: "alert" }, errorList({ detail: answer.message, ...answer.problem })) : this.shown(answer, question));
    announce(isRefused ? t("simulation.simulation_rejected") : t("simulation.simulation_finished"));
    this.button.disabled = false;
  }

  question(row) {
    const { request, device } = this;
    const { member, requests } = this.chosen();
    const amount = number(this.amount.value);
    if (requests) {
      const traffic = member === "replay" ? {} : { [member]: amount, waves: request.traffic?.waves, ttft_basis: request.slo?.ttft_basis };
      return { ...simulationOf(row, device, request, traffic), workload: { requests } };
    }
    return simulationOf(row, device, request, {
      [member]: amount,
      ...(member === "request_rate" ? {} : { waves: request.traffic?.waves, ttft_basis: request.slo?.ttft_basis }),
      random_range_ratio: number(this.spread.value),
      ...(member === "concurrency" && isStaggered(row) && number(this.spread.value) === 1 ? { staggered: true } : {}),
    });
  }

  shown(answer, question) {
    const replicas = answer.replicas > 1 ? t("simulation.replicas", { 1: answer.replicas }) : "";
    const { turns, speculation, stagger_ms: stagger } = answer;
    const hints = [
      [answer.pair, () => sidesInWords(answer.pair)],
      [turns, () => t("simulation.prefix_cache_hits_percent", { 1: decimals(100 * turns.hit_rate, 1), 2: decimals(100 * turns.turns_found, 1) })],
      [stagger !== undefined, () => `${t("simulation.all_requests_have_same")} ${t("simulation.for_its_share_ms", { 1: decimals(stagger, 0) })}`],
      [inStep(question), () => `${t("simulation.all_requests_have_same_2")} ${t("simulation.benchmarks_vary_lengths_0")}`],
      [speculation, () => `${t("simulation.step_takes_ms_on", { 1: decimals(answer.step_mean_ms, 2), 2: speculation.acceptance_length })} ${t("simulation.tpot_per_user_all")}`],
    ];
    return [
      element(
        "p",
        {},
        `${loadInWords(question)}${replicas}: `,
        element("strong", {}, figureInWords(answer, "tokens_per_s", 0, "tokens/s")),
        answer.pair ? t("simulation.requests_simulated", { 1: whole(answer.requests) }) : t("simulation.requests_one_rank_simulated", { 1: whole(answer.requests) }),
      ),
      hints.filter(([holds]) => holds).map(([, words]) => element("p", { class: "hint" }, words())),
      statisticsTable(answer),
      flagsExplained([answer]),
      timeline(answer, this.signal),
      (question.workload.requests?.input_tokens.length ?? 0) <= MOST_IN_A_COMMAND &&
        element("details", {}, element("summary", {}, t("common.as_curl_command")), new CurlPanel(question, "simulations").node),
    ];
  }
}

/** A row under a load of the lengths of its question, with p95. */
export function simulationOf(row, device, request, traffic) {
  const { input_length, length_distribution, output_length, output_distribution, conversation } = request.workload;
  const kind = row.device_p ?? device.device;
  return {
    model_id: request.model_id,
    model_config: request.model_config,
    device: kind,
    device_profile: request.device_profiles?.find(({ name }) => name === kind),
    engine: engineOf(request.engine, kind),
    quantization: { scheme: ofDevice(request.quantization.scheme, kind) },
    ...(isPair(row) ? { pair: pairOf(row, request) } : { parallel: sizesOf(row.parallel), num_devices: device.num_devices }),
    workload: { input_length, length_distribution, output_length, output_distribution, conversation },
    traffic,
    speculation: draftsOf(row, request.speculation),
    percentiles: [95],
    band_coverage: request.band_coverage,
    allow_beyond_context: request.allow_beyond_context,
  };
}

function loadInWords({ workload, traffic: { concurrency, request_rate: rate } }) {
  if (concurrency !== undefined) {
    return `${whole(concurrency)} ${workload.conversation ? t("simulation.open_conversations_inline") : t("simulation.concurrent_requests")}`;
  }
  return workload.requests ? t("simulation.requests_at_their_timestamps", { 1: whole(workload.requests.input_tokens.length) }) : t("common.requests_s_value", { a: decimals(rate, 2) });
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

export function hasMixedLengths({ length_distribution: inputs, output_distribution: outputs, requests, conversation }) {
  return Boolean(inputs || outputs || requests || conversation);
}

/** Whether clients get out of step: where the search simulated the row so, and of pairs, whose law has them so. */
function isStaggered(row) {
  return isPair(row) || row.simulation?.stagger_ms !== undefined;
}

/** The engine of one device, where a search may have one for each. */
function engineOf(engine, device) {
  return Object.fromEntries(Object.entries(engine).map(([member, value]) => [member, ofDevice(value, device)]));
}

function statisticsTable(answer) {
  const rows = [
    [t("common.mean"), "mean"],
    ["p50", "p50"],
    ["p90", "p90"],
    ["p95", "ms"],
    ["p99", "p99"],
  ].map(([name, member]) => ({ name, flags: answer.flags, ...figure("ttft", answer.ttft_ms, member), ...figure("tpot", answer.tpot_ms, member), ...figure("whole", answer.e2e_latency_ms, member) }));
  return table(
    t("simulation.client_side_latency"),
    [
      { title: t("simulation.statistic"), text: (row) => row.name, className: "words" },
      { title: t("common.ttft_ms"), text: (row) => figureCell(row, "ttft", 1) },
      { title: t("common.tpot_ms"), text: (row) => figureCell(row, "tpot", 1) },
      { title: t("common.e2e_latency_ms"), text: (row) => figureCell(row, "whole", 1) },
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
    return t("simulation.simulations_do_not_support");
  }
  return engine.poll_interval > 1 ? t("simulation.simulations_do_not_support_2") : "";
}

/** Whether a row is of prefill instances that feed decode instances. */
function isPair(row) {
  return row.parallel_d !== undefined;
}

/** What is simulated of a row, for a list of them. */
function nameOf(row) {
  return isPair(row)
    ? `${row.prefill_instances} × ${layout(row.parallel_p)} : ${row.decode_instances} × ${layout(row.parallel_d)}`
    : layout(row.parallel);
}

function sizesOf({ tp, dp, ep }) {
  return { tp, dp, ep };
}

/** The instances of a row, as simulations take them. */
function pairOf(row, request) {
  return {
    prefill: { parallel: sizesOf(row.parallel_p), instances: row.prefill_instances },
    decode: { parallel: sizesOf(row.parallel_d), instances: row.decode_instances, device: row.device_d },
    kv_transfer: request.pd_ratio?.kv_transfer,
  };
}

function sidesInWords({ prefill, decode }) {
  return (
    `${t("simulatedpair.prefill_ranks_busy_percent", { 1: decimals(100 * prefill.busy, 0), 2: decimals(prefill.wait_ms, 0) })} ` +
    t("simulatedpair.decode_ranks_busy_percent", { 1: decimals(100 * decode.busy, 0), 2: decimals(decode.running, 1) })
  );
}

/** What a simulated deployment did over time: requests that run and wait, and throughput with the band of its mean. */
function timeline(answer, signal) {
  const { timeline: parts, tokens_per_s: mean } = answer;
  const ends = endsOf(answer, "tokens_per_s");
  const series = (label, member) => ({
    label,
    quiet: true,
    points: parts.flatMap((part) => [part.start_ms, part.end_ms].map((millis) => ({ x: millis / 1000, y: part[member], withinSlo: true }))),
  });
  const level = [0, parts.at(-1).end_ms / 1000].map((x) => ({ x, y: mean, ends, withinSlo: true }));
  const chart = (title, lines) => ({
    title,
    kind: title,
    note: t("timeline.mean_of_each_interval"),
    x: { name: t("timeline.time_s"), label: t("timeline.time_s"), limit: null },
    y: { name: title, label: title, limit: null },
    series: lines,
  });
  const panels = [
    chart(t("common.requests"), [series(t("timeline.running"), "running"), series(t("timeline.waiting"), "waiting")]),
    chart(t("common.tokens_s"), [series(t("common.tokens_s"), "tokens_per_s"), { label: t("common.mean"), quiet: true, points: level }]),
  ];
  return element("div", { class: "columns timeline" }, panels.map((one) => chartPanel(t("timeline.timeline"), [one], signal)));
}

/** What simulations can replay of the trace that was read last; nothing where it has too many requests. */
let kept;

/** @param {Object} requests as the service answers them; none where they cannot be replayed */
export function keepForReplay(name, requests) {
  kept = requests && { name, requests };
}

/** Loads that replay the trace that was read last, as simulations offer them. */
function replays() {
  if (!kept) {
    return [];
  }
  const { name, requests } = kept;
  const { sent_ms: times, ...lengths } = requests;
  return [
    times && { member: "replay", name: t("replay.requests_at_their_timestamps", { A: name }), requests },
    { member: "concurrency", name: t("replay.requests_at_fixed_concurrency", { A: name }), requests: lengths },
  ].filter(Boolean);
}
