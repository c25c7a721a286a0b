import { endsOf, rounded } from "./bands.js";
import { element } from "./dom.js";
import { plain, rowName } from "./format.js";
import { t } from "./language.js";
import { whiskers } from "./whiskers.js";

const BENCHMARK = ["ttft_ms", t("ttft.benchmark"), t("ttft.mean_benchmark_reports_including")];
const OTHERS = [
  ["ttft_settled_ms", t("ttft.steady_state"), t("ttft.mean_service_in_steady")],
  ["ttft_burst_ms", t("ttft.burst"), t("ttft.mean_requests_opening_burst")],
];

const NAMES = { settled: t("common.steady_state_ttft"), benchmark: t("common.benchmark_ttft") };

/** What the TTFT of a row is called, by its basis if it has one. */
export function ttftName({ ttft_basis: basis }) {
  return NAMES[basis] ?? "TTFT";
}

/** The TTFT of the opening burst, which stands beside that of the basis. */
export function burstInWords(row) {
  return row.ttft_basis && t("limitbars.burst", { 1: rounded(row.ttft_burst_ms, endsOf(row, "ttft_burst_ms"), 0) });
}

/** The means that are called TTFT, of the best row; that of a benchmark where it is the basis. */
export function ttftSection(row, slo) {
  const isSettled = row.ttft_basis === "settled";
  const against = isSettled ? "ttft_settled_ms" : "ttft_ms";
  const kinds = isSettled ? OTHERS : [BENCHMARK, ...OTHERS];
  const held = slo.percentile === undefined ? t("ttft.this_mean") : t("ttft.percentile_by_simulation", { 1: plain(slo.percentile) });
  return element(
    "section",
    { class: "card certainty" },
    element("h3", {}, t("ttft.ttft_definition", { a: rowName(row) })),
    whiskers(
      kinds.map(([member, label]) => ({ row, member, label })),
      { name: "TTFT", unit: "ms", digits: 0 },
    ),
    element(
      "dl",
      { class: "kinds hint" },
      kinds.map(([member, label, words]) => [
        element("dt", {}, label),
        element("dd", {}, words, member === against && typeof slo.ttft_ms === "number" && t("ttft.your_target_applies_to", { a: held })),
      ]),
    ),
  );
}
