import { spanInWords } from "./bands.js";
import { decimals, plain } from "./format.js";
import { t } from "./language.js";

const COST = "cost_per_million_tokens";
const OF_USERS = "tokens_per_s_per_user";

/** What the rows of a table are ranked by, in words; `usual` where nobody asked for anything. */
export function rankedBy(rows, usual) {
  const [{ objective }] = rows;
  return objective ? t(`ranked_by.${objective.name}`) : usual;
}

/** A column of what rows are ranked by, or false where that is another column's figure. */
export function objectiveColumn(rows) {
  const [{ objective }] = rows;
  return (
    isShown(objective) && {
      title: capital(objective.unit),
      text: (row) => figureOf(row.objective),
    }
  );
}

/** What a row achieves of what it is ranked by, unless its throughput says it. */
export function objectiveInWords(objective) {
  return isShown(objective) && `${figureOf(objective)} ${objective.unit}`;
}

/** Whether fewer requests at once were better than more tokens per second. */
export function isOfUsers(request) {
  return request.objective?.name === OF_USERS;
}

/** The objective of a request, for a line of its terms. */
export function objectiveTerm(request) {
  const words = objectiveInQuestion(request);
  return words && t("objective.by", { w: words });
}

/** What a request wants most of, or least cost; nothing where it leaves that open. */
export function objectiveInQuestion({ objective }) {
  const asked = typeof objective === "string" ? { name: objective } : objective;
  if (!asked?.name) {
    return null;
  }
  const { name, min_concurrency: least } = asked;
  return `${t(`ranked_by.${name}`)}${least > 1 ? t("objective.concurrency_at_least", { 1: plain(least) }) : ""}`;
}

function isShown(objective) {
  return objective !== undefined && objective.name !== "tokens_per_s";
}

/** With where it may lie, if somebody says so. */
function figureOf(objective) {
  const digits = objective?.name === COST ? 4 : 2;
  const ends = objective?.value_band ?? objective?.value_range;
  return [decimals(objective?.value, digits), ends && `(${spanInWords(ends, digits)})`].filter(Boolean).join(" ");
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
