import { answerOf, distributionOf, ProblemError } from "./api.js";
import { chartPanel } from "./chartpanel.js";
import { announce, byId, element, field, fill, select } from "./dom.js";
import { decimals, plain, whole } from "./format.js";
import { t } from "./language.js";
import { keepForReplay } from "./simulation.js";
import { table } from "./table.js";

/** Variance over mean of the requests of a minute or second, from which arrivals are called bursts. */
const BURSTS = 1.5;
/** Share of what the largest cache finds that is nearly all of it. */
const NEARLY = 0.9;
const SHOWN_SHARES = [0.5, 0.9, 0.99];

/** Takes chosen traces, and returns a function that takes others; `read` is told what the service makes of one. */
export function connectTrace(read) {
  const chooser = byId("trace-file");
  let file = null;
  let reading = null;
  /** As the file's owner has named them; none of a file whose names are known. */
  let columns = {};

  const send = async () => {
    reading?.abort();
    reading = new AbortController();
    const { signal } = reading;
    showError("");
    announce(t("trace.reading_the_trace"));
    const trace = await answerOf(distributionOf(file, { bins: byId("trace-bins").value, binning: byId("trace-equal").value, requests: true, ...columns }, signal));
    if (trace instanceof ProblemError) {
      fill(byId("trace-figures"));
      const message = trace.problem.errors?.[0]?.message ?? trace.message;
      const asks = message.includes("input_column") && (await chooseColumns(byId("trace-columns"), file, useColumns));
      showError(asks ? "" : `${file.name}: ${message}`);
    } else if (trace) {
      keepForReplay(file.name, trace.recorded_requests);
      fill(byId("trace-figures"), drawing(trace), figures(trace), arrivalsOf(trace), reuseOf(trace));
      announce(t("trace.requests_read", { 1: plain(trace.requests) }));
      read(trace);
    }
  };
  const useColumns = (chosen) => {
    columns = chosen;
    return send();
  };
  const take = (chosen) => {
    file = chosen;
    fill(byId("trace-columns"));
    return useColumns({});
  };

  chooser.addEventListener("change", () => chooser.files.length > 0 && take(chooser.files[0]));
  [byId("trace-bins"), byId("trace-equal")].forEach((control) => control.addEventListener("change", () => file && send()));
  return take;
}

function showError(message) {
  byId("trace-error").textContent = message;
  byId("trace-error").hidden = message === "";
}

/** Share of the requests up to each length, on a logarithmic axis: a line through the bins, and exact quantiles as dots. */
function drawing(trace) {
  const kinds = [
    [t("trace.input"), trace.input],
    [t("trace.output"), trace.output],
  ];
  const series = (label, points, look) => ({ label, ...look, points: points.filter(([x]) => x > 0).map(([x, y]) => ({ x, y: 100 * y, withinSlo: true })) });
  const axis = (label, log) => ({ name: label, label, log, limit: null });
  const chart = {
    title: t("trace.share_requests_up_each"),
    kind: t("trace.tokens"),
    note: t("trace.line_bins_dots"),
    x: axis(t("trace.tokens"), true),
    y: axis("%"),
    series: [
      ...kinds.map(([label, { length_distribution: { bins } }]) => series(label, cumulative(bins), { quiet: true })),
      ...kinds.map(([label, { quantiles }]) => series(`${label}, p`, quantiles.map(({ share, tokens }) => [tokens, share]), { scattered: true })),
    ],
  };
  return chartPanel(chart.title, [chart]);
}

function cumulative(bins) {
  const sum = bins.reduce((total, { weight }) => total + weight, 0);
  let below = 0;
  return bins.flatMap(({ min_tokens, max_tokens, weight }) => {
    const from = below;
    below += weight;
    return [
      [min_tokens, from / sum],
      [max_tokens, below / sum],
    ];
  });
}

function quantile({ quantiles }, wanted) {
  return quantiles.find(({ share }) => share === wanted).tokens;
}

function figures({ requests, input, output }) {
  const row = (name, text) => ({ name, input: text(input), output: text(output) });
  const rows = [
    ...SHOWN_SHARES.map((share) => row(`p${100 * share}`, (lengths) => whole(quantile(lengths, share)))),
    row(t("trace.longest"), ({ longest }) => whole(longest)),
    row(t("trace.mean"), ({ mean }) => lost(mean)),
    row(t("trace.mean_square"), ({ second_moment: second }) => lost(second)),
  ];
  const columns = [
    { title: t("trace.tokens"), text: ({ name }) => name, className: "words" },
    { title: t("trace.input"), text: (one) => one.input },
    { title: t("trace.output"), text: (one) => one.output },
  ];
  return table(t("trace.requests_differences_bins_in", { 1: plain(requests) }), columns, rows);
}

/** When the requests came, in words; nothing where the trace does not say it. */
function arrivalsOf({ arrivals }) {
  if (!arrivals?.requests_per_s) {
    return [];
  }
  const { peak_hour_requests_per_s: hour, busiest_minute_requests: minute } = arrivals;
  const rates = [
    t("trace.requests_s_over", { 1: decimals(arrivals.requests_per_s, 2), a: duration(arrivals.span_seconds) }),
    hour && t("trace.in_the_peak_hour", { 1: decimals(hour, 2) }),
    minute && t("trace.in_the_peak_minute", { 1: plain(minute) }),
  ].filter(Boolean);
  const dispersion = Math.max(arrivals.dispersion_of_seconds ?? 0, arrivals.dispersion_of_minutes ?? 0);
  const bursts =
    dispersion > BURSTS
      ? ` ${t("trace.arrivals_bursty_counts_vary", { 1: decimals(dispersion, 1) })}`
      : "";
  return element("p", { class: "trace-arrivals" }, `${rates.join(", ")}.${bursts}`);
}

/** What a prefix cache would find of the prompts, in words; nothing where they do not name their blocks. */
function reuseOf({ prefix_cache: cache }) {
  if (!cache) {
    return [];
  }
  const enough = cache.curve.find(({ hit_rate: rate }) => rate >= NEARLY * cache.highest_hit_rate);
  return element(
    "p",
    { class: "trace-reuse" },
    cache.highest_hit_rate > 0
      ? t("trace.unlimited_prefix_cache_hits", { 1: decimals(100 * cache.highest_hit_rate, 1), 2: plain(enough.cache_tokens), 3: decimals(100 * enough.hit_rate, 1) })
      : t("trace.no_prompt_shares_prefix"),
  );
}

function duration(seconds) {
  if (seconds < 120) {
    return `${decimals(seconds, 0)} s`;
  }
  return seconds < 7200 ? t("trace.min", { 1: decimals(seconds / 60, 0) }) : `${decimals(seconds / 3600, 1)} h`;
}

function lost({ before, loss }) {
  return `${decimals(before, 0)} (${loss > 0 ? "+" : ""}${decimals(100 * loss, 2)}%)`;
}

/** Bytes of a file that are looked at, and its rows that are shown. */
const SAMPLE_BYTES = 1 << 16;
const SHOWN_ROWS = 5;
const GZIP = [0x1f, 0x8b];
const DELIMITERS = [",", ";", "\t"];
const CHOICES = [
  { member: "input_column", label: t("common.input_tokens") },
  { member: "output_column", label: t("common.output_tokens") },
  { member: "timestamp_column", label: t("tracecolumns.timestamps"), none: t("common.none") },
];

/**
 * Lets people say which columns of a file hold lengths, where the service does not know their names.
 *
 * @param {(columns: Object) => void} use is told the columns as the service takes them
 * @returns {Promise<boolean>} whether there is a choice: not of a file without names
 */
async function chooseColumns(place, file, use) {
  const { names, rows } = sampleOf(await beginning(file));
  if (names.length < 2) {
    return false;
  }
  const selects = CHOICES.map(({ label, none }, index) => selectOf(names, label, none, index));
  const columns = () =>
    Object.fromEntries(CHOICES.map(({ member }, index) => [member, selects[index].control.value]).filter(([, name]) => name !== ""));
  fill(
    place,
    element("p", {}, t("tracecolumns.no_known_column_names")),
    table(t("tracecolumns.first_rows_of", { A: file.name }), names.map((name) => ({ title: name, text: (row) => row[name] ?? "" })), rows),
    element("div", { class: "row" }, selects.map(({ field }) => field)),
    element("p", {}, element("button", { type: "button", class: "quiet", on: { click: () => use(columns()) } }, t("tracecolumns.read_columns"))),
  );
  announce(t("tracecolumns.choose_columns_lengths"));
  return true;
}

function selectOf(names, label, none, index) {
  const control = select([...(none ? [["", none]] : []), ...names.map((name) => [name])]);
  control.selectedIndex = none ? 0 : Math.min(index, names.length - 1);
  return { control, field: field(label, control, { short: true }) };
}

/** The first lines of a file, unpacked. */
async function beginning(file) {
  const head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const packed = GZIP.every((byte, index) => head[index] === byte);
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let ended = false;
  while (!ended && text.length < SAMPLE_BYTES) {
    const { done, value } = await reader.read();
    ended = done;
    text += decoder.decode(value ?? new Uint8Array(), { stream: !done });
  }
  await reader.cancel();
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/).filter((line) => line.trim() !== "");
  return ended || lines.length < 2 ? lines : lines.slice(0, -1);
}

function sampleOf(lines) {
  const rows = lines[0]?.trimStart().startsWith("{") ? objectsOf(lines) : valuesOf(lines);
  return { names: [...new Set(rows.flatMap(Object.keys))], rows };
}

/** Lines of JSON: members that are numbers or texts, those of objects within by their path. */
function objectsOf(lines) {
  return lines.slice(0, SHOWN_ROWS).flatMap((line) => {
    try {
      return [Object.fromEntries(scalars(JSON.parse(line), ""))];
    } catch {
      return [];
    }
  });
}

function scalars(object, above) {
  return Object.entries(object).flatMap(([name, value]) => {
    if (typeof value === "object") {
      return value === null || Array.isArray(value) ? [] : scalars(value, `${above}${name}.`);
    }
    return [[above + name, shortened(value)]];
  });
}

function valuesOf([header = "", ...lines]) {
  const delimiter = DELIMITERS.reduce((best, one) => (header.split(one).length > header.split(best).length ? one : best));
  const names = cells(header, delimiter);
  const named = names.some((name) => name !== "" && Number.isNaN(Number(name)));
  return named
    ? lines.slice(0, SHOWN_ROWS).map((line) => Object.fromEntries(cells(line, delimiter).map((cell, index) => [names[index] ?? "", shortened(cell)])))
    : [];
}

/** Cells of a line, each perhaps in quotes. */
function cells(line, delimiter) {
  const found = [];
  let cell = "";
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') {
      quoted = !quoted;
    } else if (sign === delimiter && !quoted) {
      found.push(cell.trim());
      cell = "";
    } else {
      cell += sign;
    }
  }
  return [...found, cell.trim()];
}

function shortened(value) {
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
