/** As much of a document as modules need to be loaded and to write texts. Tests import it first. */
class Node {}

class Element extends Node {
  attributes = {};
  children = [];
  dataset = {};
  selectedIndex = 0;

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  addEventListener() {}

  append(child) {
    this.children.push(child);
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }

  set textContent(text) {
    this.children = [text];
  }
}

const PLACE = "http://localhost:8080/";

Object.assign(globalThis, {
  addEventListener() {},
  devicePixelRatio: 1,
  matchMedia: () => new Element(),
  Node,
  window: { addEventListener() {}, dispatchEvent() {} },
  document: { baseURI: PLACE, documentElement: new Element(), createElement: (name) => Object.assign(new Element(), { name }), getElementById: () => new Element() },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] } });
