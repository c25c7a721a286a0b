import { announce, byId, element, fill, freshId } from "./dom.js";
import { decimals } from "./format.js";
import { counted } from "./words.js";

/**
 * The model field's list of the catalogue: grouped by family, and narrowed to what holds every word that is typed. Any
 * other name may be typed all the same, beside a pasted configuration.
 */
export class ModelList {
  constructor(models) {
    this.input = byId("model-id");
    this.list = byId("models");
    this.models = models.toSorted((one, other) => one.family.localeCompare(other.family, "en", { numeric: true }));
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("click", () => this.toggle());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => this.choose(event.target.closest("[role=option]")));
  }

  /** What is typed narrows the list; the whole name of a model needs none. */
  search() {
    const words = this.input.value.toLowerCase().split(/\s+/);
    const found = this.models.filter((model) => words.every((word) => wordsOf(model).includes(word)));
    if (found.length === 0 || this.chosen()) {
      this.close();
    } else {
      this.open(found);
    }
  }

  toggle() {
    if (this.list.hidden) {
      this.openAll();
    } else {
      this.close();
    }
  }

  /** A model that is chosen already stands among all others; a part of a name narrows them. */
  openAll() {
    if (this.chosen()) {
      this.open(this.models);
      this.point(this.options().find((option) => option.dataset.model === this.chosen().id));
    } else {
      this.search();
    }
  }

  open(found) {
    const families = Map.groupBy(found, ({ family }) => family);
    fill(this.list, [...families].map(([family, members]) => familyGroup(family, members)));
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.point(null);
    announce(`${counted(found.length, "model")} in ${families.size === 1 ? "1 family" : `${families.size} families`}`);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.point(null);
  }

  press(event) {
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (this.list.hidden) {
        this.openAll();
      } else {
        this.step(key === "ArrowDown" ? 1 : -1);
      }
    } else if (key === "Enter" && this.pointed) {
      event.preventDefault(); // which would ask the question
      this.choose(this.pointed);
    } else if (key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.close();
    }
  }

  step(by) {
    const options = this.options();
    const from = options.indexOf(this.pointed);
    const to = from < 0 && by < 0 ? -1 : from + by;
    this.point(options.at(to % options.length));
  }

  point(option) {
    this.pointed?.setAttribute("aria-selected", "false");
    this.pointed = option ?? null;
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", option.id);
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  choose(option) {
    if (option) {
      this.input.value = option.dataset.model;
      this.input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  /** The model whose whole name the field holds. */
  chosen() {
    return this.models.find(({ id }) => id === this.input.value.trim());
  }

  options() {
    return [...this.list.querySelectorAll("[role=option]")];
  }
}

function wordsOf({ id, family }) {
  return `${family} ${id}`.toLowerCase();
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
