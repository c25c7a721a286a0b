import { askWhole, download, downloadShared, ProblemError } from "./api.js";
import { commandsOfJob, scriptOf } from "./commands.js";
import { element, saveFile } from "./dom.js";
import { t } from "./language.js";
import { startable } from "./launch.js";
import { report } from "./report.js";
import { bestDevice } from "./results.js";

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

/** A button for each format that a result can be saved in. */
export function downloads(job, signal) {
  const { id, result } = job;
  const formats = [PAGE, ...REPORTS, ...(result.explanation ? TABLES : [])];
  return buttons(t("common.download"), formats, `optimization-${id}`, async (format) =>
    format === PAGE ? report(job, await scriptOfBest(job, signal)) : download(id, format.part, format.mediaType),
  );
}

/** The same of what a link shows. */
export function exportsOfLink(token, job) {
  return buttons(t("downloads.export"), [PAGE, ...REPORTS], "plan", async (format) => {
    if (format !== PAGE) {
      return downloadShared(token, format.mediaType);
    }
    const result = await downloadShared(token, "application/json");
    return report({ ...job, result: JSON.parse(await result.text()) }, job.launch?.script);
  });
}

/** The report of a result that is not stored. */
export function reportOfAnswer(request) {
  return buttons(t("common.download"), [PAGE], "plan", async () => {
    const answer = await askWhole(request);
    if (!answer.result) {
      throw new Error(t("common.search_ended_without_result"));
    }
    return report(answer, answer.launch?.script);
  });
}

/** What starts the best row of a job; nothing where no engine does. */
async function scriptOfBest({ id, result }, signal) {
  const rows = startable(result, result.capacity ? undefined : bestDevice(result));
  if (rows.labels.length === 0) {
    return undefined;
  }
  try {
    return await scriptOf(commandsOfJob(id, signal), { rank: 1, device: rows.deviceOf(1) });
  } catch (error) {
    if (error instanceof ProblemError) {
      return undefined;
    }
    throw error;
  }
}

function buttons(title, formats, name, get) {
  const outcome = element("span", { role: "status" });
  return element(
    "div",
    { class: "downloads", role: "group", "aria-label": title },
    element("span", { "aria-hidden": "true" }, title),
    formats.map((format) =>
      element("button", { type: "button", on: { click: () => save(format, name, get, outcome) } }, format.label),
    ),
    outcome,
  );
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
