import { remove } from "./api.js";
import { confirmed } from "./confirm.js";
import { announce, byId, element, fill } from "./dom.js";
import { t } from "./language.js";
import { nameText } from "./naming.js";

const UNDO_MILLIS = 10_000;

const QUESTION = {
  title: t("removal.delete_this_job"),
  consequences:
    t("removal.permanently_deletes_result_for"),
  action: t("common.delete_now"),
};

/** Jobs that are deleted once nobody can undo it any more, each with its timer. */
const leaving = new Map();

/** Jobs that the service did not delete, each with why. */
const kept = new Map();

export function isBeingRemoved(id) {
  return leaving.has(id);
}

/** Asks, and deletes the job ten seconds later, or when the page is left; says whether it will. */
export async function removeUnlessUndone(job) {
  if (!(await confirmed(QUESTION))) {
    return false;
  }
  leaving.set(job.id, { job, timer: setTimeout(() => removeNow(job.id), UNDO_MILLIS) });
  show();
  announce(t("removal.deleted_you_can_undo"));
  return true;
}

async function removeNow(id) {
  const { job, timer } = leaving.get(id);
  clearTimeout(timer);
  leaving.delete(id);
  show();
  try {
    await remove(id);
  } catch (problem) {
    kept.set(id, { job, why: problem.message });
    show();
    announce(t("removal.not_deleted"));
  }
}

function undo(id) {
  clearTimeout(leaving.get(id).timer);
  leaving.delete(id);
  show();
  announce(t("removal.not_deleted"));
  location.hash = `/jobs/${id}`;
}

function show() {
  const place = byId("removals");
  place.hidden = leaving.size + kept.size === 0;
  fill(place, [
    ...[...leaving.values()].map(({ job }) => notice(t("removal.deleted"), job, "", t("common.undo"), () => undo(job.id))),
    ...[...kept.values()].map(({ job, why }) => notice(t("removal.not_deleted_heading"), job, why, t("removal.dismiss"), () => putAside(job.id))),
  ]);
}

function notice(what, job, why, action, act) {
  return element("p", { class: "notice" }, what, " ", nameText(job), " ", why, " ", element("button", { type: "button", on: { click: act } }, action));
}

function putAside(id) {
  kept.delete(id);
  show();
}

// Who leaves was told that it is deleted.
addEventListener("pagehide", () => [...leaving.keys()].forEach(removeNow));
