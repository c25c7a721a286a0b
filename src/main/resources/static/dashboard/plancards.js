import { ran } from "./accuracy.js";
import { answerCards } from "./answer.js";
import { accuracy, answerOf, askBeside, askWhole } from "./api.js";
import { endsOf, rounded } from "./bands.js";
import { memoryBars } from "./bars.js";
import { ChartPanel } from "./chartpanel.js";
import { element, fill, pause, saveFile, tool } from "./dom.js";
import { changeInWords, helpful, turnLink } from "./explanation.js";
import { decimals, layout, percent, plain, whole } from "./format.js";
import { t } from "./language.js";
import { autoscalePanel, commandColumn, commandsOfAnswer, LaunchPanel, startable } from "./launch.js";
import { costOf, money } from "./money.js";
import { bestDevice } from "./results.js";
import { table } from "./table.js";
import { bindsInWords, devicesOf, devicesOfPair, limitsOf } from "./words.js";

/** Pause after the last change before more than the answer is asked for. */
const PAUSE_MILLIS = 900;

/** Changes that are named. */
const HELPFUL = 4;

/** Maximum layouts whose memory is drawn. */
const DRAWN = 5;

/**
 * The answer as cards side by side: best plan, frontier, command and what would help; below them memory, all layouts and how sure
 * the figures are. A card that the answer has nothing for is left out.
 *
 * @param {Object} ways `signal` ends what is asked for the cards, `commands` makes commands of a device, `offer` makes the button
 *     that takes changes, `turnTo` takes a question, and `below` stands below the layouts
 * @param {Object} [device] the part of the answer about one device; by default the best
 */
export function planCards(answer, ways, device = answer.result.capacity ? undefined : bestDevice(answer.result)) {
  const { result, request } = answer;
  const frontier = device && frontierCard(device, request, ways.signal, ways.turnTo !== undefined);
  const rows = startable(result, device);
  const commands = rows.labels.length > 0 && ways.commands?.(device);
  const single = device && !device.pd_ratio && device.phases.length === 1 ? device.phases[0].rows : [];
  return element(
    "div",
    { class: frontier ? "plan-cards" : "plan-cards without-frontier" },
    element("div", {}, answerCards(answer, ways.offer && ways, device), single.length > 0 && memoryBars({ rows: single.slice(0, DRAWN) })),
    element("div", {}, frontier?.node, rows.labels.length > 1 && layouts(single, rows, device, commands, frontier, answer), ways.below),
    element(
      "div",
      { class: "command-plan" },
      commands && new LaunchPanel(rows, commands, true).node,
      commands && autoscalePanel(result, commands.autoscaling),
      rows.labels.length > 0 && device && ways.turnTo && levers(answer, device, ways),
      device?.calibration && ways.turnTo && certainty(device, request, ways.signal),
    ),
  );
}

export function commandsBy({ launch, result }, request, signal) {
  return launch && result ? (device) => commandsOfAnswer(request, launch, device?.device, signal) : undefined;
}

/** Every layout; its row and its curve light up together. */
function layouts(single, { labels, deviceOf }, device, commands, frontier, { result, request }) {
  const found = single.length > 0 ? single : (device?.pd_ratio?.rows ?? result.capacity?.rows ?? []);
  const lines = labels.map((label, index) => ({ label: single.length > 0 ? nameOf(single[index].parallel, device.num_devices) : label, ...found[index] }));
  const columns = [...rowColumns(lines, device, request), commands && commandColumn(commands, deviceOf)].filter(Boolean);
  const list = table(t("plancards.all_layouts"), columns, lines, (line) => line === lines[0]);
  if (frontier) {
    const labelAt = ({ target }) => target.closest("tr")?.querySelector("[data-layout]")?.dataset.layout ?? null;
    list.addEventListener("mouseover", (event) => highlight(frontier, labelAt(event)));
    list.addEventListener("mouseleave", () => highlight(frontier, null));
    list.addEventListener("focusin", (event) => highlight(frontier, labelAt(event)));
    frontier.pointed = (label) => list.querySelectorAll("[data-layout]").forEach((cell) => cell.closest("tr").classList.toggle("lit", cell.dataset.layout === label));
  }
  return element("section", { class: "card layouts-card" }, list);
}

/** Columns of what the rows have; cost takes the place of concurrency where prices are known. */
function rowColumns(lines, device, request) {
  const [best] = lines;
  const cost = (row) => costOf(devicesIn(row, device), row.tokens_per_s, request);
  const figure = (member, title, digits) => best[member] !== undefined && { title, text: (row) => (row[member] === undefined ? decimals() : rounded(row[member], endsOf(row, member), digits)) };
  return [
    { title: best.parallel ? t("common.layout") : t("common.deployment"), text: ({ label }) => element("span", { "data-layout": label }, label), className: "words" },
    figure("tokens_per_s", t("common.tokens_s"), 0),
    figure("ttft_ms", t("common.ttft_ms"), 0),
    figure("tpot_ms", t("common.tpot_ms"), 1),
    best.tokens_per_s && cost(best) ? { title: t("plancards.cost_per_million"), text: (row) => money(cost(row).million, request) } : figure("concurrency", t("common.concurrency"), 0),
    best.limited_by && { title: t("common.limited_by"), text: (row) => bindsInWords(row, request), className: "words" },
  ];
}

/** Number of devices of each kind that a row uses. */
function devicesIn(row, device) {
  return row.prefill_instances ? devicesOfPair(row, device) : { [row.device ?? device.device]: row.num_devices ?? device.num_devices };
}

/** What would help most, from an explanation that is searched after the answer. */
function levers(answer, device, ways) {
  const node = element("section", { class: "card levers", "aria-busy": "true" }, element("h3", {}, t("plancards.what_would_help")), element("p", { class: "hint" }, "…"));
  showLevers(node, answer, device, ways);
  return node;
}

async function showLevers(node, answer, device, { signal, turnTo }) {
  const { explain: _, percentiles: __, dump_original_results: ___, ...request } = answer.asked ?? answer.request;
  if (!answer.result.explanation) {
    answer.explained ??= await answerOf(pause(PAUSE_MILLIS, signal).then(() => askBeside({ ...request, explain: true }, signal)));
  }
  if (signal.aborted) {
    return;
  }
  const { explanation } = answer.result.explanation ? answer.result : (answer.explained.result ?? {});
  const changes = explanation ? helpful(explanation, device).filter(({ change }) => change.lever !== "device_count").slice(0, HELPFUL) : [];
  if (changes.length === 0) {
    node.remove();
    return;
  }
  node.removeAttribute("aria-busy");
  fill(
    node,
    element("h3", {}, t("plancards.what_would_help")),
    element("ul", {}, changes.map(({ change, effect_percent: effect }) => element("li", {}, change.pointer !== undefined ? turnLink([change], request, turnTo) : element("span", {}, changeInWords(change)), element("b", {}, `${effect > 0 ? "+" : "−"}${percent(Math.abs(effect))}`)))),
  );
}

/** Errors of the nearest measured servers: of the same model, else of its kind; on the same device and engine where there are any. */
function certainty(device, { model_id: model = "" }, signal) {
  const node = element("section", { class: "card certainty" }, element("h3", {}, t("plancards.how_sure")));
  showCertainty(node, device, model, signal);
  return node;
}

let measured;

/** They are loaded after the answer, for they are larger. */
async function showCertainty(node, device, model, signal) {
  await (measured ?? answerOf(pause(PAUSE_MILLIS, signal)));
  if (signal.aborted) {
    return;
  }
  measured ??= answerOf(accuracy());
  const { groups } = await measured;
  if (!groups) {
    measured = undefined;
    node.remove();
    return;
  }
  const near = nearest(groups, device, model);
  if (!signal.aborted) {
    node.append(
      element(
        "p",
        {},
        `${t(near.device === device.device ? "plancards.nearest_servers" : "plancards.nearest_servers_elsewhere", { 1: near.servers, a: near.model, b: near.device, c: near.backend, d: device.device })} `,
        element("strong", {}, t("plancards.median_error", { a: "TPOT", b: percent(near.tpot.median_percent) })),
        near.ttft ? [", ", element("strong", {}, t("plancards.median_error", { a: "TTFT", b: percent(near.ttft.median_percent) }))] : "",
        ". ",
        element("a", { href: `#/accuracy/${[near.model, near.device, near.backend].map(encodeURIComponent).join("/")}` }, t("form.see_accuracy")),
      ),
    );
  }
}

/** Models of experts have ranks of experts. */
const DENSE = /^(Llama|Qwen3-(?!\d+B-A))/;

/** Devices of one generation begin with the same letter. */
function nearest(groups, { device, engine, phases }, model) {
  const isDense = phases[0]?.rows[0]?.parallel.ep === undefined;
  const [backend] = [engine?.backend ?? engine].flat();
  const alike = groups.filter((group) => group.tpot && DENSE.test(group.model) === isDense);
  const distance = (group) => 8 * !ran(group, model) + 4 * (group.device !== device) + 2 * (group.device[0] !== device[0]) + (group.backend !== backend);
  return alike.toSorted((one, other) => distance(one) - distance(other) || other.servers - one.servers)[0];
}

const HEIGHT = 368;
const SECOND = 1000;

/** Layouts that are drawn, best first. */
const CURVES = 6;

/** Devices that are offered as further curves. */
const OTHERS = ["H100_SXM", "H200_SXM", "B200_SXM"];

/**
 * Throughput per device against the speed that each user sees, a curve for each layout: the best is ringed and has its band, and
 * the side beyond the TPOT target is shaded; `offersOthers` adds buttons for curves of other devices. Undefined where the answer has no points with a TPOT.
 */
export function frontierCard(device, request, signal, offersOthers) {
  const series = seriesOf(device);
  if (series.length === 0) {
    return undefined;
  }
  const chart = chartOf(series, device, request);
  const add = async (name, button) => {
    button.disabled = true;
    const { result, message = "" } = (await answerOf(askWhole({ ...request, devices: [name] }, signal))) ?? {};
    const [best] = result ? seriesOf(bestDevice(result)) : [];
    button.title = message;
    if (best) {
      chart.series.push({ ...best, device: name, label: `${name}, ${best.label}` });
      panel.shown.push(true);
      panel.draw();
      button.remove();
    }
  };
  const others = offersOthers ? otherDevices(device, request) : [];
  const tools = [tool("CSV", () => saveTable(chart.series)), others.map((name) => tool(`+ ${name}`, (event) => add(name, event.target)))];
  const panel = new ChartPanel(chart.title, [chart], signal, { tools, height: HEIGHT });
  return panel;
}

/** Draws the curve of one layout of a frontier strongly, or all alike. */
function highlight(panel, label) {
  if (panel.lit !== label) {
    panel.lit = label;
    panel.chart.series.forEach((one) => (one.faint = label !== null && label !== one.label));
    panel.draw();
  }
}

function chartOf(series, { device }, request) {
  const tpot = limitsOf(request).tpot_ms;
  return {
    title: t("frontiercard.throughput_over_speed"),
    x: { label: t("frontiercard.tokens_s_each_user"), limit: typeof tpot === "number" ? { value: SECOND / tpot, label: t("frontiercard.target", { 1: plain(tpot) }), shaded: true } : null },
    y: { label: t("common.tokens_s_per_device"), limit: null },
    series,
    named: true,
    describe: ({ label, device: kind = device }, { x, y, concurrency, withinSlo }) => {
      const cost = costOf({ [kind]: 1 }, y, request);
      const remarks = (cost ? `, ${t("service.per_million_tokens", { 1: money(cost.million, request) })}` : "") + (withinSlo ? "" : t("chartpanel.misses_a_target"));
      return t("frontiercard.point", { A: label, 1: whole(concurrency), 2: whole(y), 3: decimals(x, 1), b: remarks });
    },
  };
}

/** Devices whose best curve can be added to that of the only one. */
function otherDevices({ device }, { devices, device_profiles: profiles, cost_model: costModel }) {
  const isAlone = devices?.length === 1 && !(profiles?.length > 0) && costModel === "calibrated" && OTHERS.includes(device);
  return isAlone ? OTHERS.filter((name) => name !== device) : [];
}

function saveTable(series) {
  const lines = series.flatMap(({ label, points }) =>
    points.map(({ x, y, concurrency, ttft, withinSlo }) => [`"${label}"`, concurrency, y, x, SECOND / x, ttft, withinSlo].join(",")),
  );
  const header = "layout,concurrency,tokens_per_s_per_device,tokens_per_s_per_user,tpot_ms,ttft_ms,within_slo";
  saveFile(new Blob([[header, ...lines].join("\n")], { type: "text/csv" }), "frontier.csv");
}

/** A curve for each layout of a device, the best layout first, then by what it reaches within the targets. */
function seriesOf({ num_devices: devices, phases, pd_ratio: pairs }) {
  const [phase] = phases ?? [];
  if (pairs || !phase?.points) {
    return [];
  }
  const [best] = phase.rows;
  const points = phase.points.filter(({ tpot_ms: tpot, tokens_per_s: rate }) => tpot > 0 && rate > 0);
  const groups = Map.groupBy(points, ({ parallel }) => parallel.label);
  const named = [...groups].map(([label, probes]) => ({ label: nameOf(probes[0].parallel, devices), best: label === best?.parallel.label, points: probes.map((probe) => pointOf(probe, devices, best)).toSorted((one, other) => one.x - other.x) }));
  const reach = ({ best: first, points: probes }) => (first ? Infinity : Math.max(0, ...probes.filter(({ withinSlo }) => withinSlo).map(({ y }) => y)));
  return named.toSorted((one, other) => reach(other) - reach(one)).slice(0, CURVES);
}

/** "4 × TP=2": instances on all devices, and their layout. */
function nameOf(parallel, devices) {
  return `${Math.floor(devices / devicesOf(parallel))} × ${layout(parallel)}`;
}

function pointOf(probe, devices, best) {
  const size = devicesOf(probe.parallel);
  const used = Math.floor(devices / size) * size || devices;
  const isBest = probe.parallel.label === best?.parallel.label;
  const ends = isBest ? probe.tokens_per_s_band : undefined;
  return {
    x: SECOND / probe.tpot_ms,
    y: probe.tokens_per_s / used,
    ends: ends && { low: ends.low / used, high: ends.high / used },
    concurrency: probe.concurrency,
    ttft: probe.ttft_ms,
    withinSlo: probe.within_slo,
    best: isBest && probe.concurrency === best.concurrency,
  };
}
