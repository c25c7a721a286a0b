import { endsOf, figureInWords } from "./bands.js";
import { element } from "./dom.js";
import { plain, rowName } from "./format.js";
import { t } from "./language.js";
import { heldOf, limitedName, limitedOf } from "./percentiles.js";

const SHOWN = 8;
const FIGURES = [
  ["tokens_per_s", t("common.tokens_s"), "", 0],
  ["tpot_ms", "TPOT", "ms", 1],
  ["ttft_ms", "TTFT", "ms", 0],
  ["e2e_latency_ms", t("common.e2e_latency"), "ms", 0],
];

/** How certain the figures of each layout are: a dot for the figure, a line for its band, and the limit. */
export function certainty(phase, slo) {
  const rows = phase.rows.slice(0, SHOWN);
  return element(
    "section",
    { class: "card certainty" },
    element("h3", {}, t("whiskers.uncertainty_of_results")),
    element(
      "p",
      { class: "hint" },
      t("whiskers.dots_estimates_lines_intervals"),
      FIGURES.some(([member]) => typeof slo[member] === "number") && t("whiskers.dashed_line_your_target"),
      phase.rows.length > SHOWN && t("whiskers.first_of", { 1: SHOWN, 2: phase.rows.length }),
      ".",
    ),
    FIGURES.filter(([member]) => rows.some((row) => row[member] !== undefined)).map(([member, name, unit, digits]) => [
      element("h4", {}, unit ? `${name} (${unit})` : name),
      whiskers(
        rows.map((row) => ({ row, member, label: rowName(row) })),
        { name, unit, digits, limit: limitOf(member, slo) },
      ),
    ]),
    limitedOf(slo).map((member) => percentiles(rows, member, slo)),
  );
}

/** The figures of simulations that limits on a percentile are held against. */
function percentiles(rows, member, slo) {
  const [, figure, unit, digits] = FIGURES.find(([one]) => one === member);
  const name = limitedName(figure, slo);
  const lines = rows.map((row) => ({ row: heldOf(row, member, slo), member, label: rowName(row) })).filter(({ row }) => row);
  return lines.length > 0 && [element("h4", {}, `${name} (${unit})`), whiskers(lines, { name, unit, digits, limit: slo[member] })];
}

/** The limit is drawn at the figure that it is held against. */
function limitOf(member, slo) {
  return slo.percentile === undefined ? slo[member] : undefined;
}

/**
 * Figures with their ends on one scale that starts at 0.
 *
 * @param {{row: Object, member: string, label: string}[]} lines
 */
export function whiskers(lines, { name, unit, digits, limit }) {
  const bound = typeof limit === "number" ? limit : 0;
  const most = Math.max(bound, ...lines.map(({ row, member }) => endsOf(row, member)?.high ?? row[member])) * 1.03;
  const at = (value) => `${(100 * value) / most}%`;
  return lines.map(({ row, member, label }) => {
    const words = `${name} ${figureInWords(row, member, digits, unit)}`;
    const track = element("div", { class: "whisker", role: "img", "aria-label": `${label}: ${words}` });
    const ends = endsOf(row, member);
    if (ends) {
      const line = element("span", { class: row[`${member}_band`] ? "band" : "band range" });
      const low = ends.low ?? 0;
      line.style.left = at(low);
      line.style.width = at((ends.high ?? most) - low);
      track.append(line);
    }
    if (bound > 0) {
      const mark = element("i", { class: "limit", title: t("whiskers.target", { 1: plain(bound), a: unit }) });
      mark.style.left = at(bound);
      track.append(mark);
    }
    const dot = element("i", { class: "dot" });
    dot.style.left = at(row[member]);
    track.append(dot);
    return element(
      "div",
      { class: "whisker-line" },
      element("span", { class: "bar-label", "aria-hidden": "true" }, label),
      track,
      element("span", { class: "whisker-words", "aria-hidden": "true" }, figureInWords(row, member, digits)),
    );
  });
}
