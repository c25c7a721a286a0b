import { element } from "./dom.js";
import { plain, rowName } from "./format.js";
import { whiskers } from "./whiskers.js";

const KINDS = [
  ["ttft_ms", "Benchmark", "the mean that a benchmark of so many waves prints, its opening burst included"],
  ["ttft_settled_ms", "Settled", "what users of a service that runs for long wait in the mean"],
  ["ttft_burst_ms", "Burst", "the mean of the requests that open the load all at once, each waiting for those before it"],
];

/** The three means that are called TTFT, of the best row. */
export function ttftSection(row, slo) {
  const against = slo.ttft_basis === "settled" ? "ttft_settled_ms" : "ttft_ms";
  const held = slo.percentile === undefined ? "it" : `percentile ${plain(slo.percentile)} of what it is the mean of, by simulation`;
  return element(
    "section",
    { class: "card certainty" },
    element("h3", {}, `Which TTFT: ${rowName(row)}`),
    whiskers(
      KINDS.map(([member, label]) => ({ row, member, label })),
      { name: "TTFT", unit: "ms", digits: 0 },
    ),
    element(
      "dl",
      { class: "kinds hint" },
      KINDS.map(([member, label, words]) => [
        element("dt", {}, label),
        element("dd", {}, words, member === against && typeof slo.ttft_ms === "number" && `: your limit is held against ${held}`),
      ]),
    ),
  );
}
