import { element } from "./dom.js";
import { t } from "./language.js";
import { sideBySide } from "./sides.js";

/** What was asked: the members in which the requests differ. */
export function differences(states) {
  const flat = states.map((state) => flattened(state.request));
  const members = [...new Set(flat.flatMap((request) => [...request.keys()]))];
  const differing = members.filter((member) => new Set(flat.map((request) => request.get(member))).size > 1);
  const lines = differing.map((member) => ({
    title: element("code", {}, breakable(member)),
    cells: flat.map((request) => element("span", { translate: "no" }, request.get(member) ?? "–")),
  }));
  const same = { title: t("common.all_settings"), cells: states.map(() => t("differences.the_same")) };
  return sideBySide(t("common.requests"), states, lines.length > 0 ? lines : [same], true);
}

function flattened(value, name = "", target = new Map()) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    Object.entries(value).forEach(([member, inner]) =>
      flattened(inner, name === "" ? member : `${name}.${member}`, target),
    );
  } else {
    target.set(name, asked(value));
  }
  return target;
}

function asked(value) {
  const simple = Array.isArray(value) && value.length > 0 && value.every((inner) => typeof inner !== "object");
  return simple ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value);
}

/** A member's name that may break after each of its words. */
function breakable(name) {
  return name.split(/(?<=[._])/).map((word) => [word, element("wbr")]);
}
