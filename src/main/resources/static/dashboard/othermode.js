import { askBeside, ProblemError } from "./api.js";
import { element, pause } from "./dom.js";
import { decimals, plain } from "./format.js";
import { t } from "./language.js";
import { bestDevice } from "./results.js";
import { isCalibrated, ofDevice } from "./words.js";

/** Only who pauses that long is answered more than was asked. */
const PAUSE_MILLIS = 700;

/** Objectives that rank as the figure does that is compared. */
const BY_TOKENS = [undefined, "tokens_per_s", "tokens_per_s_per_device"];

/** What prefill and decode apart would serve in place of together, or together in place of apart: a line for a place of its own. */
export class OtherMode {
  /** @param {function} turnTo takes a question into the form */
  constructor(turnTo) {
    this.turnTo = turnTo;
    this.node = element("div", { class: "other-mode", "aria-live": "polite" });
  }

  /** Asks once nobody has changed the question for a while; the same answer is asked about once. */
  async ask(request, answer) {
    this.giveUp();
    const other = otherModeOf(request);
    if (!other) {
      this.node.replaceChildren();
      return;
    }
    this.node.replaceChildren(placeOf(other));
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    try {
      await pause(PAUSE_MILLIS, signal);
      answer.other ??= await askBeside(other.request, signal);
    } catch (error) {
      if (error instanceof ProblemError) {
        answer.other = error;
      } else if (!signal.aborted) {
        throw error;
      }
    }
    if (!signal.aborted) {
      this.node.replaceChildren(this.line(other, answer));
    }
  }

  giveUp() {
    this.leaving?.abort();
  }

  line({ request, words }, { result, other }) {
    const button = element("button", { type: "button", class: "link", on: { click: () => this.turnTo(request) } }, t("othermode.use_this_mode"));
    if (!other.result) {
      const { message, problem } = other;
      return element("p", {}, `${words}: `, message ?? problem?.detail ?? t("othermode.no_result"), " ", button);
    }
    const said = element("strong", {}, mostInWords(other.result, result));
    return element("p", {}, `${words}: `, said, ". ", mostOf(other.result) !== undefined && button);
  }
}

/** What keeps the place of a line that is not there yet: what stands below must not move from under a pointer. */
function placeOf({ words }) {
  return element("p", { "aria-hidden": "true" }, `${words}: `, "… ", element("button", { type: "button", class: "link", disabled: true }, t("othermode.use_this_mode")));
}

/** The same question of the other mode, with instances of all sizes that fit. Nothing where both would not be of the same. */
export function otherModeOf(request) {
  const { mode = "aggregation", traffic = {} } = request;
  const comparable = ranksByTokens(request) && traffic.request_rate === undefined;
  const other = { aggregation: apart, pd_ratio: together }[mode];
  return comparable && other ? other(request) : null;
}

function apart({ percentiles: _, dump_original_results: __, explain: ___, ...request }) {
  const count = countOf(request);
  // The roofline counts whole instances where it may choose among several sizes.
  const sizes = count === 2 && !isCalibrated(request) ? [1, 2] : undefined;
  const pairs = sizes && { pd_ratio: { prefill_devices_per_instance: sizes, decode_devices_per_instance: sizes } };
  return count < 2 ? null : { request: { ...request, mode: "pd_ratio", ...pairs }, words: t("common.disaggregated") };
}

/** Devices of the only kind. */
function countOf({ num_devices: counts, devices: [device] }) {
  return ofDevice(counts, device) ?? 1;
}

function together({ pd_ratio: _, explain: __, ...request }) {
  return { request: { ...request, mode: "aggregation" }, words: t("othermode.aggregated_on_devices", { 1: plain(countOf(request)) }) };
}

/** Whether the answer to a question is told by its tokens per second: of one kind of device, and of means. */
export function ranksByTokens({ devices = [], slo = {}, objective }) {
  return devices.length === 1 && BY_TOKENS.includes(objective?.name ?? objective) && slo.percentile === undefined;
}

/** The most tokens per second of a result, against that of another. */
export function mostInWords(result, other) {
  const most = mostOf(result);
  return most === undefined ? t("common.no_feasible_plan") : t("othermode.tokens_s", { a: decimals(most, 0), b: compared(most, mostOf(other)) });
}

/** Most tokens per second of all devices. */
function mostOf(result) {
  if (!result) {
    return undefined;
  }
  const device = bestDevice(result);
  const rows = device.pd_ratio?.rows ?? device.phases[0]?.rows ?? [];
  const rates = rows.map(({ tokens_per_s: rate }) => rate).filter((rate) => rate !== undefined);
  return rates.length === 0 ? undefined : Math.max(...rates);
}

function compared(its, mine) {
  if (mine === undefined || mine === 0) {
    return "";
  }
  const percent = 100 * (its / mine - 1);
  if (Math.abs(percent) < 0.5) {
    return t("othermode.the_same");
  }
  return t(percent > 0 ? "othermode.more" : "othermode.less", { 1: decimals(Math.abs(percent), 0) });
}
