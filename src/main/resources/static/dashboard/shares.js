import { revokeShare, share, shares } from "./api.js";
import { announce, copy, element, fill, freshId } from "./dom.js";
import { moment } from "./format.js";
import { t } from "./language.js";

/** Days that a link may last, the usual number first. */
const DAYS = [30, 7, 90, 365];

/** Links that show a job to people without a key: one makes, copies and revokes them here. */
export function sharesPanel(id, signal) {
  return new SharesPanel(id, signal).node;
}

class SharesPanel {
  constructor(id, signal) {
    Object.assign(this, { id, signal });
    this.days = element(
      "select",
      { id: freshId("share") },
      DAYS.map((days) => element("option", { value: days }, t("shares.days", { 1: days }))),
    );
    this.made = element("div", { class: "share-made" });
    this.list = element("ul", { class: "share-list" });
    this.failure = element("p", { class: "error", role: "alert", hidden: true });
    this.node = element(
      "details",
      { class: "shares", on: { toggle: () => this.node.open && this.attempt(() => this.refresh()) } },
      element("summary", {}, t("shares.share_link")),
      element("p", { class: "hint" }, t("shares.anyone_with_link_can")),
      element(
        "div",
        { class: "curl-options" },
        element("label", { for: this.days.id }, t("shares.expires_in")),
        this.days,
        element("button", { type: "button", on: { click: () => this.attempt(() => this.make()) } }, t("shares.create_link")),
      ),
      this.made,
      this.failure,
      this.list,
    );
  }

  async make() {
    const { path, id } = await share(this.id, { expires_in_days: Number(this.days.value) }, this.signal);
    const link = new URL(path.slice(1), document.baseURI).href;
    const field = element("input", { id: freshId("link"), value: link, readonly: true });
    this.madeId = id;
    fill(
      this.made,
      element("label", { for: field.id }, t("shares.link_shown_once")),
      field,
      element("button", { type: "button", class: "quiet", on: { click: ({ target }) => copy(link, target) } }, t("common.copy_link")),
    );
    announce(t("shares.link_created"));
    await this.refresh();
  }

  async revoke(id) {
    await revokeShare(this.id, id);
    if (id === this.madeId) {
      fill(this.made);
    }
    announce(t("shares.link_revoked"));
    await this.refresh();
    this.node.querySelector("summary").focus();
  }

  async refresh() {
    const { shares: links } = await shares(this.id, this.signal);
    fill(
      this.list,
      links.map(({ id, created_at: made, expires_at: end }) =>
        element(
          "li",
          {},
          `${t("shares.created_expires", { a: moment(made), b: moment(end) })} `,
          element("button", { type: "button", class: "quiet", on: { click: () => this.attempt(() => this.revoke(id)) } }, t("shares.revoke")),
        ),
      ),
    );
  }

  /** What goes wrong is said here: the plan itself is fine. */
  async attempt(act) {
    this.failure.hidden = true;
    try {
      await act();
    } catch (error) {
      if (error.name !== "AbortError") {
        this.failure.textContent = error.message;
        this.failure.hidden = false;
      }
    }
  }
}
