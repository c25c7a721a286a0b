import { element } from "./dom.js";
import { percent } from "./format.js";
import { table } from "./table.js";

const BASES = {
  special: "another engine's kernel, or one set aside as unusual",
  family: "a device of the same family",
  "inter-node": "measured within a node, used between nodes",
  none: "constants that fit any device",
};

/** What the figures of a measured device are based on. */
export function basisSection({ device, calibration }, { model_id: model = "" }, coverage) {
  const versions = Object.entries(calibration.versions).map(([name, measured]) => `${name} ${measured.join(", ")}`);
  return element(
    "details",
    { class: "card" },
    element("summary", {}, "What the figures are based on"),
    element(
      "p",
      {},
      `Kernels as ${calibration.backend} launches them; measured with ${versions.join("; ")}. `,
      coverage !== undefined && `A band holds ${percent(100 * coverage, 0)} of the servers that were measured. `,
      element("a", { href: `#/accuracy/${[model, device, calibration.backend].map(encodeURIComponent).join("/")}` }, "Measured against modelled"),
      ".",
    ),
    calibration.bases.length === 0
      ? element("p", {}, "Every kernel was measured with this engine, or with all engines together.")
      : table(
          "Kernels that were not measured so",
          [
            { title: "Kernel", text: (use) => use.class, className: "words" },
            { title: "Type", text: (use) => use.dtype, className: "words" },
            { title: "Priced as", text: (use) => BASES[use.basis] ?? use.basis, className: "words" },
          ],
          calibration.bases,
        ),
  );
}
