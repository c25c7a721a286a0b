import { element } from "./dom.js";
import { decimals } from "./format.js";
import { t } from "./language.js";

/** Digits of ends that are further apart than by this factor would only pretend to know something. */
const WIDEST = 10;
const FAR_FROM_CERTAIN = t("bands.highly_uncertain_interval_wider");

/** Whether figures are those of measured kernels, which have a band or are called uncalibrated. */
export function isMeasuredRow(row) {
  return row.flags !== undefined;
}

export function hasBands(rows) {
  return rows.some((row) => row.tokens_per_s_band !== undefined);
}

/** Where a figure may lie: its band, or the range of an Ascend device; nothing where neither is known. */
export function endsOf(row, member) {
  return row[`${member}_band`] ?? row[`${member}_range`];
}

/** What stands behind a figure of measured kernels: "(41.1 to 61.7)", or that it is uncalibrated; empty for others. */
export function endsInWords(row, member, digits) {
  if (!isMeasuredRow(row)) {
    return "";
  }
  const ends = endsOf(row, member);
  const words = [ends && spanInWords(ends, digits), row[`${member}_band`] ? null : t("bands.uncalibrated")];
  return `(${words.filter(Boolean).join(", ")})`;
}

/** The ends of a band: "41.1 to 61.7", or the one that is known; in words where the band is wide. */
export function spanInWords({ low, high }, digits) {
  if (isWide({ low, high })) {
    return FAR_FROM_CERTAIN;
  }
  const [from, to] = [low, high].map((end) => end !== undefined && rounded(end, { low, high }, digits));
  if (low === undefined) {
    return t("common.up_to", { 1: to });
  }
  return high === undefined ? t("bands.from", { 1: from }) : t("common.to_count", { 1: from, 2: to });
}

/** Bands that are wider than this share of their figure leave it three digits. */
const PRECISE = 0.05;

/** A figure with the digits that its band allows: three where it is wider than 5% of the figure. */
export function rounded(value, ends, digits) {
  const isRough = ends?.low !== undefined && ends.high !== undefined && ends.high - ends.low > PRECISE * Math.abs(value);
  return isRough ? threeDigits(value) : decimals(value, digits);
}

function threeDigits(value) {
  const short = Number(value.toPrecision(3));
  return decimals(short, short === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(short)))));
}

/** Whether both ends are known, and so far apart that the figure between them is far from certain. */
export function isWide({ low, high }) {
  return low !== undefined && high !== undefined && high > WIDEST * low;
}

/** A figure as people read it: "45.7 ms (41.1 to 61.7)". */
export function figureInWords(row, member, digits, unit = "") {
  const value = [row[member] === undefined ? decimals(undefined) : rounded(row[member], endsOf(row, member), digits), unit].filter(Boolean).join(" ");
  return [value, row[member] === undefined ? "" : endsInWords(row, member, digits)].filter(Boolean).join(" ");
}

/** A figure for the cell of a table, what stands behind it below. */
export function figureCell(row, member, digits) {
  const words = row[member] === undefined ? "" : endsInWords(row, member, digits);
  return words === "" ? decimals(row[member], digits) : [decimals(row[member], digits), element("small", { class: "ends" }, words)];
}

/** Why figures are less certain than others, for the cell of a table. */
export function flagsCell({ flags }) {
  return flags === undefined || flags.length === 0
    ? "–"
    : flags.map((flag) => [element("span", { class: `flag flag-${flag}`, title: t(`flag.${flag}`) }, flag.replace("_", " ")), " "]);
}

/** What the flags of some rows say; nothing where none has one. */
export function flagsExplained(rows) {
  const flags = [...new Set(rows.flatMap((row) => row.flags ?? []))];
  return (
    flags.length > 0 &&
    element(
      "ul",
      { class: "flags hint" },
      flags.map((flag) => element("li", {}, element("span", { class: `flag flag-${flag}` }, flag.replace("_", " ")), ` ${t(`flag.${flag}`)}`)),
      hasBands(rows) && element("li", {}, t("bands.each_condition_widens_interval")),
    )
  );
}
