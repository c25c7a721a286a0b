import { figure } from "./card.js";
import { decimals, whole } from "./format.js";
import { counted } from "./words.js";

/** What the devices make of the best pair, for its card: what stands idle, and the numbers that serve most. */
export function onDevices({ devices_idle: idle, most }) {
  return [
    idle > 0 && figure("Idle", counted(idle, "device"), "in none of these instances"),
    most &&
      figure(
        "Most on these devices",
        `${decimals(most.requests_per_s, 2)} requests/s`,
        `${most.prefill_instances} : ${most.decode_instances} instances on ${counted(most.devices_used, "device")}, ${whole(most.tokens_per_s)} tokens/s`,
      ),
  ];
}

/** Columns that say the same of all pairs. */
export function onDevicesColumns(rows) {
  return [
    rows.some((row) => row.devices_idle > 0) && { title: "Idle", text: (row) => whole(row.devices_idle) },
    rows.some((row) => row.most) && {
      title: "Most",
      text: ({ most }) => (most ? `${most.prefill_instances} : ${most.decode_instances}` : "–"),
    },
    rows.some((row) => row.most) && { title: "Most req/s", text: ({ most }) => decimals(most?.requests_per_s, 2) },
  ];
}
