import { t } from "./language.js";

/** Words of a name that say how a model was tuned: it has the layers of its base model, and costs the same. */
const TUNED = ["instruct", "chat", "it", "base", "hf"];
const ID = /^[\w.-]+\/[\w.-]+$/;

/**
 * Models that hold every word of a text, those first that have each as a word of their own. Where none does, words are taken
 * apart at their hyphens, and then words of its end that only say how a model was tuned are left out.
 *
 * @returns {{found: Object[], ignored: string[]}} the models, and the words that were left out
 */
export function findModels(models, text) {
  const whole = holding(models, lower(text).split(/\s+/));
  if (whole.length > 0) {
    return { found: nearestFirst(whole, wordsOf(text)), ignored: [] };
  }
  const words = wordsOf(text);
  const inParts = holding(models, words);
  if (inParts.length > 0) {
    return { found: nearestFirst(inParts, words), ignored: [] };
  }
  const { kept, ignored } = withoutTuning(words);
  return ignored.length === 0 || kept.length === 0
    ? { found: [], ignored: [] }
    : { found: nearestFirst(holding(models, kept), kept), ignored };
}

/**
 * The model of the catalogue that a text names in its own or another spelling; or why it names none at all. What looks like
 * the id of another model may be known to the hub.
 */
export function modelNamed(models, text) {
  const named = lower(text);
  const { found, ignored } = findModels(models, named);
  const words = wordsOf(named).filter((word) => !ignored.includes(word));
  const candidates = found.filter((model) => hasWords(model, words));
  const model =
    models.find(({ id }) => lower(id) === named) ??
    candidates.find(({ id }) => wordsOf(id.split("/").at(-1)).join(" ") === words.join(" ")) ??
    (candidates.length === 1 ? candidates[0] : undefined);
  return model || ID.test(named) ? { model } : { problem: problemOf(found.length) };
}

function problemOf(found) {
  return found === 0
    ? t("modelsearch.must_be_model_catalog")
    : t("modelsearch.matches", { 1: found });
}

function holding(models, words) {
  return models.filter(({ family, id }) => words.every((word) => lower(`${family} ${id}`).includes(word)));
}

function nearestFirst(models, words) {
  return [...models.filter((model) => hasWords(model, words)), ...models.filter((model) => !hasWords(model, words))];
}

function hasWords({ id }, words) {
  const own = wordsOf(id);
  return words.every((word) => own.includes(word));
}

function withoutTuning(words) {
  let end = words.length;
  while (end > 0 && TUNED.includes(words[end - 1])) {
    end -= 1;
  }
  return { kept: words.slice(0, end), ignored: words.slice(end) };
}

function wordsOf(text) {
  return lower(text).split(/[\s/_-]+/).filter((word) => word !== "");
}

function lower(text) {
  return text.trim().toLowerCase();
}
