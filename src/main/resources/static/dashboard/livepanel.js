import { answerCards } from "./answer.js";
import { byId, element, fill } from "./dom.js";
import { reportOfAnswer } from "./downloads.js";
import { showUsual } from "./fields.js";
import { OtherMode } from "./othermode.js";
import { startOfAnswer } from "./otherways.js";
import { clearProblem, faultList, markFaults } from "./problems.js";
import { titleOf } from "./words.js";

const UNKEPT = "Answered as you type. Nothing is kept until you save it.";

/** Shows beside the form what is answered while the question is written. The last answer stays until there is another. */
export class LivePanel {
  /**
   * @param {function} save makes a job of the question
   * @param {function} turnTo takes another question into the form
   */
  constructor(form, save, turnTo) {
    this.form = form;
    this.save = save;
    this.other = new OtherMode(turnTo);
    this.status = byId("live-status");
    this.remark = byId("live-remark");
    this.answer = byId("live-answer");
  }

  asking() {
    this.other.giveUp();
    this.answer.setAttribute("aria-busy", "true");
  }

  answered(request, answer) {
    this.last = answer;
    this.request = request;
    clearProblem(this.form, byId("plan-problem"));
    showUsual(this.form, answer.request ?? {});
    this.end(UNKEPT);
    this.show();
  }

  /** What is wrong stands at its field; nobody who types is taken elsewhere. */
  refused(problem) {
    const faults = markFaults(this.form, problem);
    this.end("", element("h3", {}, "Not answered as it stands"), faultList(faults, problem));
  }

  large({ detail }) {
    this.end("", element("p", {}, detail), this.saveInstead());
  }

  busy({ detail }, seconds) {
    this.end("", element("p", {}, `${detail} Asked again in ${seconds} s.`), this.saveInstead());
  }

  /** A service that does not know the preference, or never gets it, makes a job of each question. */
  kept({ id, request }) {
    const link = element("a", { href: `#/jobs/${id}` }, titleOf(request));
    this.end("", element("p", {}, "This service keeps each question as a job, so that none is asked while you type: ", link));
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
    if (this.last) {
      this.leaving = new AbortController();
      this.other.ask(this.request, this.last);
      fill(this.answer, answerCards(this.last), this.other.node, startOfAnswer(this.last, this.request, this.leaving.signal), reportOfAnswer(this.request));
    }
  }

  end(status, ...remark) {
    this.answer.setAttribute("aria-busy", "false");
    this.answer.classList.toggle("stale", remark.length > 0);
    this.status.textContent = remark.length > 0 && this.last ? "Below is the answer to the question before." : status;
    fill(this.remark, remark);
    this.remark.hidden = remark.length === 0;
  }

  saveInstead() {
    return element("button", { type: "button", on: { click: () => this.save() } }, "Save it as a job");
  }
}
