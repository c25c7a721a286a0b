/** Members of a plan that the portfolio says instead, or that mode `capacity` does not take. */
const LEFT_OUT = [
  "mode",
  "devices",
  "num_devices",
  "pd_ratio",
  "objective",
  "dump_original_results",
  "explain",
  "percentiles",
  "accounting",
  "demand",
];

/**
 * A plan that was saved, as a service of a portfolio.
 *
 * @returns {{name: string, request: Object, demand_by_hour: ?Object, stock: Object[]}} its demand where it has one, and the
 *     devices that it was planned for
 */
export function serviceOf(plan) {
  const { demand, slo, model_id: model, devices = [], num_devices: counts } = plan;
  const { percentile: _, ...limits } = slo ?? {};
  const request = Object.fromEntries(Object.entries({ ...plan, slo: limits }).filter(([member]) => !LEFT_OUT.includes(member)));
  return {
    name: model?.split("/").at(-1) ?? "",
    request,
    demand_by_hour: demand && allDay(demand),
    stock: devices.map((device) => ({ device, count: countOf(counts, device) })),
  };
}

/** The same demand in every hour. */
function allDay(demand) {
  const [unit, amount] = Object.entries(demand)[0];
  return { [unit]: Array(24).fill(amount) };
}

function countOf(counts, device) {
  return typeof counts === "object" && counts !== null ? (counts[device] ?? 1) : (counts ?? 1);
}
