import FIRST from "./portfolio.json" with { type: "json" };
import { addressOf, questionAt } from "./address.js";
import { answerOf, devices, jobs, planPortfolio } from "./api.js";
import { CurlPanel } from "./curl.js";
import { announce, element, field, fill, freshId, keep, kept, select } from "./dom.js";
import { FieldError, readRequest, settle } from "./fields.js";
import { problemOf } from "./form.js";
import { writeJson } from "./infinite.js";
import { t } from "./language.js";
import { portfolioAnswer } from "./portfolioanswer.js";
import { ServiceFields } from "./portfolioservice.js";
import { clearField, clearProblem, nameOf, showProblem } from "./problems.js";

/** Saved plans that are offered, newest first. */
const PLANS = 100;

/** What the tab keeps: the question, its answer, and the page's address then, which follows the question a moment later. */
const KEPT = "portfolio";

const PATH = "/portfolios";


/** Shows the portfolio that is in the address, else the one that this tab had last. */
export async function showPortfolio(view, signal, packed) {
  const last = kept("sessionStorage", KEPT);
  const [known, plans, addressed] = await Promise.all([
    answerOf(devices()),
    answerOf(jobs({ status: "succeeded", limit: PLANS }, signal)),
    packed && questionAt(packed).catch(() => undefined),
  ]);
  if (signal.aborted) {
    return;
  }
  // A catalogue that cannot be read offers nothing: what is asked can still be written.
  const page = new PortfolioPage(view, signal, (known.devices ?? []).map(({ name }) => name), plans.optimizations ?? []);
  const isLast = last?.address === location.hash;
  page.show((isLast ? undefined : addressed) ?? last?.request ?? FIRST);
  if (last?.answer && writeJson(page.asked) === writeJson(last.request)) {
    page.showAnswer(last.request, last.answer);
    page.keep();
  }
  if (packed && !addressed) {
    fill(page.remark, t("portfolio.this_link_holds_no"));
    page.remark.hidden = false;
  }
}

class PortfolioPage {
  constructor(view, signal, known, plans) {
    Object.assign(this, { signal, plans, services: [] });
    this.stock = new StockFields(known, () => this.kindsChanged());
    this.list = element("div", { class: "plan-fields" });
    this.summary = element("div", { class: "problem", hidden: true });
    this.remark = element("p", { class: "notice", hidden: true });
    this.status = element("p", { class: "hint", role: "status" });
    this.curl = new CurlPanel(undefined, "portfolios");
    this.answer = element("div", { class: "phase portfolio-answer" });
    this.run = element("button", { class: "primary" }, t("portfolio.allocate_devices"));
    this.stop = element("button", { type: "button", hidden: true, on: { click: () => this.asking?.abort() } }, t("portfolio.stop"));
    this.form = element(
      "form",
      {
        class: "plan-fields portfolio",
        novalidate: true,
        autocomplete: "off",
        on: { submit: (event) => this.submit(event), input: ({ target }) => this.typed(target), change: ({ target }) => this.settled(target) },
      },
      this.summary,
      this.stock.node,
      this.list,
      element("p", {}, element("button", { type: "button", on: { click: () => this.more() } }, t("portfolio.add_service"))),
      this.how(),
      element("p", { class: "actions" }, this.run, this.stop, element("button", { type: "button", class: "quiet", on: { click: () => this.clear() } }, t("common.clear"))),
      this.status,
      element("details", { class: "card" }, element("summary", {}, t("common.as_curl_command")), this.curl.node),
    );
    fill(
      view,
      element("h1", { tabindex: "-1" }, t("portfolio.allocate_devices_to_services")),
      element("p", { class: "lead" }, t("portfolio.finds_instances_each_service")),
      this.remark,
      this.form,
      this.answer,
    );
  }

  how() {
    const assignments = [
      ["fixed", t("portfolio.for_the_whole_day")],
      ["hourly", t("portfolio.hour_by_hour")],
    ];
    this.assignment = select(assignments, undefined, { name: "/assignment", "data-default": "fixed" });
    this.limit = element("input", { id: freshId("limit"), name: "/time_limit_s", "data-kind": "number", "data-default": "8", placeholder: "8", inputmode: "numeric" });
    this.unfavourable = element("input", { type: "checkbox", name: "/unfavourable" });
    return element(
      "fieldset",
      { class: "card" },
      element("legend", {}, t("portfolio.options")),
      element(
        "div",
        { class: "row" },
        field(t("portfolio.devices_are_assigned"), this.assignment),
        field(t("portfolio.time_limit_s"), this.limit, { short: true }),
      ),
      element("div", { class: "field" }, element("label", { class: "check" }, this.unfavourable, ` ${t("portfolio.use_pessimistic_values_calibrated")}`)),
    );
  }

  show(portfolio) {
    clearProblem(this.form, this.summary);
    this.stock.show(portfolio.stock ?? []);
    this.services = [];
    fill(this.list);
    (portfolio.services ?? []).forEach((service) => this.add(service));
    this.assignment.value = portfolio.assignment ?? "fixed";
    this.limit.value = portfolio.time_limit_s ?? "";
    this.unfavourable.checked = portfolio.unfavourable === true;
    this.refresh();
  }

  add(service) {
    const fields = new ServiceFields(service, {
      plans: this.plans,
      signal: this.signal,
      kinds: () => this.stock.kinds(),
      planned: (stock) => this.stockPlanned(stock),
      changed: () => this.refresh(),
      removed: (one) => this.remove(one),
    });
    this.services.push(fields);
    this.list.append(fields.node);
    this.renumber();
    return fields;
  }

  more() {
    const added = this.add({});
    this.refresh();
    added.name.focus();
  }

  remove(one) {
    this.services = this.services.filter((other) => other !== one);
    one.node.remove();
    this.renumber();
    this.refresh();
    this.form.querySelector(":scope > p > button").focus();
  }

  renumber() {
    this.services.forEach((service, place) => service.place(place));
  }

  clear() {
    this.show({ stock: [{}], services: [{}] });
    fill(this.answer);
    this.stock.lines[0].device.focus();
  }

  kindsChanged() {
    this.services.forEach((service) => service.showKinds());
    this.refresh();
  }

  /** The first plan that is taken says which devices there are, where nobody has. */
  stockPlanned(stock) {
    if (this.stock.kinds().length === 0 && stock.length > 0) {
      this.stock.show(stock);
      this.kindsChanged();
    }
  }

  typed(control) {
    clearField(control);
    this.refresh();
  }

  settled(control) {
    settle(control);
    this.refresh();
  }

  /** @throws {FieldError} where something cannot be sent at all */
  read() {
    const request = readRequest(this.form);
    this.services.forEach((service, place) => {
      const demand = service.demandByHour();
      const { demand_by_hour: _, ...read } = request.services?.[place] ?? {};
      request.services ??= [];
      request.services[place] = { ...read, ...(demand && { demand_by_hour: demand }) };
    });
    return request;
  }

  /** Shows the command line of what is asked, and keeps it in this tab and in the address, where it is not too long. */
  async refresh() {
    try {
      this.asked = this.read();
    } catch (error) {
      if (!(error instanceof FieldError)) {
        throw error;
      }
      fill(this.status, nameOf(this.form, error.pointer), ` ${error.message}`);
      this.curl.show();
      return;
    }
    fill(this.status);
    this.curl.show(this.asked);
    const asked = this.asked;
    this.keep();
    const address = await addressOf(asked, PATH);
    if (asked === this.asked && !this.signal.aborted) {
      history.replaceState(null, "", `#${address ?? PATH}`);
      this.keep();
    }
  }

  keep() {
    const { request, answer } = this.answered ?? {};
    const isAnswered = request !== undefined && writeJson(request) === writeJson(this.asked);
    keep("sessionStorage", KEPT, { request: this.asked, address: location.hash, ...(isAnswered && { answer }) });
    this.answer.classList.toggle("stale", request !== undefined && !isAnswered);
  }

  async submit(event) {
    event.preventDefault();
    clearProblem(this.form, this.summary);
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.showAsking(true);
    try {
      const request = this.read();
      const answer = await planPortfolio(request, AbortSignal.any([asking.signal, this.signal]));
      this.asked = request;
      this.showAnswer(request, answer);
      this.keep();
      announce(t("portfolio.allocation_finished"));
      this.answer.querySelector("h2").focus();
    } catch (error) {
      if (!asking.signal.aborted && !this.signal.aborted) {
        showProblem(this.form, this.summary, problemOf(error));
      }
    } finally {
      this.showAsking(false);
    }
  }

  showAsking(asking) {
    this.run.disabled = asking;
    this.stop.hidden = !asking;
    this.answer.setAttribute("aria-busy", String(asking));
    fill(this.status, asking && t("portfolio.searching_instances_and_allocating"));
  }

  showAnswer(request, answer) {
    this.answered = { request, answer };
    this.answer.classList.remove("stale");
    fill(this.answer, element("h2", { tabindex: "-1" }, t("common.plan")), portfolioAnswer(request, answer));
  }
}

const MEMBERS = [
  ["count", t("common.devices"), "numeric", "32"],
  ["price_per_hour", t("portfoliostock.price_per_hour"), "decimal", "2.5"],
  ["devices_per_node", t("portfoliostock.devices_per_node"), "numeric", "8"],
];

/** The devices that there are: a line for each kind, whose controls are named by the pointers of their members. */
class StockFields {
  /** @param {function} changed is told whenever there is another kind, or one less */
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
