import { element } from "./dom.js";

/** What the answer about a kind of device assumes, for its card; the heading says which devices are made up. */
export function assumed(device) {
  const all = (device?.assumptions ?? []).filter(({ about }) => about !== "device");
  const plain = all.filter(({ engine_default: other }) => other === undefined);
  const otherwise = all.filter(({ engine_default: other }) => other !== undefined);
  return (
    all.length > 0 &&
    element(
      "div",
      { class: "assumed" },
      plain.length > 0 && element("p", { class: "hint" }, `Assumes ${plain.map(({ text }) => text).join("; ")}.`),
      otherwise.map(({ text }) => element("p", {}, `Assumes ${text}.`)),
    )
  );
}
