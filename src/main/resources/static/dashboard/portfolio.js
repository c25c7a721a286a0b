import { addressOf, questionAt } from "./address.js";
import { devices, jobs, planPortfolio, ProblemError } from "./api.js";
import { CurlPanel } from "./curl.js";
import { announce, element, field, fill, freshId } from "./dom.js";
import { FieldError, readRequest, settle } from "./fields.js";
import { problemOf } from "./form.js";
import { writeJson } from "./infinite.js";
import { keep, kept } from "./kept.js";
import { t } from "./language.js";
import { portfolioAnswer } from "./portfolioanswer.js";
import { ServiceFields } from "./portfolioservice.js";
import { StockFields } from "./portfoliostock.js";
import { clearField, clearProblem, nameOf, showProblem } from "./problems.js";

/** Saved plans that are offered, newest first. */
const PLANS = 100;

/** What the tab keeps: the question, its answer, and the page's address then, which follows the question a moment later. */
const KEPT = "portfolio";

const PATH = "/portfolios";

/** What the page shows before anybody has asked anything. */
const FIRST = {
  stock: [
    { device: "H100_SXM", count: 32, price_per_hour: 2.5, devices_per_node: 8 },
    { device: "B200_SXM", count: 8, price_per_hour: 6, devices_per_node: 8 },
  ],
  services: [
    {
      name: "chat",
      weight: 2,
      min_replicas: 2,
      demand_by_hour: { requests_per_s: [1, 1, 1, 1, 1, 1, 2, 3, 5, 6, 6, 6, 6, 6, 6, 6, 5, 5, 4, 4, 3, 2, 2, 1] },
      request: {
        model_id: "Qwen/Qwen3-32B",
        cost_model: "analytic",
        headroom: 0.2,
        instance_sizes: [2, 4, 8],
        workload: { input_length: 3500, output_length: 1500 },
        slo: { ttft_ms: 2000, tpot_ms: 50 },
        serving: { compile: true },
      },
    },
    {
      name: "summaries",
      may_refuse: 0.1,
      devices: ["H100_SXM"],
      demand_by_hour: { requests_per_s: Array(24).fill(6) },
      request: {
        model_id: "Qwen/Qwen3-8B",
        cost_model: "analytic",
        instance_sizes: [1, 2],
        workload: { input_length: 6000, output_length: 300 },
        slo: { tpot_ms: 100 },
        serving: { compile: true },
      },
    },
  ],
};

/** Shows the portfolio that is in the address, else the one that this tab had last. */
export async function showPortfolio(view, signal, packed) {
  document.title = `${t("common.portfolios")} – throughput-optimizer`;
  fill(view, element("p", { class: "loading" }, t("common.loading")));
  const last = kept(KEPT);
  const [known, plans, addressed] = await Promise.all([
    orNone(devices().then((all) => all.devices.map(({ name }) => name))),
    orNone(jobs({ status: "succeeded", limit: PLANS }, signal).then((page) => page.optimizations)),
    packed && questionAt(packed).catch(() => undefined),
  ]);
  if (signal.aborted) {
    return;
  }
  const page = new PortfolioPage(view, signal, known, plans);
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

/** A catalogue that cannot be read offers nothing: what is asked can still be written. */
function orNone(list) {
  return list.catch((error) => {
    if (error instanceof ProblemError) {
      return [];
    }
    throw error;
  });
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
    const [assignment, limit, unfavourable] = ["assignment", "limit", "unfavourable"].map(freshId);
    this.assignment = element(
      "select",
      { id: assignment, name: "/assignment", "data-default": "fixed" },
      element("option", { value: "fixed" }, t("portfolio.for_the_whole_day")),
      element("option", { value: "hourly" }, t("portfolio.hour_by_hour")),
    );
    this.limit = element("input", { id: limit, name: "/time_limit_s", "data-kind": "number", "data-default": "8", placeholder: "8", inputmode: "numeric" });
    this.unfavourable = element("input", { type: "checkbox", id: unfavourable, name: "/unfavourable" });
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
    keep(KEPT, { request: this.asked, address: location.hash, ...(isAnswered && { answer }) });
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
    if (asking) {
      fill(this.status, t("portfolio.searching_instances_and_allocating"));
    } else {
      fill(this.status);
    }
  }

  showAnswer(request, answer) {
    this.answered = { request, answer };
    this.answer.classList.remove("stale");
    fill(this.answer, element("h2", { tabindex: "-1" }, t("common.plan")), portfolioAnswer(request, answer));
  }
}
