import { figure, heroCard, noAnswerCard } from "./card.js";
import { columnsOf } from "./columns.js";
import { element } from "./dom.js";
import { askButton, nearestPlans } from "./explanation.js";
import { decimals, layout, whole } from "./format.js";
import { objectiveColumn, objectiveInWords, rankedBy } from "./objective.js";
import { onDevices, onDevicesColumns } from "./ondevices.js";
import { haveCounts, pairCounts, pairCountsCard, sustained, wholeAnswer } from "./pdpairs.js";
import { table } from "./table.js";
import { counted } from "./words.js";

/** How many prefill instances serve how many decode instances. */
export function pdRatioSection(found, device, { result, request }) {
  const { rows } = found;
  const [best] = rows;
  if (haveCounts(rows)) {
    return element("section", { class: "phase" }, title(device), pairCounts(found, device));
  }
  return element(
    "section",
    { class: "phase" },
    title(device),
    pairCard(found, device, nearestPlans(result, device, "pd_ratio", (changes) => askButton(changes, request))),
    best && table(`Pairs of layouts by ${rankedBy(rows, "balanced requests per second")}`, pairColumns(rows), rows, (row) => row === best),
  );
}

/** The best pair; or that there is none, and what would be. */
export function pairCard({ rows }, device, nearest) {
  const [best] = rows;
  if (!best) {
    return noAnswerCard("No pair of prefill and decode layouts keeps the limits.", [device], nearest);
  }
  return haveCounts(rows) ? pairCountsCard(best, device) : hero(best, device);
}

function title(device) {
  return element("h2", {}, "Prefill to decode", element("span", { class: "device" }, ` on ${device.device}`));
}

function hero(best, device) {
  return heroCard(
    [
      ratioInWords(best),
      "; one pair serves ",
      element("strong", {}, `${decimals(best.balanced_requests_per_s, 2)} requests/s`),
      best.prefill_requests_per_s !== best.decode_requests_per_s && `, limited by ${best.prefill_requests_per_s < best.decode_requests_per_s ? "prefill" : "decode"}`,
    ],
    [
      figure(
        "Prefill instance",
        `${layout(best.parallel_p)}, batch ${whole(best.batch_size_p)}`,
        `${decimals(best.prefill_requests_per_s, 2)} requests/s${sustained(best.prefill_sustained_requests_per_s)}, TTFT ${decimals(best.ttft_ms, 1)} ms`,
      ),
      figure(
        "Decode instance",
        `${layout(best.parallel_d)}, batch ${whole(best.batch_size_d)}`,
        `${decimals(best.decode_requests_per_s, 2)} requests/s${sustained(best.decode_sustained_requests_per_s)}, TPOT ${decimals(best.tpot_ms, 2)} ms`,
      ),
      wholeAnswer(best),
      onDevices(best),
      figure("P : D", decimals(best.pd_ratio, 2), "prefill instances per decode instance"),
      objectiveInWords(best.objective) && figure("Ranked by", objectiveInWords(best.objective), "of instances in this ratio"),
    ],
    best,
    device,
    !best.prefill_instances &&
      element(
        "p",
        { class: "hint" },
        `${counted(device.num_devices, "device")} in all do not hold both instances in this ratio.`,
      ),
  );
}

function ratioInWords(best) {
  if (!best.prefill_instances) {
    return `${decimals(best.pd_ratio, 2)} prefill instances for each decode instance`;
  }
  const prefill = `${counted(best.prefill_instances, "prefill instance")} of ${counted(best.num_devices_p, "device")}`;
  const decode = `${counted(best.decode_instances, "decode instance")} of ${counted(best.num_devices_d, "device")}`;
  return `${prefill} for ${decode}`;
}

/** Columns that show pairs of layouts. */
export function pairColumns(rows) {
  return columnsOf("ratios", rows, { objective: objectiveColumn(rows), on_devices: onDevicesColumns(rows) });
}
