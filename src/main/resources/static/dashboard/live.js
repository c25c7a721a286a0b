import { askWhole, ProblemError } from "./api.js";
import { t } from "./language.js";

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
  /** @param {Object} shown is told `asking` as soon as the question is another, and then one of `answered`, `kept`, `refused`, `large`, `busy` and `failed` */
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
    if (text !== this.text && !this.silent) {
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
    if (answer.id !== undefined) {
      this.silent = true;
      this.shown.kept(answer);
    } else if (answer.result) {
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
