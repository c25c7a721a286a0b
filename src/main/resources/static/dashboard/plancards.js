import { accuracy, askBeside, ProblemError } from "./api.js";
import { answerCards } from "./answer.js";
import { autoscalePanel } from "./autoscale.js";
import { memoryBars } from "./bars.js";
import { commandColumn, commandsOfAnswer } from "./commands.js";
import { element, fill, pause } from "./dom.js";
import { changeInWords, helpful, turnLink } from "./explanation.js";
import { decimals, percent } from "./format.js";
import { frontierCard, nameOf } from "./frontiercard.js";
import { LaunchPanel, startable } from "./launch.js";
import { bindsInWords } from "./binds.js";
import { t } from "./language.js";
import { costOf, money } from "./money.js";
import { bestDevice } from "./results.js";
import { table } from "./table.js";
import { devicesOfPair } from "./words.js";

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
 * @param {Object} answer a finished answer with its probes
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

/** Commands of an answer that is not stored. */
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
    list.addEventListener("mouseover", (event) => frontier.highlight(labelAt(event)));
    list.addEventListener("mouseleave", () => frontier.highlight(null));
    list.addEventListener("focusin", (event) => frontier.highlight(labelAt(event)));
    frontier.pointed = (label) => list.querySelectorAll("[data-layout]").forEach((cell) => cell.closest("tr").classList.toggle("lit", cell.dataset.layout === label));
  }
  return element("section", { class: "card layouts-card" }, list);
}

/** Columns of what the rows have; cost takes the place of concurrency where prices are known. */
function rowColumns(lines, device, request) {
  const [best] = lines;
  const cost = (row) => costOf(devicesIn(row, device), row.tokens_per_s, request);
  const figure = (member, title, digits) => best[member] !== undefined && { title, text: (row) => decimals(row[member], digits) };
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
  try {
    if (!answer.result.explanation && !answer.explained) {
      await pause(PAUSE_MILLIS, signal);
      answer.explained = await askBeside({ ...request, explain: true }, signal);
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
  } catch (error) {
    if (error instanceof ProblemError) {
      node.remove(); // the reader did not ask for it
    } else if (!signal.aborted) {
      throw error;
    }
  }
}

/** Errors of the nearest measured servers: of the same kind of model, on the same device and engine where there are any. */
function certainty(device, request, signal) {
  const node = element("section", { class: "card certainty" }, element("h3", {}, t("plancards.how_sure")));
  accuracyOnce(signal)
    .then(({ groups }) => {
      const near = nearest(groups, device);
      fill(
        node,
        element("h3", {}, t("plancards.how_sure")),
        element(
          "p",
          {},
          `${t(near.device === device.device ? "plancards.nearest_servers" : "plancards.nearest_servers_elsewhere", { 1: near.servers, a: near.model, b: near.device, c: near.backend, d: device.device })} `,
          element("strong", {}, t("plancards.median_error", { a: "TPOT", b: percent(near.tpot.median_percent) })),
          near.ttft && [", ", element("strong", {}, t("plancards.median_error", { a: "TTFT", b: percent(near.ttft.median_percent) }))],
          ". ",
          element("a", { href: `#/accuracy/${[near.model, near.device, near.backend].map(encodeURIComponent).join("/")}` }, t("form.see_accuracy")),
        ),
      );
    })
    .catch((error) => {
      if (!signal.aborted && !(error instanceof ProblemError)) {
        throw error;
      }
      node.remove();
    });
  return node;
}

let measured;

/** They are loaded after the answer, for they are larger. */
async function accuracyOnce(signal) {
  await (measured ?? pause(PAUSE_MILLIS, signal));
  measured ??= accuracy().catch((error) => {
    measured = undefined;
    throw error;
  });
  return measured.then((answer) => (signal?.aborted ? Promise.reject(signal.reason) : answer));
}

/** Models of experts have ranks of experts. */
const DENSE = /^(Llama|Qwen3-(?!\d+B-A))/;

/** Devices of one generation begin with the same letter. */
function nearest(groups, { device, engine, phases }) {
  const isDense = phases[0]?.rows[0]?.parallel.ep === undefined;
  const [backend] = [engine?.backend ?? engine].flat();
  const alike = groups.filter((group) => DENSE.test(group.model) === isDense);
  const distance = (group) => 4 * (group.device !== device) + 2 * (group.device[0] !== device[0]) + (group.backend !== backend);
  return alike.toSorted((one, other) => distance(one) - distance(other))[0];
}
