import { figure } from "./card.js";
import { element, keep, kept } from "./dom.js";
import { decimals, whole } from "./format.js";
import { t } from "./language.js";

/** Hours of a twelfth of a year. */
const HOURS_A_MONTH = 730;

const SECONDS_AN_HOUR = 3600;
const MILLION = 1e6;
const KEPT = "prices";

/** Prices of devices that the operator set, by device: {currency, per_device_hour}. */
let operators = { currency: "USD", per_device_hour: {} };

/** Takes the operator's prices. */
export function offerPrices(prices) {
  operators = prices ?? operators;
}

/** Price of a device-hour: of the request, else of this browser, else of the operator; undefined where none is known. */
function priceOf(device, { objective } = {}) {
  const asked = objective?.price_per_device_hour;
  const ofRequest = typeof asked === "object" ? asked[device] : asked;
  return ofRequest ?? kept("localStorage", KEPT)?.[device] ?? operators.per_device_hour?.[device];
}

/** Label of the currency. */
function currencyOf({ objective } = {}) {
  return objective?.currency ?? operators.currency;
}

/** An amount with its currency: "$14,600", "EUR 0.44". */
export function money(amount, request) {
  const currency = currencyOf(request);
  const number = amount >= 100 ? whole(Number(amount.toPrecision(3))) : decimals(amount, 2);
  return currency === "USD" ? `$${number}` : `${currency} ${number}`;
}

/**
 * Cost of a plan.
 *
 * @param {Object<string, number>} devices number of devices of each kind
 * @returns {{hour: number, month: number, million: number}|undefined} undefined where a price is missing; `million` is per million
 *     output tokens
 */
export function costOf(devices, tokensPerSecond, request) {
  const hour = Object.entries(devices).reduce((sum, [device, count]) => sum + count * priceOf(device, request), 0);
  if (!(hour >= 0)) {
    return undefined;
  }
  return { hour, month: hour * HOURS_A_MONTH, million: (hour / (tokensPerSecond * SECONDS_AN_HOUR)) * MILLION };
}

/**
 * Figures of a card: cost a month and per million output tokens; where no price is known, the field that takes one.
 *
 * @param {function} [changed] is called with every new price
 */
export function costFigures(devices, tokensPerSecond, request, changed) {
  const cost = costOf(devices, tokensPerSecond, request);
  const field = changed && request.objective?.price_per_device_hour === undefined && Object.keys(devices).map((device) => priceField(device, request, changed));
  return [
    cost && figure(t("answer.cost_a_month"), money(cost.month, request), field),
    cost && tokensPerSecond && figure(t("answer.per_million_output_tokens"), money(cost.million, request)),
    !cost && field && figure(t("form.price_per_device_hour"), field),
  ];
}

/** Field for the price of a device, kept by the browser. */
function priceField(device, request, changed) {
  const input = element("input", { type: "text", inputmode: "decimal", size: 5, "aria-label": t("money.price_of", { a: device }), placeholder: "2.50" });
  input.value = priceOf(device, request) ?? "";
  input.addEventListener("change", (event) => {
    event.stopPropagation();
    const price = Number(input.value);
    if (input.value.trim() === "" || (Number.isFinite(price) && price >= 0)) {
      keep("localStorage", KEPT, { ...kept("localStorage", KEPT), [device]: input.value.trim() === "" ? undefined : price });
      changed();
    }
  });
  input.addEventListener("input", (event) => event.stopPropagation());
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault(); // the question is not saved by it
      input.blur();
    }
  });
  return element("label", { class: "price" }, `${currencyOf(request)} `, input, t("money.an_hour"));
}
