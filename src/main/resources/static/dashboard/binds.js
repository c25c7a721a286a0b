import { limitedName } from "./percentiles.js";
import { END_OF_SEARCH, PEAK } from "./words.js";

const NAMES = {
  memory: "memory",
  batch_range: "the batch range",
  throughput: PEAK,
  search: END_OF_SEARCH,
  engine: "the engine's most sequences",
  measured_range: "what was measured",
  least_concurrency: "the least concurrency",
  demand: "its share of the demand",
  rate: "the request rate",
};

/** What keeps a row from more requests at once, as the service says; empty where it does not, as in results of earlier versions. */
export function bindsInWords({ limited_by: binds = [] }, request) {
  return binds.map((limit) => latencyName(limit, request) ?? NAMES[limit]).join(" and ");
}

/** A transfer of caches takes its part of the limit on TTFT. */
function latencyName(limit, { slo = {}, pd_ratio: ratio }) {
  const name = { ttft: "TTFT", tpot: "TPOT", e2e_latency: "Request latency" }[limit];
  return name && `${limitedName(name, slo)}${limit === "ttft" && ratio?.kv_transfer ? " with the KV transfer" : ""}`;
}
