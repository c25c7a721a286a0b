import { element, field, fill, freshId } from "./dom.js";
import { t } from "./language.js";

const MEMBERS = [
  ["count", t("common.devices"), "numeric", "32"],
  ["price_per_hour", t("portfoliostock.price_per_hour"), "decimal", "2.5"],
  ["devices_per_node", t("portfoliostock.devices_per_node"), "numeric", "8"],
];

/** The devices that there are: a line for each kind, whose controls are named by the pointers of their members. */
export class StockFields {
  /**
   * @param {string[]} known devices of the catalogue
   * @param {function} changed is told whenever there is another kind, or one less
   */
  constructor(known, changed) {
    this.changed = changed;
    this.lines = [];
    this.names = element("datalist", { id: freshId("stock-names") }, known.map((name) => element("option", { value: name })));
    this.list = element("div", {});
    this.node = element(
      "fieldset",
      { class: "card", "data-pointer": "/stock" },
      element("legend", {}, t("common.stock_heading")),
      this.names,
      this.list,
      element("button", { type: "button", on: { click: () => this.more() } }, t("portfoliostock.add_device")),
      element("p", { class: "hint" }, t("portfoliostock.set_prices_for_all")),
    );
  }

  show(stock) {
    this.lines = [];
    fill(this.list);
    stock.forEach((kind) => this.add(kind));
  }

  /** Kinds that are named, each once. */
  kinds() {
    return [...new Set(this.lines.map(({ device }) => device.value.trim()).filter((name) => name !== ""))];
  }

  more() {
    this.add({});
    this.lines.at(-1).device.focus();
    this.changed();
  }

  add(kind) {
    const line = { controls: [] };
    line.device = this.control(line, "device", kind.device, { list: this.names.id, spellcheck: "false" });
    const removed = () => {
      this.lines = this.lines.filter((other) => other !== line);
      line.node.remove();
      this.renumber();
      this.changed();
      this.node.querySelector(":scope > button").focus();
    };
    line.device.addEventListener("input", () => this.changed());
    line.node = element(
      "div",
      { class: "row stock-line", role: "group" },
      field(t("common.device"), line.device),
      MEMBERS.map(([member, label, inputmode, placeholder]) =>
        field(label, this.control(line, member, kind[member], { inputmode, placeholder, "data-kind": "number" })),
      ),
      (line.removal = element("button", { type: "button", class: "quiet", on: { click: removed } }, t("common.remove"))),
    );
    this.lines.push(line);
    this.list.append(line.node);
    this.renumber();
  }

  control(line, member, value, attributes) {
    const control = element("input", { id: freshId("stock"), autocomplete: "off", value, ...attributes });
    line.controls.push([control, member]);
    return control;
  }

  renumber() {
    this.lines.forEach(({ node, controls, removal }, place) => {
      node.setAttribute("aria-label", t("portfoliostock.kind", { 1: place + 1 }));
      node.dataset.pointer = `/stock/${place}`;
      removal.setAttribute("aria-label", t("portfoliostock.remove_kind", { 1: place + 1 }));
      controls.forEach(([control, member]) => (control.name = `/stock/${place}/${member}`));
    });
  }
}
