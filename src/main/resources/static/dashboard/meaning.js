import { endsOf, isMeasuredRow, isWide, spanInWords } from "./bands.js";
import { HOURS_A_MONTH } from "./capacity.js";
import { element } from "./dom.js";
import { decimals, moment, plain, whole } from "./format.js";
import { bestDevice } from "./results.js";
import { counted, devicesOf, isCalibrated, ofDevice, throughputOf } from "./words.js";

/** The same in a card, with when it was planned and by what; `end` is said behind that. */
export function meaningCard(job, version, end = "") {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "What this means"),
    meaning(job),
    element("p", { class: "hint" }, `Planned ${moment(job.finished_at)} by throughput-optimizer${version ? ` ${version}` : ""}.${end}`),
  );
}

/**
 * A plan in one paragraph, for who pays: how many, what it costs a month, how sure that is, what it assumes.
 *
 * @param {Object} job with its result
 */
function meaning({ request, result }) {
  const plan = planOf(result);
  const model = request.model_id ?? "The model";
  if (!plan) {
    return element("p", { class: "meaning" }, `${model} cannot be served within the limits by the devices that were asked about. ${assumed(result.devices)}`);
  }
  return element(
    "p",
    { class: "meaning" },
    element("strong", {}, `${model} needs ${plan.devices.map(({ count, name }) => `${plain(count)} × ${name}`).join(" and ")}`),
    `${plan.serves}. `,
    `${costInWords(plan, request)} ${certainty(plan.row, result, request)} ${assumed(result.devices.filter(({ device }) => plan.devices.some(({ name }) => name === device)))}`,
  );
}

/** The best plan: which devices, what they serve, and the row whose figures that are; nothing where none keeps the limits. */
function planOf(result) {
  if (result.capacity) {
    return deployment(result.capacity.rows[0]);
  }
  const device = bestDevice(result);
  return device.pd_ratio ? pair(device.pd_ratio.rows[0], device) : servers(device);
}

function deployment(row) {
  return (
    row && {
      row,
      devices: [{ count: row.num_devices, name: row.device }],
      hourly: row.cost_per_hour,
      serves: `, in ${row.instances.map(({ count, devices_per_instance: size }) => `${counted(count, "server")} of ${size}`).join(" and ")}: they serve ${perSecond(row.requests_per_s)} as asked, and at most ${perSecond(row.most_requests_per_s)}`,
    }
  );
}

function pair(row, device) {
  if (!row?.prefill_instances) {
    return null;
  }
  const sides = [
    { count: row.prefill_instances * row.num_devices_p, name: row.device_p ?? device.device },
    { count: row.decode_instances * row.num_devices_d, name: row.device_d ?? device.device },
  ];
  const devices = sides[0].name === sides[1].name ? [{ count: sides[0].count + sides[1].count, name: sides[0].name }] : sides;
  const rate = row.requests_per_s ?? row.balanced_requests_per_s;
  return {
    row,
    devices,
    serves: `, ${counted(row.prefill_instances, "server")} for prompts and ${row.decode_instances} for answers${rate === undefined ? "" : `: they serve ${perSecond(rate)}`}`,
  };
}

function servers({ device, phases }) {
  const row = phases.find(({ rows }) => rows.length > 0)?.rows[0];
  return (
    row && {
      row,
      devices: [{ count: devicesOf(row.parallel) * (row.replicas ?? 1), name: device }],
      serves: `, in ${counted(row.replicas ?? 1, "server")} of ${devicesOf(row.parallel)}: they serve at most ${row.requests_per_s === undefined ? "" : `${perSecond(row.requests_per_s)}, `}${throughputOf(row)} tokens a second`,
    }
  );
}

function perSecond(requests) {
  return `${decimals(requests, 2)} requests a second`;
}

/** A month has 730 hours, as clouds count. */
function costInWords({ devices, hourly }, { objective }) {
  const priced = devices.map(({ count, name }) => count * ofDevice(objective?.price_per_device_hour, name));
  const hour = hourly ?? priced.reduce((sum, price) => sum + price, 0);
  if (!Number.isFinite(hour)) {
    return "What it costs depends on the price of a device, which the question does not have.";
  }
  const currency = objective.currency ? `${objective.currency} ` : "";
  return `It costs ${currency}${whole(HOURS_A_MONTH * hour)} a month, by ${currency}${decimals(hour, 2)} an hour for all devices.`;
}

function certainty(row, { band_coverage: coverage }, request) {
  if (row.num_devices_unfavourable !== undefined) {
    return `By measured kernels it may be more devices: ${plain(row.num_devices_unfavourable)} at the unfavourable end of the bands.`;
  }
  const ends = isMeasuredRow(row) && endsOf(row, "tokens_per_s");
  if (ends && isWide(ends)) {
    return "How many tokens a second it serves is far from certain: its band spans more than tenfold.";
  }
  if (ends && row.tokens_per_s_band) {
    return `Servers that were measured stood so to such figures that ${Math.round(10 * coverage)} of 10 lie within their bands: here ${spanInWords(ends, 0)} tokens a second.`;
  }
  if (ends) {
    return `Nobody measured a server like it: by estimate it serves ${spanInWords(ends, 0)} tokens a second.`;
  }
  return isCalibrated(request)
    ? "The figures are those of measured kernels; how far off they may be was not asked, or is not known."
    : "The figures are those of the hardware's rates, without a measured band: real servers may serve clearly less.";
}

function assumed(devices) {
  const texts = [...new Set(devices.flatMap(({ assumptions }) => assumptions ?? []).map(({ text }) => text))];
  return texts.length > 0 ? `It assumes: ${texts.join("; ")}.` : "";
}
