import { measurementSet, measurements, ProblemError, removeMeasurements } from "./api.js";
import { comparison, errorsOf } from "./compared.js";
import { confirmed } from "./confirm.js";
import { announce, element, fill } from "./dom.js";
import { decimals, moment, percent, whole } from "./format.js";
import { table } from "./table.js";
import { counted } from "./words.js";

const PAGE = 100;
const REMOVAL = {
  title: "Delete these measurements?",
  consequences: "Their rows are removed for good: no later plan can name them. Plans that learnt from them keep what they learnt.",
  action: "Delete them",
};
const ERRORS = [
  ["tpot_percent", "TPOT"],
  ["ttft_percent", "TTFT"],
];

/** Shows what a team has measured: model by device, and every set. */
export async function showMeasurements(view, signal) {
  document.title = "Measurements – throughput-optimizer";
  const body = element("div", {}, element("p", { class: "loading" }, "Loading…"));
  fill(
    view,
    element("h1", {}, "What your benchmarks measured"),
    element("p", { class: "lead" }, "Rows of your own servers, each beside what was predicted for it. Plans of the same model, device and engine learn from them where they name them."),
    body,
  );
  await new SetList(body, signal).load();
}

class SetList {
  constructor(body, signal) {
    Object.assign(this, { body, signal, sets: [] });
  }

  async load(cursor) {
    try {
      const page = await measurements({ limit: PAGE, cursor }, this.signal);
      this.sets.push(...page.measurements);
      this.show(page.next_cursor);
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        throw error;
      }
      fill(this.body, element("p", { class: "notice" }, error.message));
    }
  }

  show(cursor) {
    fill(
      this.body,
      this.sets.length === 0
        ? element("p", { class: "notice" }, "Nothing was measured yet. Drop a result file on a plan: ", element("a", { href: "#/jobs" }, "your plans"), ".")
        : [byModel(this.sets), this.list()],
      cursor && element("p", {}, element("button", { type: "button", on: { click: () => this.load(cursor) } }, "Older measurements")),
    );
  }

  list() {
    return table(
      "Sets, newest first",
      [
        { title: "Taken", text: (set) => element("a", { href: `#/measurements/${set.id}` }, moment(set.created_at)), className: "words" },
        { title: "Model", text: ({ group }) => group.model, className: "words" },
        { title: "Device", text: ({ group }) => group.device, className: "words" },
        { title: "Engine", text: ({ group }) => `${group.engine} ${group.version}`, className: "words" },
        { title: "Rows", text: ({ number_of_rows: rows }) => whole(rows) },
        ...ERRORS.flatMap(([member, name]) => [
          { title: `${name}, median error before`, text: ({ errors }) => errorCell(errors, member) },
          { title: "After", text: ({ errors_learnt: errors }) => errorCell(errors, member) },
        ]),
        { title: "Learnt from", text: ({ learnt_from: learnt }) => (learnt ? "yes" : "no"), className: "words" },
        { title: "Delete", text: (set) => this.deletion(set), className: "words" },
      ],
      this.sets,
    );
  }

  deletion(set) {
    const removed = async () => {
      if (await removal(set)) {
        this.sets = this.sets.filter(({ id }) => id !== set.id);
        this.show();
      }
    };
    return element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", "aria-label": `Delete what was measured ${moment(set.created_at)}…`, on: { click: removed } }, "Delete…");
  }
}

function errorCell(errors, member) {
  return errors?.[member] === undefined ? "–" : percent(errors[member]);
}

/** Deletes a set once the reader says so. */
async function removal({ id }) {
  const sure = await confirmed(REMOVAL);
  if (sure) {
    await removeMeasurements(id);
    announce("The measurements have been deleted");
  }
  return sure;
}

/** Rows and errors of all sets of a model on a device. */
function byModel(sets) {
  const models = Map.groupBy(sets, ({ group }) => group.model);
  const names = [...new Set(sets.map(({ group }) => group.device))].toSorted();
  return table(
    "Model by device: rows, and the median error of predictions, before and after",
    [
      { title: "Model", text: ([model]) => model, className: "words" },
      ...names.map((device) => ({ title: device, text: ([, own]) => cell(own.filter(({ group }) => group.device === device)), className: "words" })),
    ],
    [...models],
  );
}

function cell(sets) {
  if (sets.length === 0) {
    return "–";
  }
  const rows = sets.reduce((sum, { number_of_rows: some }) => sum + some, 0);
  return [counted(rows, "row"), ERRORS.map(([member, name]) => element("small", { class: "ends" }, change(sets, member, name)))];
}

/** The errors of sets before and, where there are any, after what they taught: "TPOT 3.1 to 9.1 % → 2.2 %". */
function change(sets, member, name) {
  const [before, after] = ["errors", "errors_learnt"].map((kind) => spread(sets.map((set) => set[kind]?.[member])));
  return before && [`${name} ${before}`, after].filter(Boolean).join(" → ");
}

/** From the smallest to the largest; empty where there is none. */
function spread(errors) {
  const known = errors.filter((error) => error !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  if (known.length === 0) {
    return "";
  }
  return least === most ? percent(least) : `${decimals(least, 1)} to ${percent(most)}`;
}

/** Shows one set with its rows. */
export async function showMeasurementSet(view, signal, id) {
  fill(view, element("p", { class: "loading" }, "Loading…"));
  try {
    const set = await measurementSet(id, signal);
    const { group } = set;
    document.title = `${group.model} measured on ${group.device} – throughput-optimizer`;
    const removed = async () => {
      if (await removal(set)) {
        location.hash = "/measurements";
      }
    };
    fill(
      view,
      element(
        "header",
        { class: "job-heading" },
        element("h1", { tabindex: "-1" }, `${group.model} on ${group.device}, measured`),
        element("p", { class: "lead" }, `${group.engine} ${group.version}, ${group.quantization}, KV cache ${group.kv_cache_dtype}, taken ${moment(set.created_at)} from ${set.source}`),
      ),
      element(
        "div",
        { class: "actions" },
        element("a", { class: "button", href: "#/measurements" }, "All measurements"),
        element("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", on: { click: removed } }, "Delete…"),
      ),
      element("p", {}, errorsOf(set)),
      !set.learnt_from && element("p", { class: "notice" }, `No plan learns from these rows: ${set.not_learnt_from}.`),
      comparison(set),
    );
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    fill(view, element("h1", {}, "No such measurements"), element("p", { class: "notice" }, error.message, " ", element("a", { href: "#/measurements" }, "All measurements")));
  }
}
