import { ProblemError } from "./api.js";
import { element, fill } from "./dom.js";
import { isFinished } from "./stream.js";

const REFRESH_MILLIS = 3000;

/**
 * A list that the service gives in pages, newest first: its `body`, and what loads `more`. It stays fresh while something in it is
 * not finished. Lists have `page`, which asks for a page, and `content`, which makes nodes of what is `shown`.
 */
export class PagedList {
  /**
   * @param {string} member of a page that has its entries
   * @param {string} older words on the button for another page
   */
  constructor(signal, member, older) {
    Object.assign(this, { signal, member, older, shown: [] });
    this.body = element("div", { class: "job-list" });
    this.more = element("p", {});
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  async load(cursor) {
    clearTimeout(this.timer);
    const asked = this.page(cursor);
    this.asked = asked;
    try {
      const page = await asked;
      if (this.asked === asked) {
        this.shown = cursor ? [...this.shown, ...page[this.member]] : page[this.member];
        this.show();
        fill(this.more, page.next_cursor && element("button", { type: "button", on: { click: () => this.load(page.next_cursor) } }, this.older));
        // A reader who went on to older entries keeps his place.
        if (!cursor && this.shown.some((one) => !isFinished(one))) {
          this.loadLater();
        }
      }
    } catch (error) {
      if (this.signal.aborted) {
        return;
      }
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      fill(this.body, element("p", { class: "notice" }, error.message));
      if (error.problem.status === undefined) {
        this.loadLater(); // the service was not reached, and may be again
      }
    }
  }

  show() {
    fill(this.body, this.content());
  }

  loadLater() {
    this.timer = setTimeout(() => this.load(), REFRESH_MILLIS);
  }
}
