import { addressOf } from "./address.js";
import { answerCards } from "./answer.js";
import { flagsExplained, hasBands } from "./bands.js";
import { capacitySection } from "./capacity.js";
import { columnsOf } from "./columns.js";
import { learntSection } from "./compared.js";
import { contextSection } from "./contexts.js";
import { element, fill, freshId, part } from "./dom.js";
import { askButton, explanationSections } from "./explanation.js";
import { decimals, percent, plain } from "./format.js";
import { t } from "./language.js";
import { commandsOfJob } from "./launch.js";
import { measureSection } from "./measure.js";
import { objectiveColumn } from "./objective.js";
import { pairColumns, pairsSection } from "./pairs.js";
import { phaseSection } from "./phase.js";
import { frontierCard, planCards } from "./plancards.js";
import { table } from "./table.js";
import { phaseName } from "./words.js";

/** All of a finished job's result: its cards, with `below` under the layouts, and their details; with several devices one at a time, below their comparison. */
export function resultSections(job, signal, below) {
  const { result } = job;
  const ways = { ...waysOf(job, signal), below };
  const heading = element("h2", { class: "visually-hidden" }, t("common.plan"));
  if (result.capacity) {
    return element("div", { class: "results" }, heading, planCards(job, ways), capacitySection(job, signal), statistics(result));
  }
  const detail = element("div", {});
  const show = (device) => fill(detail, planCards(job, ways, device), deviceSections(device, job, signal));
  const first = bestDevice(result);
  show(first);
  return element(
    "div",
    { class: "results" },
    heading,
    result.devices.length > 1 && devicePicker(result.devices, first, show),
    detail,
    result.cross_hardware && crossHardware(result),
    statistics(result),
  );
}

/** What the cards of a stored plan lead to: a changed question goes to the plan page. */
function waysOf({ id, request }, signal) {
  return {
    signal,
    commands: () => commandsOfJob(id, signal),
    offer: (changes) => askButton(changes, request),
    turnTo: async (other) => (location.hash = (await addressOf(other)) ?? `/again/${id}`),
  };
}

/** The same to be read from top to bottom, of one kind of device after the other. */
export function wholeResult(job, signal) {
  const { result, request } = job;
  const sections = (device) => [answerCards(job, undefined, device), frontierCard(device, request, signal)?.node, deviceSections(device, job, signal, true)];
  return element(
    "div",
    { class: "results" },
    result.capacity
      ? [answerCards(job), capacitySection(job, signal)]
      : [result.cross_hardware && crossHardware(result), result.devices.map(sections)],
    statistics(result),
  );
}

function deviceSections(device, job, signal, alone) {
  const commands = commandsOfJob(job.id, signal);
  const explained = job.result.explanation && explanationSections(job.result.explanation, device, job.request, signal);
  const measured = device.pd_ratio && device.calibration;
  return [
    device.pd_ratio && pairsSection(device.pd_ratio, device, job, signal),
    !measured && [device.phases.map((phase) => phaseSection(phase, device, job, signal, commands, alone)), learntSection(device, job.request, signal)],
    contextSection(device, job, signal),
    !measured && measureSection(device, job, signal),
    explained,
  ];
}

/** The device that leads the first ranking; the first of all where nothing is ranked. */
export function bestDevice({ devices, cross_hardware: rankings }) {
  const leader = rankings?.find(({ rows }) => rows.length > 0)?.rows[0].device;
  return devices.find(({ device }) => device === leader) ?? devices[0];
}

function devicePicker(devices, first, show) {
  const name = freshId("device");
  const choices = devices.map((device) =>
    element(
      "label",
      { class: "segment" },
      element("input", { type: "radio", name, checked: device === first, on: { change: () => show(device) } }),
      element("span", {}, device.device),
    ),
  );
  return element("fieldset", { class: "segments" }, element("legend", {}, t("results.details_of")), choices);
}

function statistics({ search, accounting, original_results: dumped, band_coverage: coverage, devices }) {
  if (coverage !== undefined) {
    return element(
      "p",
      { class: "hint" },
      `${t("results.layouts_and_concurrencies_searched", { 1: plain(search.candidates), 2: plain(search.points), 3: plain(search.elapsed_ms), a: accounting })} `,
      search.sampled !== undefined && `${t("results.search_space", { A: search.sampled })} `,
      hasBands(devices.flatMap(({ phases, pd_ratio: pairs }) => [...phases.flatMap(({ rows }) => rows), ...(pairs?.rows ?? [])])) &&
        t("common.intervals_hold_measured_servers", { 1: percent(100 * coverage, 0) }),
    );
  }
  return element(
    "p",
    { class: "hint" },
    `${t("results.layouts_batch_sizes_and", { 1: plain(search.candidates), 2: plain(search.points) })} `,
    t("results.forward_passes_in_ms", { 1: plain(search.forward_passes), 2: plain(search.elapsed_ms), a: accounting }),
    search.simulated_steps !== undefined && ` ${t("results.chunked_prefill_steps_simulated", { 1: plain(search.simulated_steps) })}`,
    dumped && ` ${t("results.json_contains_all_recorded", { 1: plain(dumped.length) })}`,
  );
}

const DEVICE = { title: t("common.device"), text: (row) => row.device, className: "words" };

/** Devices against each other: their best rows per phase, then what each device reaches. */
function crossHardware(result) {
  return part(
    t("devices.device_comparison"),
    null,
    result.cross_hardware.map((ranking) => rankingTable(ranking)),
    result.device_profiles && profiles(result.device_profiles),
  );
}

function rankingTable({ phase, rows }) {
  if (rows.length === 0) {
    return element("p", { class: "notice" }, t("devices.no_device_meets_targets", { a: phaseName(phase) }));
  }
  const caption = t("devices.best_plan_per_device", { a: phaseName(phase) });
  const columns = rows[0].parallel ? rowColumns(rows) : pairColumns(rows);
  return [table(caption, [columns[0], DEVICE, ...columns.slice(1)], rows, (row) => row.rank === 1), flagsExplained(rows)];
}

function rowColumns(rows) {
  const most = rows[0].tokens_per_s;
  const ranked = objectiveColumn(rows);
  return columnsOf("devices", rows, {
    objective: ranked,
    of_the_best: !ranked && { title: t("common.vs_best"), text: (row) => `${decimals((100 * row.tokens_per_s) / most, 0)}%` },
  });
}

function profiles(figures) {
  return table(
    t("devices.effective_device_rates_peak"),
    [
      DEVICE,
      { title: t("devices.matrix_units_tflops"), text: (row) => decimals(row.matrix_tflops, 1) },
      { title: t("devices.vector_units_tflops"), text: (row) => decimals(row.general_tflops, 1) },
      { title: t("devices.memory_tb_s"), text: (row) => decimals(row.memory_tb_per_s, 3) },
      { title: t("devices.memory_gib"), text: (row) => decimals(row.memory_gb, 1) },
      { title: t("devices.topology"), text: (row) => row.grid.join(" × "), className: "words" },
      {
        title: t("devices.links_gb_s"),
        text: (row) => row.link_gb_per_s.map((rate) => decimals(rate, 1)).join(" | "),
        className: "words",
      },
    ],
    figures,
  );
}
