import { measurementSet, measurements, removeMeasurements } from "./api.js";
import { comparison, errorsOf } from "./compared.js";
import { deleteButton } from "./confirm.js";
import { announce, element, entitle, fill } from "./dom.js";
import { decimals, moment, percent, plain, whole } from "./format.js";
import { t } from "./language.js";
import { PagedList } from "./pagedlist.js";
import { table } from "./table.js";

const PAGE = 100;
const REMOVAL = {
  title: t("measurements.delete_these_measurements"),
  consequences: t("measurements.permanently_deletes_rows_new"),
  action: t("common.delete_now"),
};
const ERRORS = [
  ["tpot_percent", "TPOT"],
  ["ttft_percent", "TTFT"],
];

/** Shows what a team has measured: model by device, and every set. */
export async function showMeasurements(view, signal) {
  const list = new SetList(signal, "measurements", t("measurements.older_measurements"));
  fill(view, element("h1", {}, t("common.measurements")), element("p", { class: "lead" }, t("measurements.benchmark_results_your_servers")), list.body, list.more);
  await list.load();
}

class SetList extends PagedList {
  page(cursor) {
    return measurements({ limit: PAGE, cursor }, this.signal);
  }

  content() {
    return this.shown.length === 0
      ? element("p", { class: "notice" }, `${t("measurements.no_measurements_yet_upload")} `, element("a", { href: "#/jobs" }, t("measurements.your_jobs")), ".")
      : [byModel(this.shown), this.list()];
  }

  list() {
    return table(
      t("measurements.measurement_sets_newest_first"),
      [
        { title: t("measurements.date"), text: (set) => element("a", { href: `#/measurements/${set.id}` }, moment(set.created_at)), className: "words" },
        { title: t("common.model"), text: ({ group }) => group.model, className: "words" },
        { title: t("common.device"), text: ({ group }) => group.device, className: "words" },
        { title: t("common.engine"), text: ({ group }) => `${group.engine} ${group.version}`, className: "words" },
        { title: t("measurements.rows"), text: ({ number_of_rows: rows }) => whole(rows) },
        ...ERRORS.flatMap(([member, name]) => [
          { title: t("measurements.median_error_before", { a: name }), text: ({ errors }) => errorCell(errors, member) },
          { title: t("common.after"), text: ({ errors_learnt: errors }) => errorCell(errors, member) },
        ]),
        { title: t("measurements.usable_for_calibration"), text: ({ learnt_from: learnt }) => (learnt ? t("common.yes") : t("common.no")), className: "words" },
        { title: t("common.delete_now"), text: (set) => this.deletion(set), className: "words" },
      ],
      this.shown,
    );
  }

  deletion(set) {
    const gone = () => {
      this.shown = this.shown.filter(({ id }) => id !== set.id);
      this.show();
    };
    return removal(set, gone, { "aria-label": t("measurements.delete_measurements_of", { a: moment(set.created_at) }) });
  }
}

function errorCell(errors, member) {
  return errors?.[member] === undefined ? "–" : percent(errors[member]);
}

function removal({ id }, gone, attributes) {
  const act = async () => {
    await removeMeasurements(id);
    announce(t("measurements.measurements_deleted"));
    gone();
  };
  return deleteButton(REMOVAL, act, attributes);
}

/** Rows and errors of all sets of a model on a device. */
function byModel(sets) {
  const models = Map.groupBy(sets, ({ group }) => group.model);
  const names = [...new Set(sets.map(({ group }) => group.device))].toSorted();
  return table(
    t("measurements.models_by_device_rows"),
    [
      { title: t("common.model"), text: ([model]) => model, className: "words" },
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
  return [t("common.rows", { 1: plain(rows) }), ERRORS.map(([member, name]) => element("small", { class: "ends" }, change(sets, member, name)))];
}

/** The errors of sets before and, where there are any, after what they taught: "TPOT 3.1 to 9.1% → 2.2%". */
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
  return least === most ? percent(least) : t("common.to_count", { 1: decimals(least, 1), 2: percent(most) });
}

export async function showMeasurementSet(view, signal, id) {
  const set = await measurementSet(id, signal);
  const { group } = set;
  const title = t("measurements.on_measured", { a: group.model, b: group.device });
  entitle(title);
  fill(
    view,
    element(
      "header",
      { class: "job-heading" },
      element("h1", { tabindex: "-1" }, title),
      element("p", { class: "lead" }, t("measurements.about_set", { a: `${group.engine} ${group.version}, ${group.quantization}`, b: group.kv_cache_dtype, c: moment(set.created_at), d: set.source })),
    ),
    element(
      "div",
      { class: "actions" },
      element("a", { class: "button", href: "#/measurements" }, t("measurements.all_measurements")),
      removal(set, () => (location.hash = "/measurements")),
    ),
    element("p", {}, errorsOf(set)),
    !set.learnt_from && element("p", { class: "notice" }, t("common.not_usable_for_calibration", { A: set.not_learnt_from })),
    element("h2", { class: "visually-hidden" }, t("compared.measured_and_predicted_one")),
    comparison(set, signal),
  );
}
