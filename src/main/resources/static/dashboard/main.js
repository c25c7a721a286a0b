import { showAccuracy } from "./accuracy.js";
import { questionAt, questionOfAddress } from "./address.js";
import { job, ProblemError } from "./api.js";
import { loadColumns } from "./columns.js";
import { showComparison } from "./comparison.js";
import { byId, element, entitle, fill } from "./dom.js";
import { connectForm, FIRST_QUESTION, isShown, leaveForm, returnToForm, showRequest, withCostModel } from "./form.js";
import { showHelp } from "./help.js";
import { showHistory } from "./history.js";
import { showJob } from "./job.js";
import { hasKey } from "./key.js";
import { t } from "./language.js";
import { showMeasurements, showMeasurementSet } from "./measurements.js";
import { showPortfolio } from "./portfolio.js";
import { showShared } from "./shared.js";
import { showSweep, showSweeps } from "./sweep.js";
import { showChange, showVary, showVaryQuestion } from "./vary.js";

/** For scripts beside the page, for which no other module is the page's own once all are bundled into this one. */
export { showRequest };

const VIEWS = ["plan-view", "job-view", "jobs-view", "comparison-view", "accuracy-view", "measurements-view", "sweeps-view", "portfolios-view", "shared-view", "help-view"];

/**
 * One line a page: the pattern of its address, its view, what shows it until the signal says that it is left, its title unless it
 * makes one, and what is said where there is nothing at its address.
 */
const ROUTES = [
  { pattern: /^\/?$/, view: "plan-view", show: showPlan, title: t("common.new_plan") },
  { pattern: /^\/q\/(.+)$/, view: "plan-view", show: showQuestion, title: t("common.new_plan") },
  { pattern: /^(\/plan\/.+)$/, view: "plan-view", show: showQuestion, title: t("common.new_plan") },
  { pattern: /^\/again\/([^/]+)$/, view: "plan-view", show: showPlan, title: t("common.new_plan") },
  { pattern: /^\/jobs$/, view: "jobs-view", show: showHistory, title: t("common.jobs") },
  { pattern: /^\/jobs\/([^/]+)$/, view: "job-view", show: showJob, missing: t("common.job_not_found") },
  { pattern: /^\/compare\/(.+)$/, view: "comparison-view", show: showComparison, title: t("comparison.comparison"), missing: t("common.job_not_found") },
  { pattern: /^\/sweeps$/, view: "sweeps-view", show: showSweeps, title: t("common.sweeps") },
  { pattern: /^\/sweeps\/([^/]+)$/, view: "sweeps-view", show: showSweep, missing: t("sweep.sweep_not_found") },
  { pattern: /^\/vary\/sweep\/([^/]+)$/, view: "sweeps-view", show: showChange, title: t("vary.vary"), missing: t("sweep.sweep_not_found") },
  { pattern: /^\/vary\/q\/(.+)$/, view: "sweeps-view", show: showVaryQuestion, title: t("vary.vary") },
  { pattern: /^\/vary\/([^/]+)$/, view: "sweeps-view", show: showVary, title: t("vary.vary"), missing: t("common.job_not_found") },
  { pattern: /^\/portfolios(?:\/(.+))?$/, view: "portfolios-view", show: showPortfolio, title: t("common.portfolios") },
  { pattern: /^\/measurements$/, view: "measurements-view", show: showMeasurements, title: t("common.measurements") },
  { pattern: /^\/measurements\/([^/]+)$/, view: "measurements-view", show: showMeasurementSet, missing: t("measurements.measurements_not_found") },
  { pattern: /^\/help$/, view: "help-view", show: showHelp, title: t("common.help") },
  { pattern: /^\/s\/([^/]+)$/, view: "shared-view", show: showShared, missing: t("shared.nothing_to_show") },
  { pattern: /^\/accuracy(?:\/(.+))?$/, view: "accuracy-view", show: showAccuracy, title: t("common.accuracy") },
];

let leaving = new AbortController();

/** Once the form is shown: other pages need neither it nor the catalogue. */
let form;

async function showPlan(view, signal, again) {
  if (again) {
    // What was filled in may depend on what is changed now; jobs of earlier versions know nothing else.
    // Nobody types into what is about to be filled in.
    view.hidden = true;
    try {
      const { asked, request } = await job(again, signal);
      showRequest(asked ? { ...asked, devices: request.devices, cost_model: request.cost_model } : request);
    } finally {
      view.hidden = signal.aborted && view.hidden;
    }
  }
  returnToForm(again === undefined);
}

/** The question that is in the address; what was typed stays where that is what it says. */
async function showQuestion(view, signal, packed) {
  let lost = false;
  if (!isShown(packed)) {
    const asked = packed.startsWith("/plan/") ? questionOfAddress(packed) : await questionAt(packed).catch(() => undefined);
    const request = asked && (await withCostModel(asked));
    if (signal.aborted) {
      return;
    }
    lost = request === undefined;
    showRequest(request ?? FIRST_QUESTION);
  }
  returnToForm(false);
  if (lost) {
    complain(t("main.this_link_holds_no"));
  }
}

async function route() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const path = location.hash.slice(1);
  const found = ROUTES.find(({ pattern }) => pattern.test(path)) ?? ROUTES[0];
  if (found.view === "plan-view") {
    form ??= connectForm((id) => (location.hash = `/jobs/${id}`));
    await form;
    loadColumns().catch(() => {}); // asked again by the view that needs them
  } else {
    await loadColumns();
  }
  if (signal.aborted) {
    return;
  }
  showOnly(found.view);
  complain("");
  markCurrent(found.view);
  if (found.title) {
    entitle(found.title);
  }
  try {
    await found.show(byId(found.view), signal, found.pattern.exec(path)?.[1]);
  } catch (error) {
    if (signal.aborted) {
      return;
    }
    if (!(error instanceof ProblemError) || found.view === "plan-view") {
      throw error;
    }
    showMissing(found, error);
  }
}

/** Says in the place of a page why it cannot be shown. */
function showMissing({ view, missing }, { problem, message }) {
  const unknown = problem.status === 404 && hasKey() ? t("job.not_found_or_not") : missing;
  const heading = [401, 403, 404].includes(problem.status) && unknown ? unknown : t("main.page_cannot_be_displayed");
  const list = document.querySelector(`.banner nav a[href="${/^#\/\w+/.exec(location.hash)}"]`)?.getAttribute("href");
  entitle(heading);
  fill(byId(view), element("h1", {}, heading), element("p", { class: "notice" }, message, " ", list && element("a", { href: list }, t("main.back_to_list"))));
}

/** The form keeps what was typed into it; the other views are built anew each time. */
function showOnly(view) {
  document.body.classList.toggle("shared", view === "shared-view");
  if (view !== "plan-view") {
    leaveForm();
  }
  for (const id of VIEWS) {
    byId(id).hidden = id !== view;
    if (id !== "plan-view") {
      fill(byId(id), id === view && element("p", { class: "loading" }, t("common.loading")));
    }
  }
}

function markCurrent(view) {
  for (const link of document.querySelectorAll("[data-route]")) {
    if (`${link.dataset.route}-view` === view) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

window.addEventListener("hashchange", () => {
  route();
  byId("view").focus();
  scrollTo(0, 0);
});

/** Addresses behind the # are pages here, so the link to the content must not change the address. */
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("view").focus();
});

window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof ProblemError) {
    event.preventDefault();
    complain(event.reason.message);
  }
});

/** Says what went wrong with an action that has no better place for it. */
function complain(message) {
  const alert = byId("alert");
  alert.textContent = message;
  alert.hidden = message === "";
}

route();
