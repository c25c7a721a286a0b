import { readEngineLog } from "./api.js";
import { element } from "./dom.js";
import { decimals, percent, whole } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";
import { devicesAsked } from "./words.js";

/**
 * A question with the settings of a start-up log, and the memory that the log prints beside the predicted one.
 *
 * @returns {Promise<{request: Object, shown: Node[]}>}
 */
export async function withLog(asked, text) {
  const log = await read(text, asked);
  return { request: withSettings(asked, log), shown: [comparison(log), log.warnings.map((warning) => element("p", { class: "hint" }, warning))] };
}

/** Predicts for the model that the log names, else for the model of the question. */
async function read(text, request) {
  const [device] = devicesAsked(request) ?? [];
  const how = device ? { device } : {};
  const log = await readEngineLog(text, how);
  return log.predicted || !request.model_id ? log : readEngineLog(text, { ...how, model_id: request.model_id });
}

function withSettings(request, { engine, parallel }) {
  const { kv_tokens: _tokens, kv_pool_gib: _pool, memory_share: _share, ...others } = request.engine ?? {};
  const sizes = ["tp", "dp", "ep"].filter((size) => parallel[size]).map((size) => [`${size}_sizes`, [parallel[size]]]);
  return { ...request, engine: { ...others, ...engine }, search: { ...request.search, ...Object.fromEntries(sizes) } };
}

function comparison({ comparison: parts }) {
  return (
    parts &&
    table(
      t("enginelog.memory_per_rank_logged"),
      [
        { title: t("enginelog.component"), text: ({ part }) => t(`memory_part.${part}`), className: "words" },
        { title: t("common.logged"), text: (row) => size(row, row.printed) },
        { title: t("common.predicted"), text: (row) => size(row, row.predicted) },
        { title: t("common.error"), text: ({ error_percent: error }) => (error === undefined ? "–" : percent(error, 2)) },
      ],
      parts,
    )
  );
}

function size({ part }, value) {
  return part === "kv_tokens" ? whole(value) : decimals(value, 2);
}
