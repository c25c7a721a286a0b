import { figure } from "./card.js";
import { decimals, plain, whole } from "./format.js";
import { t } from "./language.js";

/** What the devices make of the best pair, for its card: what stands idle, and the numbers that serve most. */
export function onDevices({ devices_idle: idle, most }) {
  return [
    idle > 0 && figure(t("ondevices.idle"), t("common.devices_count", { 1: plain(idle) }), t("ondevices.not_used_by_any")),
    most &&
      figure(
        t("ondevices.maximum_on_these_devices"),
        t("common.requests_s_count", { 1: decimals(most.requests_per_s, 2) }),
        t("ondevices.instances_on_devices_tokens", { 1: most.prefill_instances, 2: most.decode_instances, 3: plain(most.devices_used), 4: whole(most.tokens_per_s) }),
      ),
  ];
}

/** Columns that say the same of all pairs. */
export function onDevicesColumns(rows) {
  return [
    rows.some((row) => row.devices_idle > 0) && { title: t("ondevices.idle"), text: (row) => whole(row.devices_idle) },
    rows.some((row) => row.most) && {
      title: t("ondevices.maximum"),
      text: ({ most }) => (most ? `${most.prefill_instances} : ${most.decode_instances}` : "–"),
    },
    rows.some((row) => row.most) && { title: t("common.max_requests_s"), text: ({ most }) => decimals(most?.requests_per_s, 2) },
  ];
}
