import { endsOf, isMeasuredRow, isWide, rounded, spanInWords } from "./bands.js";
import { costOf, money } from "./money.js";
import { element } from "./dom.js";
import { decimals, moment, plain } from "./format.js";
import { t } from "./language.js";
import { bestDevice } from "./results.js";
import { devicesOf, devicesOfPair, isCalibrated, throughputOf } from "./words.js";

/** The same in a card, with when it was planned and by what; `end` is said behind that. */
export function meaningCard(job, version, end = "") {
  return element(
    "section",
    { class: "card" },
    element("h2", {}, t("meaning.summary")),
    meaning(job),
    element("p", { class: "hint" }, t("meaning.planned_by_throughput_optimizer", { a: moment(job.finished_at), b: version ? ` ${version}` : "", c: end })),
  );
}

/**
 * A plan in one paragraph, for who pays: how many, what it costs a month, how sure that is, what it assumes.
 *
 * @param {Object} job with its result
 */
function meaning({ request, result }) {
  const plan = planOf(result);
  const model = request.model_id ?? t("common.the_model");
  if (!plan) {
    return element("p", { class: "meaning" }, t("meaning.cannot_be_served_within", { a: model, b: assumed(result.devices) }));
  }
  return element(
    "p",
    { class: "meaning" },
    element("strong", {}, t("meaning.needs", { a: model, b: plan.devices.map(({ count, name }) => `${plain(count)} × ${name}`).join(` ${t("common.and")} `) })),
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
      serves: t("meaning.in_they_serve_as", { a: row.instances.map(({ count, devices_per_instance: size }) => t("meaning.instances_of", { 1: plain(count), a: size })).join(` ${t("common.and")} `), b: perSecond(row.requests_per_s), c: perSecond(row.most_requests_per_s) }),
    }
  );
}

function pair(row, device) {
  if (!row?.prefill_instances) {
    return null;
  }
  const devices = Object.entries(devicesOfPair(row, device)).map(([name, count]) => ({ name, count }));
  const rate = row.requests_per_s ?? row.balanced_requests_per_s;
  return {
    row,
    devices,
    serves: t("meaning.prefill_instances_and_for", { 1: plain(row.prefill_instances), a: row.decode_instances, b: rate === undefined ? "" : t("meaning.they_serve", { a: perSecond(rate) }) }),
  };
}

function servers({ device, phases }) {
  const row = phases.find(({ rows }) => rows.length > 0)?.rows[0];
  return (
    row && {
      row,
      devices: [{ count: devicesOf(row.parallel) * (row.replicas ?? 1), name: device }],
      serves: t("meaning.in_instances_they_serve", { 1: plain(row.replicas ?? 1), a: devicesOf(row.parallel), b: row.requests_per_s === undefined ? "" : `${perSecond(row.requests_per_s)}, `, c: row.tokens_per_s_band ? rounded(row.tokens_per_s, row.tokens_per_s_band, 0) : throughputOf(row) }),
    }
  );
}

function perSecond(requests) {
  return t("common.requests_s_value", { a: decimals(requests, 2) });
}

function costInWords({ devices }, request) {
  const cost = costOf(Object.fromEntries(devices.map(({ count, name }) => [name, count])), undefined, request);
  return cost ? t("meaning.it_costs_per_month", { a: money(cost.month, request), b: money(cost.hour, request) }) : t("meaning.add_device_price_see");
}

function certainty(row, { band_coverage: coverage }, request) {
  if (row.num_devices_unfavourable !== undefined) {
    return t("meaning.in_pessimistic_case_it", { 1: plain(row.num_devices_unfavourable) });
  }
  const ends = isMeasuredRow(row) && endsOf(row, "tokens_per_s");
  if (ends && isWide(ends)) {
    return t("meaning.throughput_highly_uncertain_its");
  }
  if (ends && row.tokens_per_s_band) {
    return t("meaning.in_10_measured_servers", { 1: Math.round(10 * coverage), a: spanInWords(ends, 0) });
  }
  if (ends) {
    return t("meaning.no_similar_server_was", { a: spanInWords(ends, 0) });
  }
  return isCalibrated(request)
    ? t("meaning.results_from_calibrated_model")
    : t("meaning.results_from_roofline_model");
}

function assumed(devices) {
  const texts = [...new Set(devices.flatMap(({ assumptions }) => assumptions ?? []).map(({ text }) => text))];
  return texts.length > 0 ? t("meaning.assumptions", { A: texts.join("; ") }) : "";
}
