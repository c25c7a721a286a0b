import { readJson, writeJson } from "./infinite.js";
import { t } from "./language.js";
import { numberInWords } from "./numberwords.js";
import { setAt, valueAt } from "./pointer.js";

/** Of the longest address: mail and chat programs cut longer ones. */
const LONGEST = 8000;
const FORMAT = "deflate-raw";

/**
 * Where a page shows a question, which is in the address itself; undefined for one that makes too long an address.
 *
 * @param {string} page its address without a question
 */
export async function addressOf(request, page = "/q") {
  const readable = page === "/q" ? readableAddress(request) : undefined;
  if (readable) {
    return readable;
  }
  const packed = toLetters(await through(new CompressionStream(FORMAT), new TextEncoder().encode(writeJson(request))));
  return packed.length > LONGEST ? undefined : `${page}/${packed}`;
}

/** The question of an address, by what comes after its page; throws where it holds none, as when it was cut. */
export async function questionAt(packed) {
  const request = readJson(new TextDecoder().decode(await through(new DecompressionStream(FORMAT), fromLetters(packed))));
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new SyntaxError(t("address.no_request"));
  }
  return request;
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Base 64 as addresses have it (RFC 4648, section 5), without padding. */
function toLetters(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromLetters(letters) {
  return Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

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
function readableAddress(request) {
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
