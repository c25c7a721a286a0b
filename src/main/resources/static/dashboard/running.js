import { cancel } from "./api.js";
import { element } from "./dom.js";
import { whole } from "./format.js";
import { t } from "./language.js";
import { isFinished } from "./stream.js";

/** How far a search has come, and the way to cancel it. */
export class RunningPanel {
  constructor(state) {
    this.id = state.id;
    this.meter = element("progress", { "aria-label": t("running.layouts_searched") });
    this.words = element("p", {});
    this.remark = element("p", { class: "hint", role: "status" });
    this.cancelButton = element("button", { type: "button", on: { click: () => this.cancel() } }, t("common.cancel"));
    this.node = element(
      "div",
      { class: "card search-progress" },
      this.meter,
      this.words,
      this.remark,
      this.cancelButton,
    );
    this.show(state);
  }

  show({ status, progress: { candidates_done: done, candidates_total: total, points } }) {
    if (total) {
      this.meter.max = total;
      this.meter.value = done;
    }
    const searched = total ? t("running.layouts_searched_batch_sizes", { 1: whole(done), 2: whole(total), 3: whole(points) }) : t("running.starting_search");
    this.words.textContent = status === "queued" ? t("running.queued") : searched;
  }

  showConnection(connected) {
    this.say(connected ? "" : t("running.connection_lost_reconnecting"));
  }

  async cancel() {
    this.cancelButton.disabled = true;
    try {
      const { status } = await cancel(this.id);
      this.say(
        isFinished({ status }) && status !== "cancelled"
          ? t("running.search_has_already_finished")
          : t("running.canceling_after_current_batch"),
      );
    } catch (error) {
      this.cancelButton.disabled = false;
      throw error;
    }
  }

  say(remark) {
    this.remark.textContent = remark;
  }
}
