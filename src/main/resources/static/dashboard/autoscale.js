import { ProblemError } from "./api.js";
import { copy, element, fill, freshId } from "./dom.js";
import { decimals } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

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
 * @param {Object} result the result of the plan
 * @param {function} ask answers parameters of the autoscaler for a query
 */
export function autoscalePanel({ capacity }, ask) {
  if (!capacity?.rows.length) {
    return undefined;
  }
  const aggregated = capacity.rows.findIndex(({ deployment }) => deployment === "aggregated");
  const formats = aggregated < 0 ? FORMATS.filter(([format]) => format === PLANNER) : FORMATS;
  const format = element(
    "select",
    { id: freshId("autoscale"), "aria-label": t("autoscale.autoscaler"), on: { change: () => show() } },
    formats.map(([value, name]) => element("option", { value }, name)),
  );
  const rates = element("input", { type: "text", "aria-label": t("autoscale.rates"), placeholder: t("autoscale.rates"), on: { change: () => show() } });
  const files = element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": t("autoscale.files") });
  const numbers = element("div", {});
  const copyButton = element("button", { type: "button", class: "quiet", disabled: true, on: { click: ({ target }) => copy(files.textContent, target) } }, t("common.copy"));
  let last;

  async function show() {
    const query = { formats: format.value, rank: Math.max(aggregated, 0) + 1, ...(rates.value.trim() && { rate_profile: rates.value.replaceAll(/\s/g, "") }) };
    last = query;
    try {
      const answer = await ask(query);
      if (last === query) {
        files.textContent = answer.files.map(({ content }) => content).join("---\n") || answer.notes.join("\n");
        copyButton.disabled = answer.files.length === 0;
        fill(numbers, listing(answer));
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        if (error.name !== "AbortError") {
          throw error;
        }
      } else if (last === query) {
        files.textContent = error.message;
        copyButton.disabled = true;
        fill(numbers);
      }
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
