import { t } from "./language.js";
import { limitedName } from "./percentiles.js";
import { END_OF_SEARCH, PEAK } from "./words.js";

const NAMES = {
  memory: t("binds.memory"),
  batch_range: t("binds.the_batch_size_range"),
  throughput: PEAK,
  search: END_OF_SEARCH,
  engine: t("binds.the_engines_max_sequences"),
  measured_range: t("binds.the_measured_range"),
  least_concurrency: t("binds.the_min_concurrency"),
  demand: t("binds.its_share_demand"),
  rate: t("binds.the_request_rate"),
};

/** What keeps a row from more requests at once, as the service says; empty where it does not, as in results of earlier versions. */
export function bindsInWords({ limited_by: binds = [] }, request) {
  return binds.map((limit) => latencyName(limit, request) ?? NAMES[limit]).join(` ${t("common.and")} `);
}

/** A transfer of caches takes its part of the limit on TTFT. */
function latencyName(limit, { slo = {}, pd_ratio: ratio }) {
  const name = { ttft: "TTFT", tpot: "TPOT", e2e_latency: t("common.e2e_latency") }[limit];
  return name && `${limitedName(name, slo)}${limit === "ttft" && ratio?.kv_transfer ? t("binds.including_kv_transfer") : ""}`;
}
