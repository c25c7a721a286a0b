import { endsInWords, figureInWords, flagsExplained, hasBands } from "./bands.js";
import { breakdownBars, memoryBars } from "./bars.js";
import { basisSection } from "./basis.js";
import { beyondMeans } from "./beyondmeans.js";
import { figure, heroCard, noAnswerCard, shortageOf } from "./card.js";
import { chartPanel } from "./chartpanel.js";
import { columnsOf } from "./columns.js";
import { chartsOf } from "./curves.js";
import { element } from "./dom.js";
import { askButton, nearestPlans } from "./explanation.js";
import { decimals, layout, whole } from "./format.js";
import { limitsOf } from "./limits.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { onDevices, onDevicesColumns } from "./ondevices.js";
import { sustained } from "./pdpairs.js";
import { rejected } from "./phase.js";
import { pairRanking } from "./table.js";
import { SimulationPanel } from "./simulation.js";
import { ttftSection } from "./ttft.js";
import { counted } from "./words.js";
import { certainty } from "./whiskers.js";

/** Bars are drawn for so many pairs. */
const DRAWN = 8;

/** How many prefill instances serve how many decode instances, by measured kernels. */
export function measuredPairsSection({ rows }, device, { result, request }, signal) {
  const [best] = rows;
  const slo = limitsOf(request);
  const drawn = { rows: rows.slice(0, DRAWN) };
  return element(
    "section",
    { class: "phase" },
    element("h2", {}, "Prefill to decode", element("span", { class: "device" }, ` on ${device.device}`)),
    measuredPairCard(
      { rows },
      device,
      best ? beyondMeans(best, device, request, signal) : nearestPlans(result, device, "pd_ratio", (changes) => askButton(changes, request)),
    ),
    best && ranking(rows),
    best && flagsExplained(rows),
    best &&
      element(
        "p",
        { class: "notice" },
        best.kv_transfer_ms === undefined
          ? "The TTFT of instances apart leaves out the transfer of the KV cache, the router and imbalance: it is mostly too low."
          : "The TTFT of instances apart leaves out the router and imbalance: it is mostly too low.",
      ),
    best && element("div", { class: "columns" }, certainty({ rows }, slo), ttftSection(best, slo)),
    best && new SimulationPanel({ rows }, device, request).node,
    best && element("div", { class: "columns" }, breakdownBars(drawn), memoryBars(drawn)),
    device.phases.map((phase) => chartPanel("Pairs", chartsOf({ ...phase, rows }, slo), signal)),
    device.phases.filter((phase) => phase.rejected.length > 0).map(rejected),
    basisSection(device, request, hasBands(rows) ? request.band_coverage : undefined),
  );
}

function ranking(rows) {
  const caption = `Pairs of layouts by ${rankedBy(rows, "tokens per second and device that works")}`;
  return pairRanking(caption, measuredPairColumns(rows), rows);
}

/** The best pair, or that there is none. */
export function measuredPairCard({ rows }, device, ...notes) {
  const [best] = rows;
  return best
    ? hero(best, device, notes)
    : noAnswerCard("No pair of prefill and decode layouts keeps the limits.", [device], shortageOf(device.phases.flatMap(({ rejected: out }) => out)), notes);
}

function hero(best, device, notes) {
  const prefill = `${counted(best.prefill_instances, "prefill instance")} of ${counted(best.num_devices_p, "device")}`;
  const decode = `${counted(best.decode_instances, "decode instance")} of ${counted(best.num_devices_d, "device")}`;
  return heroCard(
    [
      `${prefill} for ${decode}, ${whole(best.concurrency)} requests at once: `,
      element("strong", {}, `${decimals(best.tokens_per_s, 0)} tokens/s`),
      ` ${endsInWords(best, "tokens_per_s", 0)}`,
    ],
    [
      figure("Per device", figureInWords(best, "tokens_per_s_per_device", 1, "tokens/s")),
      figure("TTFT", figureInWords(best, "ttft_ms", 1, "ms")),
      best.kv_transfer_ms !== undefined &&
        figure("KV transfer", `${decimals(best.kv_transfer_ms, 1)} ms of TTFT for ${decimals(best.kv_transfer_gb, 3)} GB`),
      figure("TPOT", figureInWords(best, "tpot_ms", 1, "ms")),
      best.e2e_latency_ms !== undefined && figure("Request latency", figureInWords(best, "e2e_latency_ms", 1, "ms")),
      figure("Requests", `${figureInWords(best, "requests_per_s", 2)} a second`),
      onDevices(best),
      objectiveInWords(best.objective) && figure("Ranked by", objectiveInWords(best.objective)),
      figure("Prefill layout", `${layout(best.parallel_p)}${sustained(best.prefill_sustained_requests_per_s)}`),
      figure("Decode layout", `${layout(best.parallel_d)}${sustained(best.decode_sustained_requests_per_s)}`),
    ],
    best,
    device,
    notes,
  );
}

/** Columns that show pairs of layouts. */
export function measuredPairColumns(rows) {
  return columnsOf("measured_pairs", rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}
