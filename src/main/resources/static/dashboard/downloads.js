import { about, answerOf, askWhole, download, downloadShared, ProblemError } from "./api.js";
import { endsOf, isMeasuredRow, isWide, rounded, spanInWords } from "./bands.js";
import { caveatNotices } from "./card.js";
import { picturesOf } from "./chartpanel.js";
import { loadColumns } from "./columns.js";
import { element, saveFile } from "./dom.js";
import { decimals, moment, plain } from "./format.js";
import { writeJson } from "./infinite.js";
import { inLanguage, said, t } from "./language.js";
import { commandsOfJob, scriptOf, startable } from "./launch.js";
import { costOf, money } from "./money.js";
import { askedInWords, nameText } from "./naming.js";
import { bestDevice, wholeResult } from "./results.js";
import { devicesOf, devicesOfPair, isCalibrated, nameOf, throughputOf } from "./words.js";

const REPORTS = [
  { label: "JSON", part: "result?include=all", mediaType: "application/json", extension: "json" },
  { label: "CSV", part: "result?include=all", mediaType: "text/csv", extension: "csv" },
  { label: t("downloads.text"), part: "result?include=all", mediaType: "text/plain", extension: "txt" },
];

const TABLES = [
  ["bottlenecks", t("downloads.bottlenecks")],
  ["sensitivities", t("downloads.sensitivities")],
  ["nearest_feasible", t("downloads.nearest_feasible_plans")],
  ["pareto_frontier", t("downloads.pareto_frontier")],
].map(([table, label]) => ({
  label,
  part: `result?include=all&table=${table}`,
  mediaType: "text/csv",
  extension: `${table}.csv`,
}));

/** One file to pass on, which the page makes itself. */
const PAGE = { label: t("downloads.report"), extension: "html" };

/** The formats that a result can be saved in. */
export function downloads(job, signal) {
  const { id, result } = job;
  const formats = [PAGE, ...REPORTS, ...(result.explanation ? TABLES : [])];
  return downloadMenu(formats, `optimization-${id}`, async (format) =>
    format === PAGE ? report(job, await scriptOfBest(job, signal)) : download(id, format.part, format.mediaType),
  );
}

/** The same of what a link shows. */
export function exportsOfLink(token, job) {
  return downloadMenu([PAGE, ...REPORTS], "plan", async (format) => {
    if (format !== PAGE) {
      return downloadShared(token, format.mediaType);
    }
    const result = await downloadShared(token, "application/json");
    return report({ ...job, result: JSON.parse(await result.text()) }, job.launch?.script);
  });
}

export function reportOfAnswer(request) {
  return downloadMenu([PAGE, REPORTS[0]], "plan", async (format) => {
    const answer = await askWhole(request);
    if (!answer.result) {
      throw new Error(t("common.search_ended_without_result"));
    }
    return format === PAGE ? report(answer, answer.launch?.script) : new Blob([writeJson(answer, 2)], { type: format.mediaType });
  });
}

/** What starts the best row of a job; nothing where no engine does. */
async function scriptOfBest({ id, result }, signal) {
  const rows = startable(result, result.capacity ? undefined : bestDevice(result));
  const script = rows.labels.length > 0 ? await answerOf(scriptOf(commandsOfJob(id, signal), { rank: 1, device: rows.deviceOf(1) })) : undefined;
  return script instanceof ProblemError ? undefined : script;
}

/** A menu of several formats; `get` answers the file of one. */
export function downloadMenu(formats, name, get) {
  const outcome = element("span", { role: "status" });
  const choose = (format) => {
    menu.open = false;
    save(format, name, get, outcome);
  };
  const leave = ({ key, relatedTarget }) => (key === undefined ? menu.contains(relatedTarget) : key !== "Escape") || (menu.open = false);
  const menu = element(
    "details",
    { class: "menu", on: { keydown: leave, focusout: leave } },
    element("summary", {}, t("common.download")),
    element("div", {}, formats.map((format) => element("button", { type: "button", on: { click: () => choose(format) } }, format.label))),
  );
  return element("div", { class: "downloads" }, menu, outcome);
}

async function save(format, name, get, outcome) {
  const { extension, label } = format;
  outcome.textContent = "";
  try {
    saveFile(await get(format), `${name}.${extension}`);
    outcome.textContent = t("common.saved", { a: label });
  } catch (error) {
    outcome.textContent = t("common.is_not_available", { A: label, B: error.message });
  }
}

/** What is filled in when it is opened, and so is empty here. */
const ASKED_WHEN_OPENED = ".launch, .contexts, .measure, .simulation, .beyond-means[aria-busy]";

/** Nothing in the file may ask for anything, or run. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * An answer as one HTML file that needs nothing else: as it is printed, with every table whole and every chart as a picture.
 *
 * @param {string} [script] what starts the best row
 */
async function report(job, script) {
  await loadColumns();
  const drawing = new AbortController();
  try {
    const page = contentOf(job, script, (await about()).version, drawing.signal);
    page.querySelectorAll(".table").forEach((table) => table.dispatchEvent(new Event("allrows")));
    const panels = [...page.querySelectorAll(".chart-card, .frontier-card")];
    const pictures = await Promise.all(panels.map(picturesOf));
    const paper = document.implementation.createHTMLDocument(); // nothing is loaded there
    paper.body.append(page);
    panels.forEach((panel, index) => panel.replaceWith(...pictures[index].map((picture) => figureOf(picture, paper))));
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    toPaper(page, hiddenOnPaper(rules));
    return new Blob([fileOf(nameOf(job), inLanguage(page), styleOf(rules))], { type: "text/html" });
  } finally {
    drawing.abort();
  }
}

function contentOf(job, script, made, signal) {
  const { request } = job;
  return element(
    "main",
    {},
    element(
      "header",
      { class: "job-heading" },
      element("p", {}, "throughput-optimizer"),
      element("h1", {}, nameText(job)),
      element("p", { class: "lead" }, askedInWords(job)),
      caveatNotices(job),
    ),
    meaningCard(job, made),
    wholeResult(job, signal),
    script && element("section", { class: "card" }, element("h2", {}, t("common.launch_on_serving_engine")), element("pre", { class: "curl" }, script)),
    element("section", { class: "card" }, element("h2", {}, t("common.request")), element("pre", { class: "curl" }, writeJson(request, 2))),
  );
}

function figureOf({ title, source, legend, note }, paper) {
  const figure = paper.adoptNode(element("section", { class: "card chart-card", tabindex: "0" }, element("h3", {}, title), legend, element("p", { class: "hint" }, note)));
  const picture = paper.createElement("img");
  picture.alt = said(title);
  picture.src = source;
  figure.firstChild.after(picture);
  return figure;
}

/** Takes away what paper does not show, and what could only be clicked. */
function toPaper(page, hidden) {
  page.querySelectorAll(ASKED_WHEN_OPENED).forEach((node) => node.remove());
  page.querySelectorAll("details").forEach((details) => (details.open = true));
  hidden.forEach((selector) => page.querySelectorAll(selector).forEach((node) => node.remove()));
  page.querySelectorAll("a, button, details:not(:has(> :not(summary)))").forEach((node) => node.replaceWith(...node.childNodes));
}

/** What the print style sheet hides. */
function hiddenOnPaper(rules) {
  return rules.flatMap((rule) => {
    const inner = innerOf(rule);
    if (inner) {
      return rule.media.mediaText === "print" ? inner.filter(({ style }) => style?.display === "none").map(({ selectorText }) => selectorText) : hiddenOnPaper(inner);
    }
    return [];
  });
}

/** All rules as one sheet that looks on a screen as the page does on paper. */
function styleOf(rules) {
  return rules
    .map((rule) => {
      const inner = innerOf(rule);
      const media = inner && rule.media.mediaText;
      if (!inner) {
        return rule.cssText;
      }
      return ["", "print"].includes(media) ? styleOf(inner) : `@media ${media} {\n${styleOf(inner)}\n}`;
    })
    .join("\n");
}

/** The rules within one for some media; nothing for other rules. */
function innerOf({ media, styleSheet, cssRules }) {
  return media && [...(styleSheet?.cssRules ?? cssRules)];
}

function fileOf(title, page, style) {
  const written = (node) => new XMLSerializer().serializeToString(node);
  return [
    "<!DOCTYPE html>",
    `<html lang="${document.documentElement.lang}">`,
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    written(inLanguage(element("title", {}, title))),
    `<style>\n${style}\n</style>`,
    "</head>",
    '<body class="report">',
    written(page),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** The same in a card, with when it was planned and by what; `end` is said behind that. */
export function meaningCard(job, version, end = "") {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, t("meaning.summary")),
    meaning(job),
    element("p", { class: "hint" }, t("meaning.planned_by_throughput_optimizer", { a: moment(job.finished_at), b: version ? ` ${version}` : "", c: end })),
  );
}

/** A plan in one paragraph, for who pays: how many, what it costs a month, how sure that is, what it assumes. */
function meaning({ request, result }) {
  const plan = planOf(result);
  const model = request.model_id ?? t("common.the_model");
  if (!plan) {
    return element("p", { class: "meaning" }, t("meaning.cannot_be_served_within", { a: model, b: assumed(result.devices) }));
  }
  return element(
    "p",
    { class: "meaning" },
    element("strong", {}, t("meaning.needs", { a: model, b: plan.devices.map(({ count, name }) => `${plain(count)} × ${name}`).join(` ${t("common.and")} `) })),
    `${plan.serves}. `,
    `${costInWords(plan, request)} ${certainty(plan.row, result, request)} ${assumed(result.devices.filter(({ device }) => plan.devices.some(({ name }) => name === device)))}`,
  );
}

/** The best plan: which devices, what they serve, and the row whose figures that are; nothing where none keeps the limits. */
function planOf(result) {
  if (result.capacity) {
    return deployment(result.capacity.rows[0]);
  }
  const device = bestDevice(result);
  return device.pd_ratio ? pair(device.pd_ratio.rows[0], device) : servers(device);
}

function deployment(row) {
  return (
    row && {
      row,
      devices: [{ count: row.num_devices, name: row.device }],
      serves: t("meaning.in_they_serve_as", { a: row.instances.map(({ count, devices_per_instance: size }) => t("meaning.instances_of", { 1: plain(count), a: size })).join(` ${t("common.and")} `), b: perSecond(row.requests_per_s), c: perSecond(row.most_requests_per_s) }),
    }
  );
}

function pair(row, device) {
  if (!row?.prefill_instances) {
    return null;
  }
  const devices = Object.entries(devicesOfPair(row, device)).map(([name, count]) => ({ name, count }));
  const rate = row.requests_per_s ?? row.balanced_requests_per_s;
  return {
    row,
    devices,
    serves: t("meaning.prefill_instances_and_for", { 1: plain(row.prefill_instances), a: row.decode_instances, b: rate === undefined ? "" : t("meaning.they_serve", { a: perSecond(rate) }) }),
  };
}

function servers({ device, phases }) {
  const row = phases.find(({ rows }) => rows.length > 0)?.rows[0];
  return (
    row && {
      row,
      devices: [{ count: devicesOf(row.parallel) * (row.replicas ?? 1), name: device }],
      serves: t("meaning.in_instances_they_serve", { 1: plain(row.replicas ?? 1), a: devicesOf(row.parallel), b: row.requests_per_s === undefined ? "" : `${perSecond(row.requests_per_s)}, `, c: row.tokens_per_s_band ? rounded(row.tokens_per_s, row.tokens_per_s_band, 0) : throughputOf(row) }),
    }
  );
}

function perSecond(requests) {
  return t("common.requests_s_value", { a: decimals(requests, 2) });
}

function costInWords({ devices }, request) {
  const cost = costOf(Object.fromEntries(devices.map(({ count, name }) => [name, count])), undefined, request);
  return cost ? t("meaning.it_costs_per_month", { a: money(cost.month, request), b: money(cost.hour, request) }) : t("meaning.add_device_price_see");
}

function certainty(row, { band_coverage: coverage }, request) {
  if (row.num_devices_unfavourable !== undefined) {
    return t("meaning.in_pessimistic_case_it", { 1: plain(row.num_devices_unfavourable) });
  }
  const ends = isMeasuredRow(row) && endsOf(row, "tokens_per_s");
  if (ends && isWide(ends)) {
    return t("meaning.throughput_highly_uncertain_its");
  }
  if (ends && row.tokens_per_s_band) {
    return t("meaning.in_10_measured_servers", { 1: Math.round(10 * coverage), a: spanInWords(ends, 0) });
  }
  if (ends) {
    return t("meaning.no_similar_server_was", { a: spanInWords(ends, 0) });
  }
  return isCalibrated(request)
    ? t("meaning.results_from_calibrated_model")
    : t("meaning.results_from_roofline_model");
}

function assumed(devices) {
  const texts = [...new Set(devices.flatMap(({ assumptions }) => assumptions ?? []).map(({ text }) => text))];
  return texts.length > 0 ? t("meaning.assumptions", { A: texts.join("; ") }) : "";
}
