import { cancel } from "./api.js";
import { element } from "./dom.js";
import { whole } from "./format.js";
import { isFinished } from "./stream.js";

/** How far a search has come, and the way to cancel it. */
export class RunningPanel {
  constructor(state) {
    this.id = state.id;
    this.meter = element("progress", { "aria-label": "Layouts searched" });
    this.words = element("p", {});
    this.remark = element("p", { class: "hint", role: "status" });
    this.cancelButton = element("button", { type: "button", on: { click: () => this.cancel() } }, "Cancel");
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
    const searched = total ? `${whole(done)} of ${whole(total)} layouts searched, ${whole(points)} batch sizes tried` : "The search begins";
    this.words.textContent = status === "queued" ? "Waiting for its turn" : searched;
  }

  showConnection(connected) {
    this.say(connected ? "" : "The connection to the service is lost; trying again.");
  }

  async cancel() {
    this.cancelButton.disabled = true;
    try {
      const { status } = await cancel(this.id);
      this.say(
        isFinished({ status }) && status !== "cancelled"
          ? "The search has just finished."
          : "Cancelling: the search stops after the batch size that it is trying.",
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
