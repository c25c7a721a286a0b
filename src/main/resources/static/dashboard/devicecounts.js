import { byId, element, field, fill } from "./dom.js";
import { number } from "./fields.js";
import { t } from "./language.js";

/** Offers each ticked device a number of its own where there are several; a blank one is that of all. */
export function offerCounts(form) {
  const place = byId("device-counts");
  const ticked = tickedDevices(form);
  const names = ticked.length > 1 ? ticked : [];
  const known = inputs().map((input) => input.dataset.device);
  const ofAll = form.elements["/num_devices"];
  if (names.join() !== known.join()) {
    const texts = new Map(inputs().map((input) => [input.dataset.device, input.value]));
    fill(place, names.map((name) => countField(name, texts.get(name) ?? "")));
    if (ticked.length === 1) {
      ofAll.value = texts.get(ticked[0])?.trim() || ofAll.value;
    }
  }
  inputs().forEach((input) => (input.placeholder = ofAll.value.trim() || "1"));
  place.hidden = names.length === 0;
}

/** Shows the numbers of a request: of all, or of each device its own. */
export function writeCounts(form, { num_devices: counts }) {
  const own = typeof counts === "object" && counts !== null ? counts : {};
  const values = new Set(Object.values(own));
  offerCounts(form);
  if (values.size === 1) {
    form.elements["/num_devices"].value = [...values][0];
  }
  inputs().forEach((input) => (input.value = values.size > 1 ? (own[input.dataset.device] ?? "") : ""));
  offerCounts(form);
}

/** The request that a form describes, with the numbers of single devices in it. */
export function withCounts(request) {
  const own = new Map(inputs().map((input) => [input.dataset.device, input.value.trim()]));
  if (![...own.values()].some((text) => text !== "")) {
    return request;
  }
  const counts = [...own].map(([device, text]) => [device, text === "" ? (request.num_devices ?? 1) : number(text)]);
  return { ...request, num_devices: Object.fromEntries(counts) };
}

function tickedDevices(form) {
  return [...form.querySelectorAll('[name="/devices"]:checked')].filter((input) => !input.matches(":disabled")).map((input) => input.value);
}

function inputs() {
  return [...byId("device-counts").querySelectorAll("input")];
}

function countField(device, text) {
  const input = element("input", { id: `count-${device}`, "data-device": device, "data-pointer": `/num_devices/${device}`, inputmode: "numeric", value: text });
  return field(t("devicecounts.number_of", { a: device }), input, { short: true });
}
