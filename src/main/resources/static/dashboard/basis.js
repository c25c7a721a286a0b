import { element } from "./dom.js";
import { percent } from "./format.js";
import { t } from "./language.js";
import { table } from "./table.js";

const BASES = {
  special: t("basis.another_engines_kernel_or"),
  family: t("basis.device_same_family"),
  "inter-node": t("basis.measured_within_node_used"),
  none: t("basis.constants_for_any_device"),
};

/** What the figures of a measured device are based on. */
export function basisSection({ device, calibration }, { model_id: model = "" }, coverage) {
  const versions = Object.entries(calibration.versions).map(([name, measured]) => `${name} ${measured.join(", ")}`);
  return element(
    "details",
    { class: "card" },
    element("summary", {}, t("basis.calibration")),
    element(
      "p",
      {},
      `${t("basis.kernels_as_launched_by", { a: calibration.backend, B: versions.join("; ") })} `,
      coverage !== undefined && `${t("common.intervals_hold_measured_servers", { 1: percent(100 * coverage, 0) })} `,
      element("a", { href: `#/accuracy/${[model, device, calibration.backend].map(encodeURIComponent).join("/")}` }, t("common.accuracy_measured_and_modeled")),
      ".",
    ),
    calibration.bases.length === 0
      ? element("p", {}, t("basis.every_kernel_was_measured"))
      : table(
          t("basis.kernels_without_matching_measurements"),
          [
            { title: t("basis.kernel"), text: (use) => use.class, className: "words" },
            { title: t("basis.type"), text: (use) => use.dtype, className: "words" },
            { title: t("basis.based_on"), text: (use) => BASES[use.basis] ?? use.basis, className: "words" },
          ],
          calibration.bases,
        ),
  );
}
