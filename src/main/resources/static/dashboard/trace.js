import { distributionOf, ProblemError } from "./api.js";
import { announce, byId, element, fill } from "./dom.js";
import { decimals, percent, plain, whole } from "./format.js";
import { t } from "./language.js";
import { keepForReplay } from "./replay.js";
import { shape, text } from "./svg.js";
import { chooseColumns } from "./tracecolumns.js";

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 40;
const BOTTOM = 22;
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
    try {
      const trace = await distributionOf(file, { bins: byId("trace-bins").value, binning: byId("trace-equal").value, requests: true, ...columns }, signal);
      keepForReplay(file.name, trace.recorded_requests);
      fill(byId("trace-figures"), drawing(trace), figures(trace), arrivalsOf(trace), reuseOf(trace));
      announce(t("trace.requests_read", { 1: plain(trace.requests) }));
      read(trace);
    } catch (error) {
      if (!(error instanceof ProblemError)) {
        if (error.name === "AbortError") {
          return;
        }
        throw error;
      }
      fill(byId("trace-figures"));
      const message = error.problem.errors?.[0]?.message ?? error.message;
      const asks = message.includes("input_column") && (await chooseColumns(byId("trace-columns"), file, useColumns));
      showError(asks ? "" : `${file.name}: ${message}`);
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
function drawing({ input, output }) {
  const longest = Math.max(input.longest, output.longest, 10);
  const column = (tokens) => LEFT + (Math.log(Math.max(tokens, 1)) / Math.log(longest)) * (WIDTH - LEFT - 8);
  const row = (share) => 8 + (1 - share) * (HEIGHT - BOTTOM - 8);
  const picture = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": inWords(input, output) });
  for (const share of [0, 0.5, 1]) {
    picture.append(
      shape("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: row(share), y2: row(share) }),
      text(LEFT - 4, row(share) + 4, "end", percent(100 * share, 0)),
    );
  }
  for (let tokens = 1; tokens <= longest; tokens *= 10) {
    picture.append(text(column(tokens), HEIGHT - 6, "middle", plain(tokens)));
  }
  [input, output].forEach((lengths, series) => {
    picture.append(
      shape("polyline", { class: `series-${series + 1}`, points: cumulative(lengths).map(([tokens, share]) => `${column(tokens)},${row(share)}`).join(" ") }),
      ...lengths.quantiles.map(({ share, tokens }) => shape("circle", { class: `series-${series + 1}`, cx: column(tokens), cy: row(share), r: 3 })),
    );
  });
  return element("div", { class: "trace-picture" }, picture, legend());
}

function legend() {
  return element(
    "p",
    { class: "trace-legend", "aria-hidden": "true" },
    element("span", { class: "series-1" }, t("trace.input_mark")),
    element("span", { class: "series-2" }, t("trace.output_mark")),
    element("span", {}, t("trace.tokens_line_bins_dots")),
  );
}

function cumulative({ length_distribution: { bins } }) {
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

function inWords(input, output) {
  return t("trace.share_requests_up_each", { 1: plain(quantile(input, 0.5)), 2: plain(quantile(output, 0.5)), 3: plain(quantile(input, 0.99)), 4: plain(quantile(output, 0.99)) });
}

function quantile({ quantiles }, wanted) {
  return quantiles.find(({ share }) => share === wanted).tokens;
}

function figures({ requests, input, output }) {
  const rows = [
    ...SHOWN_SHARES.map((share) => [`p${100 * share}`, ...[input, output].map((lengths) => whole(quantile(lengths, share)))]),
    [t("trace.longest"), whole(input.longest), whole(output.longest)],
    [t("trace.mean"), ...[input, output].map(({ mean }) => lost(mean))],
    [t("trace.mean_square"), ...[input, output].map(({ second_moment: second }) => lost(second))],
  ];
  return element(
    "table",
    { class: "trace-table" },
    element("caption", {}, t("trace.requests_differences_bins_in", { 1: plain(requests) })),
    element("thead", {}, element("tr", {}, [t("trace.tokens"), t("trace.input"), t("trace.output")].map((title) => element("th", { scope: "col" }, title)))),
    element(
      "tbody",
      {},
      rows.map(([name, ...values]) => element("tr", {}, element("th", { scope: "row" }, name), values.map((value) => element("td", {}, value)))),
    ),
  );
}

/** When the requests came, in words; nothing where the trace does not say it. */
function arrivalsOf({ arrivals }) {
  if (!arrivals?.requests_per_s) {
    return [];
  }
  const rates = [t("trace.requests_s_over", { 1: decimals(arrivals.requests_per_s, 2), a: duration(arrivals.span_seconds) })];
  if (arrivals.peak_hour_requests_per_s) {
    rates.push(t("trace.in_the_peak_hour", { 1: decimals(arrivals.peak_hour_requests_per_s, 2) }));
  }
  if (arrivals.busiest_minute_requests) {
    rates.push(t("trace.in_the_peak_minute", { 1: plain(arrivals.busiest_minute_requests) }));
  }
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
