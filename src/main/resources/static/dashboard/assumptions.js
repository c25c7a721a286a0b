import { element } from "./dom.js";
import { t } from "./language.js";
import { devicesAsked, TEST_DEVICE } from "./words.js";

/** What to know of kinds of device before trusting figures on them, each once; what is made up is said anyway. */
function caveats(result) {
  const said = (result?.devices ?? []).flatMap(({ assumptions }) => assumptions ?? []).filter(({ about }) => about === "device");
  return [...new Set(said.map(({ text }) => text))].filter((text) => !text.startsWith(TEST_DEVICE));
}

/** What stands below the heading of a job for that. */
export function caveatNotices({ request, result }) {
  return [
    devicesAsked(request)?.includes(TEST_DEVICE) &&
      element("p", { class: "notice" }, t("assumptions.fictional_device_for_tests", { a: TEST_DEVICE })),
    caveats(result).map((text) => element("p", { class: "notice" }, `${text}.`)),
  ];
}

/** What the answer about a kind of device assumes, for its card; the heading says what to know of the devices. */
export function assumed(device) {
  const all = (device?.assumptions ?? []).filter(({ about }) => about !== "device");
  const plain = all.filter(({ engine_default: other }) => other === undefined);
  const otherwise = all.filter(({ engine_default: other }) => other !== undefined);
  return (
    all.length > 0 &&
    element(
      "div",
      { class: "assumed" },
      plain.length > 0 && element("p", { class: "hint" }, t("assumptions.assumes", { A: plain.map(({ text }) => text).join("; ") })),
      otherwise.map(({ text }) => element("p", {}, t("assumptions.assumes", { A: text }))),
    )
  );
}

/** The same about several kinds, those alike together. */
export function assumedOfAll(devices) {
  const alike = [...Map.groupBy(devices, ({ assumptions }) => JSON.stringify(assumptions ?? [])).values()];
  return alike.map((group) => {
    const said = assumed(group[0]);
    return said && [alike.length > 1 && element("p", {}, `${group.map(({ device }) => device).join(", ")}:`), said];
  });
}
