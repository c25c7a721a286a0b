import { numberInWords } from "./numberwords.js";
import { setAt } from "./pointer.js";

const NUMBER = "((?:\\d[\\d.,]*)?\\d";
const TOKENS = `${NUMBER}k?)`;
const limit = (names) => `(?:\\bp(\\d\\d)\\s+)?\\b(?:${names})\\b\\s*(?:p(\\d\\d)\\b)?[^\\d\\n,;]{0,12}${NUMBER}\\s*m?s?)\\b`;

/** Terms with numbers, and the fields of their numbers. */
const TERMS = [
  [`${NUMBER})\\s*(?:rps|qps|req(?:uest)?s?\\s*(?:/|per|a)\\s*s(?:ec(?:ond)?)?)\\b`, "/demand/requests_per_s"],
  [`\\b${TOKENS}\\s*/\\s*${TOKENS}(?![\\w/])`, "/workload/input_length", "/workload/output_length"],
  [`\\b${TOKENS}\\s*(?:tokens? )?in(?:put)?\\b`, "/workload/input_length"],
  [`\\b${TOKENS}\\s*(?:tokens? )?out(?:put)?\\b`, "/workload/output_length"],
  [limit("ttft"), "/slo/percentile", "/slo/percentile", "/slo/ttft_ms"],
  [limit("tpot|itl"), "/slo/percentile", "/slo/percentile", "/slo/tpot_ms"],
];
const COUNTED = /\b(\d+)\s*[x×]\s*(?=[a-z])/gi;
const DISAGGREGATED = /^(?:p\/?d|disagg\w*)$/i;

/** Devices that a demand can take where the text names no number. */
const MANY = 256;

/**
 * The fields of a request that a text names: "Qwen3-32B on 8 H200, 50 req/s, 2k/500, p95 TTFT 1 s, TPOT 40 ms".
 *
 * @param {Object} known names of `devices`, names of `choices` by field, and `modelOf` finds a model by its name
 */
export function questionInWords(text, { devices, choices, modelOf }) {
  const request = {};
  const rest = TERMS.reduce((left, [pattern, ...pointers]) => left.replace(new RegExp(pattern, "i"), (_, ...numbers) => {
    pointers.forEach((pointer, index) => numbers[index] && setAt(request, pointer, numberInWords(numbers[index], pointer.endsWith("_ms") ? "ms" : undefined)));
    return " ";
  }), text);
  let count = request.demand && MANY;
  for (const word of rest.replace(COUNTED, "$1 ").split(/[\s,;]+/)) {
    const isNamed = (name) => [name, name.split("_")[0]].some((one) => one.toLowerCase() === word.toLowerCase());
    const device = devices.find(isNamed);
    const [pointer, names] = Object.entries(choices).find(([, all]) => all.some(isNamed)) ?? [];
    const model = /\d/.test(word) && /[a-z]/i.test(word) && !device && !pointer && modelOf({ model_id: word }).model;
    count = /^\d+$/.test(word) ? Number(word) : count;
    Object.assign(request, device && { devices: [...(request.devices ?? []), device], ...(count && { num_devices: count }) }, model && { model_id: model.id }, DISAGGREGATED.test(word) && { mode: "pd_ratio" });
    if (pointer) {
      setAt(request, pointer, names.find(isNamed));
    }
  }
  return request.demand ? { ...request, mode: "capacity" } : request;
}
