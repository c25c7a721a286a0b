import "./language.js";
import { showAccuracy } from "./accuracy.js";
import { questionAt } from "./address.js";
import { questionOfAddress } from "./readable.js";
import { loadColumns } from "./columns.js";
import { showComparison } from "./comparison.js";
import { byId, fill } from "./dom.js";
import { connectForm, FIRST_QUESTION, isShown, leaveForm, returnToForm, showRequest, withCostModel } from "./form.js";
import { showHelp } from "./help.js";
import { showHistory } from "./history.js";
import { showJob } from "./job.js";
import { showMeasurements, showMeasurementSet } from "./measurements.js";
import { showPortfolio } from "./portfolio.js";
import { showShared } from "./shared.js";
import { showSweep } from "./sweep.js";
import { showSweeps } from "./sweeps.js";
import { showChange, showVary } from "./vary.js";
import { job, ProblemError } from "./api.js";
import { t } from "./language.js";

/** For scripts beside the page, for which no other module is the page's own once all are bundled into this one. */
export { showRequest };

const VIEWS = ["plan-view", "job-view", "jobs-view", "comparison-view", "accuracy-view", "measurements-view", "sweeps-view", "portfolios-view", "shared-view", "help-view"];

/** One line a page: the pattern of its address, its view, and what shows it until the signal says that it is left. */
const ROUTES = [
  { pattern: /^\/?$/, view: "plan-view", show: showPlan },
  { pattern: /^\/q\/(.+)$/, view: "plan-view", show: showQuestion },
  { pattern: /^(\/plan\/.+)$/, view: "plan-view", show: showQuestion },
  { pattern: /^\/again\/([^/]+)$/, view: "plan-view", show: showPlan },
  { pattern: /^\/jobs$/, view: "jobs-view", show: showHistory },
  { pattern: /^\/jobs\/([^/]+)$/, view: "job-view", show: showJob },
  { pattern: /^\/compare\/(.+)$/, view: "comparison-view", show: showComparison },
  { pattern: /^\/sweeps$/, view: "sweeps-view", show: showSweeps },
  { pattern: /^\/sweeps\/([^/]+)$/, view: "sweeps-view", show: showSweep },
  { pattern: /^\/vary\/sweep\/([^/]+)$/, view: "sweeps-view", show: showChange },
  { pattern: /^\/vary\/([^/]+)$/, view: "sweeps-view", show: showVary },
  { pattern: /^\/portfolios(?:\/(.+))?$/, view: "portfolios-view", show: showPortfolio },
  { pattern: /^\/measurements$/, view: "measurements-view", show: showMeasurements },
  { pattern: /^\/measurements\/([^/]+)$/, view: "measurements-view", show: showMeasurementSet },
  { pattern: /^\/help$/, view: "help-view", show: showHelp },
  { pattern: /^\/s\/([^/]+)$/, view: "shared-view", show: showShared },
  { pattern: /^\/accuracy(?:\/(.+))?$/, view: "accuracy-view", show: showAccuracy },
];

let leaving = new AbortController();

/** Once the form is shown: other pages need neither it nor the catalogue. */
let form;

async function showPlan(view, signal, again) {
  document.title = `${t("common.new_plan")} – throughput-optimizer`;
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
  document.title = `${t("common.new_plan")} – throughput-optimizer`;
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
  try {
    await found.show(byId(found.view), signal, found.pattern.exec(path)?.[1]);
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
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
      fill(byId(id));
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
