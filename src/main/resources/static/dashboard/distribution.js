import { lengthDistribution } from "./api.js";
import { parseBins } from "./bins.js";
import { announce, byId, element, fill } from "./dom.js";
import { drawHistogram } from "./histogram.js";
import { t } from "./language.js";
import { connectTrace } from "./trace.js";

const COLUMNS = [
  ["min_tokens", t("common.from")],
  ["max_tokens", t("common.to")],
  ["weight", t("common.weight")],
];

/** The editor of one length distribution, whose parts have ids that begin alike. */
class DistributionEditor {
  /** Bins count `tokens`, and each is called a `bin`. */
  constructor(prefix, pointer, tokens, bin) {
    Object.assign(this, { prefix, pointer, tokens, bin });
  }

  /** `changed` is told of every change that no input event announces. */
  connect(changed) {
    this.part("name").addEventListener("change", () => this.show());
    this.part("rows").addEventListener("input", () => drawHistogram(this.part("histogram"), this.currentBins()));
    this.part("add").addEventListener("click", () => {
      const bins = this.currentBins();
      const start = bins.at(-1)?.max_tokens ?? 0;
      this.showBins([...bins, { min_tokens: start, max_tokens: start + 500, weight: 1 }]);
      this.part("rows").lastElementChild.querySelector("input").focus();
      changed();
    });
    this.part("copy").addEventListener("click", async () => {
      const { bins } = await lengthDistribution(this.part("name").value);
      this.use(bins);
      changed();
    });
    this.part("read").addEventListener("click", () => this.readPasted(changed));
  }

  /** Shows the bins of a request, or the catalogue distribution that the form names. */
  async show(bins = []) {
    const name = this.part("name").value;
    this.showBins(name !== "" ? [] : bins.length > 0 ? bins : [{ min_tokens: 0, max_tokens: 500, weight: 1 }]);
    if (name !== "") {
      const named = await lengthDistribution(name);
      drawHistogram(this.part("histogram"), named.bins);
    }
  }

  /** Takes bins for those of one's own. */
  use(bins) {
    this.part("name").value = "";
    this.showBins(bins);
  }

  readPasted(changed) {
    const error = this.part("text-error");
    try {
      const bins = parseBins(this.part("text").value);
      error.hidden = true;
      this.showBins(bins);
      announce(t("distribution.bins_read", { 1: bins.length }));
      changed();
    } catch (failure) {
      error.textContent = failure.message;
      error.hidden = false;
    }
  }

  showBins(bins) {
    const own = this.part("name").value === "";
    this.part("bins").hidden = !own;
    this.part("copy").hidden = own;
    fill(this.part("rows"), bins.map((bin, index) => this.row(bin, index)));
    drawHistogram(this.part("histogram"), bins);
  }

  row(bin, index) {
    const cells = COLUMNS.map(([member, label]) => {
      const name = t("distribution.cell", { a: member === "weight" ? label : `${label} ${this.tokens}`, b: this.bin, 1: index + 1 });
      return element("input", { name: `${this.pointer}/bins/${index}/${member}`, value: bin[member], inputmode: "decimal", "data-kind": "number", "aria-label": name });
    });
    const remove = element("button", { type: "button", class: "quiet", "aria-label": t("distribution.remove_bin", { a: this.bin, 1: index + 1 }) }, "×");
    remove.addEventListener("click", () => {
      this.showBins(this.currentBins().filter((_, other) => other !== index));
      this.part("add").focus();
      byId("plan").dispatchEvent(new Event("input"));
    });
    return element("tr", {}, [...cells, remove].map((cell) => element("td", {}, cell)));
  }

  currentBins() {
    return [...this.part("rows").children].map((line) => {
      const [min_tokens, max_tokens, weight] = [...line.querySelectorAll("input")].map((input) => Number(input.value));
      return { min_tokens, max_tokens, weight };
    });
  }

  part(name) {
    return byId(`${this.prefix}-${name}`);
  }
}

const inputs = new DistributionEditor("distribution", "/workload/length_distribution", t("distribution.tokens"), t("distribution.bin"));
const outputs = new DistributionEditor("outputs", "/workload/output_distribution", t("distribution.output_tokens"), t("distribution.output_bin"));

/**
 * Connects the editors of both length distributions; `changed` is told of every change that no input event announces.
 *
 * @returns {function} takes the file of a trace
 */
export function connectDistributions(changed) {
  inputs.connect(changed);
  outputs.connect(changed);
  return connectTrace((trace) => {
    inputs.use(trace.workload.length_distribution.bins);
    outputs.use(trace.corrected_workload.output_distribution.bins);
    byId("output-length").value = trace.workload.output_length;
    changed();
  });
}

/** Shows the distributions of a workload, or where it has none what the form starts from. */
export function showDistributions({ length_distribution: lengths, output_distribution: answers }) {
  if (!lengths) {
    byId("distribution-name").value = "builtin";
  }
  inputs.show(lengths?.bins);
  if (!answers) {
    byId("outputs-name").value = "";
  }
  outputs.show(answers?.bins);
}
