import { launch, ProblemError } from "./api.js";
import { copy, element, fill, freshId } from "./dom.js";

const ENGINES = [
  { name: "vllm", title: "vLLM" },
  { name: "vllm-ascend", title: "vLLM-Ascend" },
  { name: "sglang", title: "SGLang" },
  { name: "trtllm", title: "TensorRT-LLM" },
  { name: "mindie", title: "MindIE" },
];

/** The commands that start a row of a device's result, for the engine and the row that are chosen; nothing without rows. */
export function launchSection(device, jobId, signal) {
  const labels = rowLabels(device);
  return labels.length > 0 && new LaunchPanel(() => device.device, labels, jobId, signal).node;
}

/** The commands that start a deployment, whichever device it is of. */
export function launchOfDeployments(rows, jobId, signal) {
  const labels = rows.map(({ device, num_devices: devices, instances }) =>
    `${devices} × ${device}, ${instances.map(({ count, load }) => `${count} × ${load.parallel.label}`).join(" → ")}`,
  );
  return labels.length > 0 && new LaunchPanel((rank) => rows[rank - 1].device, labels, jobId, signal).node;
}

/** What each rank stands for. */
function rowLabels({ phases, pd_ratio: pairs }) {
  if (pairs) {
    return pairs.rows.map(({ parallel_p: prefill, parallel_d: decode }) => `${prefill.label} → ${decode.label}`);
  }
  const fewest = Math.min(...phases.map(({ rows }) => rows.length));
  return Array.from({ length: fewest }, (_, rank) => phases.map(({ rows }) => rows[rank].parallel.label).join(", "));
}

class LaunchPanel {
  /** @param {function} deviceOf says which device a rank is of */
  constructor(deviceOf, labels, jobId, signal) {
    Object.assign(this, { deviceOf, jobId, signal });
    this.engine = choice(ENGINES.map(({ name, title }) => ({ value: name, text: title })));
    this.row = choice(labels.map((label, rank) => ({ value: rank + 1, text: `${rank + 1}: ${label}` })));
    this.check = element("input", { type: "checkbox", id: freshId("launch-check") });
    this.script = element("pre", { class: "curl", tabindex: "0", role: "region", "aria-label": `Commands for ${deviceOf(1)}` });
    const copyIt = (event) => copy(this.script.textContent, event.target);
    this.copyButton = element("button", { type: "button", class: "quiet", on: { click: copyIt } }, "Copy");
    [this.engine, this.row, this.check].forEach((control) => control.addEventListener("change", () => this.refresh()));
    this.node = element(
      "details",
      { class: "launch", on: { toggle: () => this.node.open && this.refresh() } },
      element("summary", {}, "Start it on a serving engine"),
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.engine.id }, "Engine"),
        this.engine,
        element("label", { for: this.row.id }, "Row"),
        this.row,
        this.check,
        element("label", { for: this.check.id }, "with a benchmark"),
        this.copyButton,
      ),
      this.script,
    );
  }

  async refresh() {
    const asked = { engine: this.engine.value, rank: this.row.value, device: this.deviceOf(this.row.value), check: this.check.checked };
    this.asked = asked;
    const text = await this.answer(asked);
    if (this.asked === asked && text !== null) {
      fill(this.script, text);
    }
  }

  async answer(asked) {
    try {
      return await launch(this.jobId, asked, this.signal);
    } catch (error) {
      if (error instanceof ProblemError) {
        return error.message;
      }
      if (error.name === "AbortError") {
        return null;
      }
      throw error;
    }
  }
}

function choice(options) {
  return element(
    "select",
    { id: freshId("launch") },
    options.map(({ value, text }) => element("option", { value }, text)),
  );
}
