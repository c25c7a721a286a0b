import { ruleOf } from "./api.js";
import { element, fill, freshId } from "./dom.js";
import { t } from "./language.js";
import { parentOf } from "./pointer.js";

/** Shows a refusal: a summary above the form, and each message at the field that its pointer names. */
export function showProblem(form, summary, problem) {
  clearProblem(form, summary);
  const faults = markFaults(form, problem);
  fill(summary, element("h2", {}, problem.title ?? t("problems.service_rejected_request")), faultList(faults, problem));
  summary.hidden = false;
  const first = faults.find((fault) => fault.target);
  reveal(first?.target ?? summary);
  return faults;
}

/** Puts each message at its field, in place of those of the last refusal, and leaves the focus where it is. */
export function markFaults(form, problem) {
  clearFaults(form);
  const faults = (problem.errors ?? []).map((error) => ({ ...error, target: targetOf(form, error.pointer) }));
  faults.filter((fault) => fault.target).forEach(attach);
  return faults;
}

/** The messages of a refusal, each leading to its field; its own words where it names none. */
export function faultList(faults, problem) {
  return faults.length === 0 ? element("p", {}, problem.detail) : element("ul", {}, faults.map(summaryItem));
}

/** What is wrong with a request, where it has no form. */
export function errorList({ errors, detail }) {
  const line = (error) => element("li", {}, element("code", {}, error.pointer?.slice(1).replaceAll("/", ".") || t("common.request")), " ", error.message ?? ruleOf(error));
  return errors ? element("ul", {}, errors.map(line)) : element("p", {}, detail);
}

/** Takes the messages of the last refusal away. */
export function clearProblem(form, summary) {
  summary.hidden = true;
  fill(summary);
  clearFaults(form);
}

function clearFaults(form) {
  form.querySelectorAll("[data-fault]").forEach((message) => message.remove());
  form.querySelectorAll("[aria-invalid]").forEach(forget);
}

/** Removes the messages about an edited control: about its own field, about a group that it is in, and about a part of its value. */
export function clearField(control) {
  const edited = control.name?.startsWith("/") ? control.name : control.closest("[data-pointer]")?.dataset.pointer;
  if (!control.form || edited === undefined) {
    return;
  }
  const contains = (outer, inner) => inner === outer || inner.startsWith(`${outer}/`);
  [...control.form.querySelectorAll("[data-fault]")]
    .filter(({ dataset: { fault } }) => contains(fault, edited) || contains(edited, fault))
    .forEach((message) => message.remove());
  control.form.querySelectorAll("[aria-invalid]").forEach(forget);
}

/** Takes away from a control what refers to messages that are gone. */
function forget(control) {
  const left = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => !id.startsWith("fault-") || document.getElementById(id));
  if (!left.some((id) => id.startsWith("fault-"))) {
    control.removeAttribute("aria-invalid");
  }
  if (left.join("") === "") {
    control.removeAttribute("aria-describedby");
  } else {
    control.setAttribute("aria-describedby", left.join(" "));
  }
}

/** The control or group of a pointer; that of the nearest member around it if it has none of its own. */
function targetOf(form, pointer) {
  if (!pointer) {
    return null;
  }
  const name = CSS.escape(pointer);
  const found = form.querySelector(`[name="${name}"]:not([type=checkbox]):not([type=radio]), [data-pointer="${name}"], [name="${name}"]`);
  return found && !found.matches(":disabled") && !found.closest("#plan [hidden]") ? found : targetOf(form, parentOf(pointer));
}

/** Says at one field what is wrong with it. */
export function attach({ target, pointer, message }) {
  const id = freshId("fault");
  const text = element("p", { class: "error", id, "data-fault": pointer ?? "" }, memberName(target, pointer), " ", message);
  const control = focusable(target);
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", [control.getAttribute("aria-describedby"), id].filter(Boolean).join(" "));
  place(target, text);
}

function place(target, text) {
  const cell = target.closest(".field, td");
  const heading = target.querySelector(":scope > legend, :scope > summary");
  if (cell) {
    cell.append(text);
  } else if (heading) {
    heading.after(text);
  } else {
    target.prepend(text);
  }
}

function summaryItem({ target, pointer, message }) {
  const words = [memberName(target, pointer), " ", message];
  return element(
    "li",
    {},
    target ? element("button", { type: "button", class: "link", on: { click: () => reveal(target) } }, words) : words,
  );
}

/** What the page calls a member: the label of its control; its name where it has none of its own. */
export function nameOf(form, pointer) {
  return memberName(targetOf(form, pointer), pointer);
}

function memberName(target, pointer) {
  if (!pointer) {
    return t("common.request");
  }
  const member = pointer.slice(1).replaceAll("/", ".");
  const label = target?.name === pointer && target.type !== "radio" ? target.labels?.[0]?.textContent.trim() : "";
  return label ? element("strong", { title: member }, label) : element("code", {}, member);
}

function focusable(target) {
  return target.matches("input, select, textarea")
    ? target
    : (target.querySelector("input, select, textarea") ?? target);
}

/** Leads to a setting, however it is hidden: its drawer opens, and what it is folded in. The value of an input is selected. */
export function reveal(target) {
  target.dispatchEvent(new Event("reveal", { bubbles: true }));
  for (let block = target.closest("details"); block; block = block.parentElement.closest("details")) {
    block.open = true;
  }
  const control = focusable(target);
  if (!control.matches("input, select, textarea")) {
    control.setAttribute("tabindex", "-1");
  }
  control.focus();
  if (control.tagName === "INPUT") {
    control.select(); // typing replaces what stands there
  }
}
