import { element } from "./dom.js";
import { plain, rowName } from "./format.js";
import { t } from "./language.js";
import { whiskers } from "./whiskers.js";

const KINDS = [
  ["ttft_ms", t("ttft.benchmark"), t("ttft.mean_benchmark_reports_including")],
  ["ttft_settled_ms", t("ttft.steady_state"), t("ttft.mean_service_in_steady")],
  ["ttft_burst_ms", t("ttft.burst"), t("ttft.mean_requests_opening_burst")],
];

/** The three means that are called TTFT, of the best row. */
export function ttftSection(row, slo) {
  const against = slo.ttft_basis === "settled" ? "ttft_settled_ms" : "ttft_ms";
  const held = slo.percentile === undefined ? t("ttft.this_mean") : t("ttft.percentile_by_simulation", { 1: plain(slo.percentile) });
  return element(
    "section",
    { class: "card certainty" },
    element("h3", {}, t("ttft.ttft_definition", { a: rowName(row) })),
    whiskers(
      KINDS.map(([member, label]) => ({ row, member, label })),
      { name: "TTFT", unit: "ms", digits: 0 },
    ),
    element(
      "dl",
      { class: "kinds hint" },
      KINDS.map(([member, label, words]) => [
        element("dt", {}, label),
        element("dd", {}, words, member === against && typeof slo.ttft_ms === "number" && t("ttft.your_target_applies_to", { a: held })),
      ]),
    ),
  );
}
