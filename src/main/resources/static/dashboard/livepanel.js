import { askWhole, ProblemError } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { reportOfAnswer } from "./downloads.js";
import { turnButton } from "./explanation.js";
import { showUsual } from "./fields.js";
import { t } from "./language.js";
import { OtherMode } from "./othermode.js";
import { commandsBy, planCards } from "./plancards.js";
import { clearProblem, faultList, markFaults } from "./problems.js";
import { termsOf, titleOf } from "./words.js";

const UNSTORED = t("livepanel.results_update_as_you");

/** Fields of the form whose change makes an answer one about something else. */
const SUBJECT = ["/model_id", "/model_config", "/devices", "/device_profiles", "/mode"];

/**
 * Shows beside the form what is answered while the question is written. The last answer stays until there is another; while the
 * question is refused it is dimmed, says which question it answers, and offers nothing to copy. An answer about another model,
 * device or mode does not stay.
 */
export class LivePanel {
  /** @param {function} save makes a job of the question */
  constructor(form, save, turnTo, chooseMode) {
    Object.assign(this, { form, save, turnTo });
    this.other = new OtherMode(chooseMode);
    this.offer = (changes) => turnButton(changes, this.request, turnTo);
    this.status = byId("live-status");
    this.remark = byId("live-remark");
    this.answer = byId("live-answer");
  }

  asking() {
    this.other.giveUp();
    this.answer.setAttribute("aria-busy", "true");
    this.answer.classList.toggle("foreign", this.isForeign());
  }

  answered(request, answer) {
    this.last = answer;
    this.request = request;
    this.subject = this.subjectNow();
    clearProblem(this.form, byId("plan-problem"));
    showUsual(this.form, answer.request ?? {});
    this.end(UNSTORED);
  }

  /** What is wrong stands at its field; nobody who types is taken elsewhere. */
  refused(problem) {
    clearProblem(this.form, byId("plan-problem"));
    this.notAnswered(markFaults(this.form, problem), problem);
  }

  /** @param {Object[]} faults as they are marked at their fields */
  notAnswered(faults, problem) {
    this.end("", element("h3", {}, t("livepanel.fix_highlighted_settings_update")), faultList(faults, problem));
  }

  large() {
    clearProblem(this.form, byId("plan-problem"));
    this.end("", element("p", {}, t("livepanel.search_takes_longer")), this.saveInstead());
  }

  busy({ detail }, seconds) {
    this.end("", element("p", {}, t("livepanel.retrying_in_s", { A: detail, 1: seconds })), this.saveInstead());
  }

  failed(message) {
    this.end("", element("p", {}, message));
  }

  /** Takes the answer off the page; it is shown again when the reader comes back. */
  leave() {
    this.leaving?.abort();
    this.other.giveUp();
    fill(this.answer);
  }

  show() {
    this.leaving?.abort();
    this.answer.classList.toggle("stale", this.isStale);
    if (!this.last) {
      fill(this.answer);
    } else if (this.isStale) {
      fill(this.answer, askedBefore(this.last.request ?? this.request), planCards(this.last, {}));
      this.answer.querySelectorAll("button").forEach((button) => button.remove());
    } else {
      this.leaving = new AbortController();
      this.other.ask(this.request, this.last);
      const { signal } = this.leaving;
      const ways = { signal, offer: this.offer, turnTo: this.turnTo, redraw: () => this.redraw(), below: this.other.node, commands: commandsBy(this.last, this.request, signal) };
      fill(this.answer, planCards(this.last, ways));
      fill(byId("plan-report"), reportOfAnswer(this.request));
    }
  }

  /** Shows the answer with another price, whose field keeps the focus. */
  redraw() {
    this.show();
    this.answer.querySelector(".price input")?.focus();
  }

  end(status, ...remark) {
    this.isStale = remark.length > 0;
    if (this.isStale && this.isForeign()) {
      this.last = undefined;
    }
    this.answer.setAttribute("aria-busy", "false");
    this.answer.classList.remove("foreign");
    this.status.textContent = status;
    fill(this.remark, remark);
    this.remark.hidden = remark.length === 0;
    this.show();
  }

  isForeign() {
    return this.last !== undefined && this.subject !== this.subjectNow();
  }

  subjectNow() {
    const data = new FormData(this.form);
    return JSON.stringify(SUBJECT.map((name) => data.getAll(name)));
  }

  saveInstead() {
    return element("button", { type: "button", on: { click: () => this.save() } }, t("livepanel.save_as_job"));
  }
}

/** Says above an answer that is no longer the one to the question in the form which question it answers. */
function askedBefore(request) {
  return element("p", { class: "asked-before" }, `${t("livepanel.showing_results_for_previous")} `, element("strong", {}, titleOf(request)), ` · ${termsOf(request)}`);
}

/** Whoever still writes a word makes no longer pause. */
const PAUSE_MILLIS = 200;

/** What the service calls a question that it answers as a job only. */
const TOO_LARGE = "/too-large-to-answer";
const TOO_MANY = 429;
const LONGEST_RETRY_SECONDS = 60;

/**
 * Asks a question while it is written: after a pause, and only as it stands then. What is under way is given up once there is
 * another question, so that an older answer never takes the place of a newer one.
 */
export class LiveQuestion {
  /** @param {Object} shown is told `asking` as soon as the question is another, and then one of `answered`, `refused`, `large`, `busy` and `failed` */
  constructor(shown) {
    this.shown = shown;
    this.leaving = new AbortController();
    this.text = null;
  }

  /** Asks once nobody has changed the question for a while; the same one only once. */
  ask(request) {
    this.after(JSON.stringify(request), (signal) => this.send(request, signal));
  }

  /** Says after the same pause what cannot be asked. */
  refuse(problem) {
    this.after(JSON.stringify(problem), () => {
      this.settled = true;
      this.shown.refused(problem);
    });
  }

  /** Waits for nothing any more; what was not answered may be asked again. */
  giveUp() {
    clearTimeout(this.timer);
    this.leaving.abort();
    if (!this.settled) {
      this.text = null;
    }
  }

  after(text, act) {
    if (text !== this.text) {
      this.settled = false;
      this.giveUp();
      this.text = text;
      this.shown.asking();
      this.later(act, PAUSE_MILLIS);
    }
  }

  later(act, millis) {
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.timer = setTimeout(() => act(signal), millis);
  }

  async send(request, signal) {
    try {
      const answer = await askWhole(withoutRawRows(request), signal);
      if (!signal.aborted) {
        this.show(request, answer);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.fail(request, error);
      }
    }
  }

  show(request, answer) {
    this.settled = true;
    if (answer.result) {
      this.shown.answered(request, answer);
    } else {
      this.shown.failed(answer.problem?.detail ?? t("common.search_ended_without_result"));
    }
  }

  fail(request, error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    const { problem, message, retryAfter } = error;
    if (problem.type?.endsWith(TOO_LARGE)) {
      this.settled = true;
      this.shown.large();
    } else if (problem.status === TOO_MANY) {
      const seconds = Math.min(Number(retryAfter) || 1, LONGEST_RETRY_SECONDS);
      this.shown.busy(problem, seconds);
      this.later((signal) => this.send(request, signal), 1000 * seconds);
    } else if (problem.errors) {
      this.settled = true;
      this.shown.refused(problem);
    } else {
      this.shown.failed(message);
    }
  }
}

/** They are for files alone. */
function withoutRawRows({ dump_original_results: _, ...request }) {
  return request;
}
