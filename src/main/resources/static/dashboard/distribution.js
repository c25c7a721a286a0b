import { lengthDistribution } from "./api.js";
import { parseBins } from "./bins.js";
import { announce, byId, element, fill } from "./dom.js";
import { drawHistogram } from "./histogram.js";
import { connectTrace } from "./trace.js";

const POINTER = "/workload/length_distribution/bins";
const COLUMNS = [
  ["min_tokens", "From tokens"],
  ["max_tokens", "To tokens"],
  ["weight", "Weight"],
];

/** Connects the editor of length distributions; `changed` is told of every change that no input event announces. */
export function connectDistribution(changed) {
  byId("distribution-name").addEventListener("change", () => showDistribution());
  byId("distribution-rows").addEventListener("input", () => drawHistogram(histogram(), currentBins()));
  byId("distribution-add").addEventListener("click", () => {
    const bins = currentBins();
    const start = bins.at(-1)?.max_tokens ?? 0;
    showBins([...bins, { min_tokens: start, max_tokens: start + 500, weight: 1 }]);
    byId("distribution-rows").lastElementChild.querySelector("input").focus();
    changed();
  });
  byId("distribution-copy").addEventListener("click", async () => {
    const { bins } = await lengthDistribution(byId("distribution-name").value);
    byId("distribution-name").value = "";
    showBins(bins);
    changed();
  });
  byId("distribution-read").addEventListener("click", () => readPasted(changed));
  connectTrace((workload) => {
    byId("distribution-name").value = "";
    showBins(workload.length_distribution.bins);
    byId("output-length").value = workload.output_length;
    changed();
  });
}

/** Shows the bins of a request, or the catalogue distribution that the form names. */
export async function showDistribution(bins = []) {
  const name = byId("distribution-name").value;
  showBins(name === "" ? orOneBin(bins) : []);
  if (name !== "") {
    const named = await lengthDistribution(name);
    drawHistogram(histogram(), named.bins);
  }
}

function orOneBin(bins) {
  return bins.length > 0 ? bins : [{ min_tokens: 0, max_tokens: 500, weight: 1 }];
}

function readPasted(changed) {
  const error = byId("distribution-text-error");
  try {
    const bins = parseBins(byId("distribution-text").value);
    error.hidden = true;
    showBins(bins);
    announce(`${bins.length} bins read`);
    changed();
  } catch (failure) {
    error.textContent = failure.message;
    error.hidden = false;
  }
}

function showBins(bins) {
  const own = byId("distribution-name").value === "";
  byId("distribution-bins").hidden = !own;
  byId("distribution-copy").hidden = own;
  fill(byId("distribution-rows"), bins.map(row));
  drawHistogram(histogram(), bins);
}

function row(bin, index) {
  const cells = COLUMNS.map(([member, label]) =>
    element(
      "td",
      {},
      element("input", {
        name: `${POINTER}/${index}/${member}`,
        value: bin[member],
        inputmode: "decimal",
        "data-kind": "number",
        "aria-label": `${label}, bin ${index + 1}`,
      }),
    ),
  );
  const remove = element("button", { type: "button", class: "quiet", "aria-label": `Remove bin ${index + 1}` }, "×");
  remove.addEventListener("click", () => {
    showBins(currentBins().filter((_, other) => other !== index));
    byId("distribution-add").focus();
    byId("plan").dispatchEvent(new Event("input"));
  });
  return element("tr", {}, cells, element("td", {}, remove));
}

function currentBins() {
  return [...byId("distribution-rows").children].map((line) => {
    const [min_tokens, max_tokens, weight] = [...line.querySelectorAll("input")].map((input) => Number(input.value));
    return { min_tokens, max_tokens, weight };
  });
}

function histogram() {
  return byId("distribution-histogram");
}
