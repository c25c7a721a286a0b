import { duration, moment } from "./format.js";
import { label } from "./api.js";
import { announce, element, entitle, fill } from "./dom.js";
import { t } from "./language.js";
import { nameOf, termsOf, titleOf } from "./words.js";

const LONGEST_NAME = 200;

/** What a job is called, with its star and a way to call it otherwise; what it asks stands below. */
export function naming(job) {
  return new Naming(job, {
    title: titleOf(job.request),
    asked: () => askedInWords(job),
    rename: async (name) => (await label(job.id, { name })).name,
    star: () => starButton(job),
  }).node;
}

/** How a job or sweep stands, when it was submitted and how long it took; `badge` stands in place of its status. */
export function facts({ status, submitted_at: submitted, started_at: started, finished_at: finished }, when = t("common.submitted", { a: moment(submitted) }), badge = undefined) {
  const took = finished && started ? t("common.took", { a: duration(started, finished) }) : "";
  return element("p", { class: "job-facts" }, badge || element("span", { class: `badge ${status}` }, status), ` ${when}${took}`);
}

/** A star that marks a job, or takes the mark back. */
export function starButton(job) {
  const button = element("button", { type: "button", class: "quiet star", "aria-label": t("naming.star", { A: nameOf(job) }), on: { click: () => toggle() } });
  const show = () => {
    button.setAttribute("aria-pressed", String(Boolean(job.starred)));
    button.textContent = job.starred ? "★" : "☆";
  };
  const toggle = async () => {
    job.starred = (await label(job.id, { starred: !job.starred })).starred;
    show();
  };
  show();
  return button;
}

/** A name that somebody gave is the same in every language. */
export function nameText(job) {
  return job.name ? element("span", { translate: "no" }, job.name) : nameOf(job);
}

/** What is asked, for a job with a name with the title that it would have without. */
export function askedInWords(job) {
  return job.name ? `${titleOf(job.request)} · ${termsOf(job.request)}` : termsOf(job.request);
}

/** A heading that can be changed: the name of a job or sweep, else its title. */
export class Naming {
  /** @param {Object} ways `title` without a name, `asked` in words, `rename` saves a name and answers it, `star` makes the star */
  constructor(job, ways) {
    Object.assign(this, { job, ways });
    this.heading = element("h1", { tabindex: "-1" });
    this.asked = element("p", { class: "lead" });
    this.star = element("span", {});
    this.rename = element("button", { type: "button", class: "quiet", on: { click: () => this.edit(true) } }, t("naming.rename"));
    this.input = element("input", { "aria-label": t("common.name"), maxlength: LONGEST_NAME, autocomplete: "off", spellcheck: "false" });
    this.fault = element("p", { class: "error", role: "alert", hidden: true });
    const save = (event) => {
      event.preventDefault();
      this.save();
    };
    const cancel = ({ key }) => key === "Escape" && this.edit(false);
    this.form = element(
      "form",
      { class: "rename", hidden: true, on: { submit: save, keydown: cancel } },
      this.input,
      element("button", { class: "primary" }, t("naming.save_name")),
      element("button", { type: "button", class: "quiet", on: { click: () => this.edit(false) } }, t("common.cancel")),
      this.fault,
    );
    this.named = element("div", { class: "job-name" }, this.heading, this.star, this.rename);
    this.node = element("div", {}, this.named, this.form, this.asked);
    this.show();
  }

  show() {
    const { name } = this.job;
    fill(this.heading, name ? element("span", { translate: "no" }, name) : this.ways.title);
    this.asked.textContent = this.ways.asked();
    fill(this.star, this.ways.star?.());
  }

  /** Turns between reading and writing the name. */
  edit(writing) {
    this.named.hidden = writing;
    this.form.hidden = !writing;
    this.fault.hidden = true;
    if (writing) {
      this.input.value = this.job.name ?? "";
      this.input.placeholder = this.ways.title;
    }
    (writing ? this.input : this.rename).focus();
  }

  async save() {
    try {
      this.job.name = await this.ways.rename(this.input.value);
    } catch (error) {
      this.fault.textContent = error.problem?.errors ? t("naming.name_must_be_one") : error.message;
      this.fault.hidden = false;
      return;
    }
    entitle(this.job.name ?? this.ways.title);
    this.show();
    this.edit(false);
    announce(t("naming.name_saved"));
  }
}
