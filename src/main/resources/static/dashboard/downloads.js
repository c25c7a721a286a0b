import { download } from "./api.js";
import { element } from "./dom.js";

/** A button that saves a result. */
export function downloads({ id }) {
  const outcome = element("span", { role: "status" });
  return element(
    "div",
    { class: "downloads", role: "group", "aria-label": "Download" },
    element("span", { "aria-hidden": "true" }, "Download"),
    element("button", { type: "button", on: { click: () => save(id, outcome) } }, "JSON"),
    outcome,
  );
}

async function save(id, outcome) {
  outcome.textContent = "";
  try {
    const address = URL.createObjectURL(await download(id));
    element("a", { href: address, download: `optimization-${id}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    outcome.textContent = "JSON saved";
  } catch (error) {
    outcome.textContent = `JSON is not available: ${error.message}`;
  }
}
