import { addressOf } from "./address.js";
import { about, askBeside, submit } from "./api.js";
import { showWhatBelongs } from "./belonging.js";
import { loadCatalogue, modelOf, offerDevices, showModelFacts, tickMeasured } from "./catalogue.js";
import { CurlPanel } from "./curl.js";
import { offerCounts, withCounts, writeCounts } from "./devicecounts.js";
import { connectDistributions, showDistributions } from "./distribution.js";
import { announce, byId, copy, element, fill, sayOn } from "./dom.js";
import { FieldError, readRequest, settle, writeRequest } from "./fields.js";
import { Figures } from "./figures.js";
import { writeJson } from "./infinite.js";
import { t } from "./language.js";
import { LivePanel, LiveQuestion } from "./livepanel.js";
import { offerPrices } from "./money.js";
import { connectPasteBox } from "./pastebox.js";
import { valueAt } from "./pointer.js";
import { PRESETS } from "./presets.js";
import { clearField, clearProblem, nameOf, showProblem } from "./problems.js";
import { sentence } from "./sentence.js";
import { SettingsDrawer } from "./settings.js";
import { EditStrip } from "./strip.js";
import { devicesAsked } from "./words.js";

/** What the form shows before anybody has asked anything. */
export const FIRST_QUESTION = PRESETS[0].request;

/** The command line that asks the same question. */
const curl = new CurlPanel();

/** What is answered while the question is written, and where that is shown. */
let live;
let panel;

/** All settings, which can be searched, and whose figures answer. */
let settings;
let figures;
let strip;
let settleDevices = () => {};

/** Texts of the first question, of the one that the address stands for, of the one that the form shows, and of the one in the sentence. */
const texts = {};

/** The form that asks a question; `submitted` is told the new job's id. */
export async function connectForm(submitted) {
  const form = byId("plan");
  form.addEventListener("input", (event) => {
    clearField(event.target);
    byId("plan-undo").hidden = true;
    refresh();
  });
  form.addEventListener("change", ({ target }) => {
    settle(target);
    demandServed(form);
    refresh();
  });
  form.addEventListener("reset", () => {
    remember();
    setTimeout(() => showRequest(FIRST_QUESTION));
  });
  byId("plan-undo").addEventListener("click", undo);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(submitted);
  });
  form.querySelectorAll('[name="/cost_model"]').forEach((choice) =>
    choice.addEventListener("change", () => {
      showWhatBelongs(form);
      tickMeasured();
    }),
  );
  byId("plan-curl").append(curl.node);
  byId("plan-link").addEventListener("click", ({ target }) => copyLink(form, target));
  byId("plan-sweep").addEventListener("click", async () => (location.hash = (await addressOf(texts.request, "/vary/q")) ?? location.hash));
  panel = new LivePanel(form, () => run(submitted), turnTo, chooseMode);
  live = new LiveQuestion(panel);
  settings = new SettingsDrawer(form, remember);
  strip = new EditStrip(form, () => texts.request);
  byId("device-profiles").addEventListener("change", offerPastedDevices);
  fill(byId("presets"), PRESETS.map(presetItem));
  oneTabStop(byId("presets"), ".preset");
  settleDevices = oneTabStop(byId("device-choices"), "input");
  const takeTrace = connectDistributions(refresh);
  const named = (controls) => [...form.querySelectorAll(controls)].map(({ value }) => value).filter((value) => value !== "");
  connectPasteBox({
    asked: () => texts.request ?? {},
    apply: async (request) => turnTo(await withCostModel(request)),
    weights: () => texts.request?.quantization ?? panel.last?.request?.quantization,
    known: () => ({ devices: named("#device-choices input"), modelOf, choices: { "/engine/backend": named("#backend option"), "/quantization/scheme": named("#scheme option") } }),
    readTrace: (file) => {
      turnTo({ ...texts.request, workload: { length_distribution: { name: "builtin" }, output_length: texts.request?.workload?.output_length ?? 1 } });
      return takeTrace(file);
    },
  });
  const [failure] = await Promise.all([loadCatalogue().catch((error) => error), about().then(({ prices }) => offerPrices(prices)).catch(() => {})]);
  figures = new Figures(form);
  showRequest(FIRST_QUESTION);
  texts.first = texts.shown;
  if (failure) {
    showProblem(form, byId("plan-problem"), problemOf(failure));
  }
}

/**
 * Asks the question of the form again where it has no answer yet, and shows the one that it has.
 *
 * @param {boolean} isFirst whether the address is that of the first question; else it is that of the one in the form
 */
export function returnToForm(isFirst) {
  texts.addressed = isFirst ? texts.first : texts.shown;
  panel.show();
  refresh();
}

/** Whether an address, by what comes after `/q/`, is that of what the form shows. */
export function isShown(packed) {
  return [packed, `/q/${packed}`].includes(texts.packed) && texts.shown === texts.addressed;
}

/** Asks nothing while the form is not seen. */
export function leaveForm() {
  live?.giveUp();
  panel?.leave();
}

/** The question with the cost model that the service selects where the question names none. */
export async function withCostModel(request) {
  if (["analytic", "calibrated"].includes(request.cost_model)) {
    return request;
  }
  const known = (await askBeside(request).catch(() => undefined))?.request;
  return { ...request, cost_model: known?.cost_model ?? "analytic" };
}

/** Shows a request, given by a preset or an earlier job, for editing. */
export function showRequest(request) {
  const form = byId("plan");
  clearProblem(form, byId("plan-problem"));
  const workload = request.workload ?? {};
  form.elements["length-kind"].value = workload.conversation ? "turns" : workload.length_distribution ? "mixed" : "fixed";
  form.elements["output-kind"].value = workload.output_distribution ? "mixed" : "fixed";
  offerDevices((devicesAsked(request) ?? []).filter((name) => name !== ""));
  byId("per-device").checked = [request.engine?.backend, request.quantization?.scheme].some((value) => typeof value === "object" && value !== null);
  writeRequest(form, { ...request, devices: devicesAsked(request) });
  writeCounts(form, request);
  showDistributions(workload);
  showWhatBelongs(form);
  figures?.accept(request);
  refresh();
}

/** Takes another question into the form, from which one can come back. */
function turnTo(request) {
  remember();
  showRequest(request);
}

/** Takes the mode of a question into the form, which keeps all else; sizes of instances come with the question. */
function chooseMode(request) {
  if (request.pd_ratio) {
    turnTo(request);
    return;
  }
  remember();
  byId("plan").querySelector(`[name="/mode"][value=${request.mode}]`).click();
}

/** Keeps the question before something takes the place of much of it at once, until something else is typed. */
function remember() {
  texts.before = texts.request;
  setTimeout(() => (byId("plan-undo").hidden = texts.before === undefined));
}

function undo() {
  showRequest(texts.before);
  byId("plan-undo").hidden = true;
  byId("settings-toggle").focus();
  announce(t("form.change_undone"));
}

function presetItem({ title, description, request }) {
  const apply = () => {
    turnTo(request);
    byId("plan-run").focus();
  };
  const words = [element("strong", {}, title), element("span", { class: "visually-hidden" }, `: ${description}`)];
  return element("li", {}, element("button", { type: "button", class: "preset", title: description, on: { click: apply } }, words));
}

function refresh() {
  const form = byId("plan");
  showWhatBelongs(form);
  figures?.consider();
  offerCounts(form);
  settleDevices();
  showModelFacts(byId("model-id").value.trim());
  showQuestion(form);
  settings?.refresh();
  strip?.refresh();
}

/** The question that the form asks; what the service could only take for something else is refused here. */
function readQuestion(form) {
  const request = withCounts(readRequest(form));
  const { model, problem } = modelOf(request);
  if (problem) {
    throw new FieldError("/model_id", problem);
  }
  if (devicesAsked(request) === undefined) {
    throw new FieldError("/devices", t("form.required_select_at_least"));
  }
  return model ? { ...request, model_id: model.id } : request;
}

function showQuestion(form) {
  try {
    const request = readQuestion(form);
    texts.shown = writeJson(request);
    if (texts.shown !== texts.worded) {
      texts.worded = texts.shown; // the same sentence stays, for what is being clicked must not go away
      fill(byId("plan-words"), sentence(request, (key, control) => strip.open(key, control)));
    }
    texts.request = request;
    curl.show(request);
    showFoldedMembers(request);
    whileSeen(() => {
      live.ask(request);
      writeAddress(request);
    });
  } catch (error) {
    if (!(error instanceof FieldError)) {
      throw error;
    }
    texts.worded = undefined;
    fill(byId("plan-words"), nameOf(form, error.pointer), ` ${error.message}`);
    curl.show();
    whileSeen(() => live.refuse(problemOf(error)));
  }
}

/** Only what is seen is asked while it is written. */
function whileSeen(act) {
  if (!byId("plan-view").hidden) {
    act();
  }
}

/** Keeps the question in the address, without an entry of its own among those that one goes back to. */
async function writeAddress(request) {
  const text = texts.shown;
  if (text === texts.addressed) {
    return;
  }
  texts.addressed = text;
  const address = await addressOf(request);
  if (text === texts.addressed && !byId("plan-view").hidden) {
    texts.packed = address;
    history.replaceState(null, "", `#${address ?? "/"}`);
  }
}

/** A link that opens with the question that the form shows. */
async function copyLink(form, button) {
  let request;
  try {
    request = readQuestion(form);
  } catch (error) {
    showProblem(form, byId("plan-problem"), problemOf(error));
    return;
  }
  const address = await addressOf(request);
  if (address) {
    await copy(new URL(`#${address}`, location.href).href, button);
  } else {
    sayOn(button, t("form.too_long"), t("form.request_too_long_for"));
  }
}

/** Takes what the last plan serves as the demand where none is written. */
function demandServed(form) {
  const served = panel.last?.result?.best?.requests_per_s;
  const isWritten = [...form.querySelectorAll("[name^='/demand/']")].some(({ value }) => value !== "");
  if (form.elements["/mode"].value === "capacity" && served && !isWritten) {
    form.elements["/demand/requests_per_s"].value = Math.floor(10 * served) / 10 || served;
  }
}

/** Says on each folded part which of its members the request sets. */
function showFoldedMembers(request) {
  for (const part of document.querySelectorAll("#plan details[data-pointer]")) {
    const members = Object.keys(valueAt(request, part.dataset.pointer) ?? {});
    part.querySelector(".set").textContent = members.join(", ");
  }
}

function offerPastedDevices() {
  try {
    const profiles = [JSON.parse(byId("device-profiles").value || "[]")].flat();
    offerDevices(profiles.map((profile) => profile.name).filter((name) => typeof name === "string"));
  } catch {
    return; // the question beside the form says what is wrong with the text
  }
  refresh();
}

async function run(submitted) {
  const form = byId("plan");
  const summary = byId("plan-problem");
  const button = byId("plan-run");
  live.giveUp();
  clearProblem(form, summary);
  button.disabled = true;
  try {
    const job = await submit(readQuestion(form));
    submitted(job.id);
  } catch (error) {
    const problem = problemOf(error);
    const faults = showProblem(form, summary, problem);
    if (problem.errors) {
      panel.notAnswered(faults, problem);
    }
  } finally {
    button.disabled = false;
  }
}

/** What was refused, by the service or before anything was sent. */
export function problemOf(error) {
  if (error instanceof FieldError) {
    return { title: t("form.invalid_request"), errors: [{ pointer: error.pointer, message: error.message }] };
  }
  if (!error.problem) {
    throw error;
  }
  return { ...error.problem, detail: error.message };
}

const MOVES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Makes one tab stop of a group of controls, among which arrow keys move.
 *
 * @param {string} selector of the controls, which may come and go
 * @returns {function} to be called where they may have changed: the tab stop is where the reader was, or at what is chosen
 */
function oneTabStop(group, selector) {
  const all = () => [...group.querySelectorAll(selector)];
  const able = () => all().filter((control) => !control.matches(":disabled"));
  const stopAt = (stop) => all().forEach((control) => (control.tabIndex = control === stop ? 0 : -1));
  const settle = () => {
    const controls = able();
    stopAt(controls.find((control) => control === document.activeElement) ?? controls.find(({ checked }) => checked) ?? controls[0]);
  };
  group.addEventListener("focusin", ({ target }) => target.matches(selector) && stopAt(target));
  group.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (move && event.target.matches(selector)) {
      const controls = able();
      const next = controls[controls.indexOf(event.target) + move];
      event.preventDefault();
      next?.focus();
    }
  });
  settle();
  return settle;
}
