import { download, downloadShared } from "./api.js";
import { element } from "./dom.js";

const REPORTS = [
  { label: "JSON", part: "result", mediaType: "application/json", extension: "json" },
  { label: "CSV", part: "result", mediaType: "text/csv", extension: "csv" },
  { label: "Text", part: "result", mediaType: "text/plain", extension: "txt" },
];
const PICTURE = { label: "SVG", part: "curves", mediaType: "image/svg+xml", extension: "svg" };

const TABLES = ["binding", "sensitivities", "relaxations", "frontier"].map((table) => ({
  label: `CSV of ${table}`,
  part: `result?table=${table}`,
  mediaType: "text/csv",
  extension: `${table}.csv`,
}));

/** A button for each format that a result can be saved in. */
export function downloads({ id, result }) {
  const formats = [...REPORTS, ...(hasCurves(result) ? [PICTURE] : []), ...(result.explanation ? TABLES : [])];
  return buttons("Download", formats, `optimization-${id}`, ({ part, mediaType }) => download(id, part, mediaType));
}

/** The same of what a link shows. */
export function exportsOfLink(token) {
  return buttons("Export", REPORTS, "plan", ({ mediaType }) => downloadShared(token, mediaType));
}

function buttons(title, formats, name, get) {
  const outcome = element("span", { role: "status" });
  return element(
    "div",
    { class: "downloads", role: "group", "aria-label": title },
    element("span", { "aria-hidden": "true" }, title),
    formats.map((format) =>
      element("button", { type: "button", on: { click: () => save(format, name, get, outcome) } }, format.label),
    ),
    outcome,
  );
}

/** Curves are drawn for one kind of device. */
function hasCurves({ devices, capacity }) {
  return capacity !== undefined || (devices.length === 1 && devices[0].phases.some(({ points }) => points.length > 0));
}

async function save(format, name, get, outcome) {
  const { extension, label } = format;
  outcome.textContent = "";
  try {
    const address = URL.createObjectURL(await get(format));
    element("a", { href: address, download: `${name}.${extension}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    outcome.textContent = `${label} saved`;
  } catch (error) {
    outcome.textContent = `${label} is not available: ${error.message}`;
  }
}
