import { numberInWords } from "./numberwords.js";
import { setAt, valueAt } from "./pointer.js";

/** Parameters of a readable address, with the members that they stand for. */
const MEMBERS = [
  ["mode", "/mode", null],
  ["demand", "/demand/requests_per_s", undefined],
  ["in", "/workload/input_length", undefined],
  ["out", "/workload/output_length", undefined],
  ["ttft", "/slo/ttft_ms", "ms"],
  ["tpot", "/slo/tpot_ms", "ms"],
  ["p", "/slo/percentile", undefined],
  ["engine", "/engine/backend", null],
  ["weights", "/quantization/scheme", null],
  ["cost_model", "/cost_model", null],
];
const SECOND = 1000;
const COUNTED = /^(\d+)x(.+)$/;

/**
 * The readable address of a plain question: `/plan/Qwen/Qwen3-32B?gpu=8xH100_SXM&in=3500&out=1500&ttft=2s&tpot=50ms`. Undefined for
 * a question with other members, or with several devices.
 */
export function readableAddress(request) {
  const { model_id: model, devices, num_devices: count } = request;
  if (!model || model.split("/").length !== 2 || devices?.length !== 1 || typeof (count ?? 1) !== "number") {
    return undefined;
  }
  const query = MEMBERS.map(([name, pointer, unit]) => [name, valueAt(request, pointer), unit]).filter(([, value]) => value !== undefined);
  const words = [`gpu=${count ?? 1}x${devices[0]}`, ...query.map(([name, value, unit]) => `${name}=${unit === "ms" ? millis(value) : value}`)];
  const address = `/plan/${model}?${words.join("&")}`;
  return JSON.stringify(sorted(questionOfAddress(address))) === JSON.stringify(sorted(request)) ? address : undefined;
}

/** The question of a readable address; undefined where it names no model. Unknown parameters are left out. */
export function questionOfAddress(address) {
  const [, model, text = ""] = /^\/plan\/([^?]+)(?:\?(.*))?$/.exec(address) ?? [];
  if (model === undefined) {
    return undefined;
  }
  const query = new URLSearchParams(text);
  const request = { model_id: decodeURIComponent(model) };
  const devices = query.get("gpu");
  if (devices) {
    const [, count, device] = COUNTED.exec(devices) ?? [null, "1", devices];
    Object.assign(request, { devices: [device], num_devices: Number(count) });
  }
  for (const [name, pointer, unit] of MEMBERS) {
    const value = query.get(name);
    const member = value === null || unit === null ? value : numberInWords(value, unit);
    if (member !== null && member !== undefined) {
      setAt(request, pointer, member);
    }
  }
  return request;
}

function millis(value) {
  return value >= SECOND && value % 100 === 0 ? `${value / SECOND}s` : `${value}ms`;
}

/** The same value with the members of every object in one order. */
function sorted(value) {
  return value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).toSorted().map((name) => [name, sorted(value[name])]))
    : value;
}
