import { announce, byId, element, fill, freshId } from "./dom.js";
import { decimals, plain } from "./format.js";
import { t } from "./language.js";
import { findModels, modelNamed } from "./modelsearch.js";
import { attach, clearField } from "./problems.js";

const NONE = t("models.no_matching_model_in");

/** Pixels that the list takes where it may, needs to be of use, and leaves free at the edge of the window. */
const MOST_ROOM = 352;
const LEAST_ROOM = 200;
const MARGIN = 10;

/**
 * The model field's list of the catalogue: grouped by family, and narrowed to what holds every word that is typed. Any
 * other name may be typed all the same, beside a pasted configuration.
 */
export class ModelList {
  constructor(models) {
    this.input = byId("model-id");
    this.list = byId("models");
    this.models = models.toSorted((one, other) => one.family.localeCompare(other.family, "en", { numeric: true }));
    this.input.addEventListener("mousedown", (event) => this.press(event));
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("click", () => this.list.hidden && this.openAll());
    this.input.addEventListener("blur", (event) => this.leave(event.relatedTarget));
    this.input.addEventListener("keydown", (event) => this.strike(event));
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => this.choose(event.target.closest("[data-model]")));
  }

  /** The first press selects the name, so that typing replaces it: by itself the browser puts a caret there. */
  press(event) {
    if (document.activeElement !== this.input) {
      event.preventDefault();
      this.input.focus();
    }
  }

  /** What is typed narrows the list; the whole name of a model needs none, and beside a configuration any name will do. */
  search() {
    if (this.chosen() || this.input.value.trim() === "" || hasConfiguration()) {
      this.close();
    } else {
      this.open(findModels(this.models, this.input.value));
    }
  }

  /** A model that is chosen already stands among all others; a part of a name narrows them. */
  openAll() {
    if (this.chosen() || this.input.value.trim() === "") {
      this.open({ found: this.models });
      this.point(this.options().find((option) => option.dataset.model === this.chosen()?.id));
      if (this.pointed) {
        this.list.scrollTop = this.pointed.offsetTop - this.list.clientHeight / 2; // scrolls the list alone
      }
    } else {
      this.search();
    }
  }

  open({ found, ignored = [] }) {
    const families = Map.groupBy(found, ({ family }) => family);
    const groups = [...families].map(([family, members]) => familyGroup(family, members));
    const remark = found.length === 0 ? NONE : ignored.length > 0 && t("models.ignored_its_cost_that", { a: ignored.join(" ") });
    fill(this.list, remark && remarkRow(remark), groups);
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.place();
    this.input.setAttribute("aria-expanded", "true");
    this.point(null);
    const count = families.size === 1 ? t("models.in_one_family", { 1: plain(found.length) }) : t("models.in_families", { 1: plain(found.length), 2: families.size });
    announce(found.length === 0 ? NONE : [remark, count].filter(Boolean).join(". "));
  }

  /**
   * Below the field, or above it where there is too little room: the page itself stays where it is, since one that moves below
   * the pointer makes the second of two clicks choose something.
   */
  place() {
    const { top, bottom } = this.input.getBoundingClientRect();
    const below = (visualViewport?.height ?? innerHeight) - bottom;
    const above = below < LEAST_ROOM && top > below;
    this.list.classList.toggle("above", above);
    this.list.style.maxHeight = `${Math.min(MOST_ROOM, Math.max(above ? top : below, LEAST_ROOM / 2) - MARGIN)}px`;
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.point(null);
  }

  /** Another spelling of a model becomes its name; what names none says so, unless the form is about to. */
  leave(next) {
    this.close();
    if (this.input.value.trim() === "" || hasConfiguration()) {
      return;
    }
    const { model, problem } = modelNamed(this.models, this.input.value);
    if (model && model.id !== this.input.value) {
      this.take(model.id);
    } else if (problem && next?.type !== "submit") {
      clearField(this.input);
      attach({ target: this.input, pointer: this.input.name, message: problem });
    }
  }

  strike(event) {
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) {
        this.openAll();
      } else {
        this.step(key === "ArrowDown" ? 1 : -1);
      }
    } else if (key === "Enter" && !this.list.hidden) {
      event.preventDefault(); // which would ask the question
      this.choose(this.pointed ?? this.options()[0]);
    } else if (key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.close();
    }
  }

  step(by) {
    const options = this.options();
    if (options.length > 0) {
      const from = options.indexOf(this.pointed);
      const to = from < 0 && by < 0 ? -1 : from + by;
      this.point(options.at(to % options.length));
      this.pointed.scrollIntoView({ block: "nearest" });
    }
  }

  point(option) {
    this.pointed?.setAttribute("aria-selected", "false");
    this.pointed = option ?? null;
    if (option) {
      option.setAttribute("aria-selected", "true");
      this.input.setAttribute("aria-activedescendant", option.id);
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  choose(option) {
    if (option) {
      this.take(option.dataset.model);
    }
  }

  take(id) {
    this.input.value = id;
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** The model whose whole name the field holds. */
  chosen() {
    return this.models.find(({ id }) => id === this.input.value.trim());
  }

  options() {
    return [...this.list.querySelectorAll("[data-model]")];
  }
}

function hasConfiguration() {
  return byId("model-config").value.trim() !== "";
}

/** Says something about the list where it is read, and chooses nothing. */
function remarkRow(text) {
  return element("div", { role: "option", class: "remark", id: freshId("remark"), "aria-disabled": "true", "aria-selected": "false" }, text);
}

function familyGroup(family, members) {
  const heading = freshId("family");
  return element(
    "div",
    { role: "group", "aria-labelledby": heading },
    element("div", { id: heading, class: "family", role: "presentation" }, family),
    members.map(({ id, parameters }) =>
      element(
        "div",
        { role: "option", id: freshId("model"), "aria-selected": "false", "data-model": id },
        element("span", {}, id),
        " ",
        element("span", { class: "size" }, `${decimals(parameters / 1e9, 1)} B`),
      ),
    ),
  );
}
