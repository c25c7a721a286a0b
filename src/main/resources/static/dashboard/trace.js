import { distributionOf, ProblemError } from "./api.js";
import { announce, byId, element, fill } from "./dom.js";
import { takesFiles } from "./dropzone.js";
import { decimals, percent, plain, whole } from "./format.js";
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

/** Takes traces that are dropped or chosen; `read` is told what the service makes of one. */
export function connectTrace(read) {
  const zone = byId("trace-drop");
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
    announce("The trace is read");
    try {
      const trace = await distributionOf(file, { bins: byId("trace-bins").value, equal: byId("trace-equal").value, requests: true, ...columns }, signal);
      keepForReplay(file.name, trace.recorded_requests);
      fill(byId("trace-figures"), drawing(trace), figures(trace), arrivalsOf(trace), reuseOf(trace));
      announce(`${plain(trace.requests)} requests read`);
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
    send();
  };
  const take = (chosen) => {
    if (chosen) {
      file = chosen;
      fill(byId("trace-columns"));
      useColumns({});
    }
  };

  takesFiles(zone, chooser, ([first]) => take(first));
  [byId("trace-bins"), byId("trace-equal")].forEach((control) => control.addEventListener("change", () => file && send()));
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
    element("span", { class: "series-1" }, "● input"),
    element("span", { class: "series-2" }, "● output"),
    element("span", {}, "tokens; line: the bins, dots: the trace"),
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
  return `Share of the requests up to each length. Half have up to ${plain(quantile(input, 0.5))} tokens in and ${plain(quantile(output, 0.5))} out, 99 % up to ${plain(quantile(input, 0.99))} in and ${plain(quantile(output, 0.99))} out.`;
}

function quantile({ quantiles }, wanted) {
  return quantiles.find(({ share }) => share === wanted).tokens;
}

function figures({ requests, input, output }) {
  const rows = [
    ...SHOWN_SHARES.map((share) => [`p${100 * share}`, ...[input, output].map((lengths) => whole(quantile(lengths, share)))]),
    ["longest", whole(input.longest), whole(output.longest)],
    ["mean", ...[input, output].map(({ mean }) => lost(mean))],
    ["mean square", ...[input, output].map(({ second_moment: second }) => lost(second))],
  ];
  return element(
    "table",
    { class: "trace-table" },
    element("caption", {}, `${plain(requests)} requests; in brackets what the bins change`),
    element("thead", {}, element("tr", {}, ["Tokens", "Input", "Output"].map((title) => element("th", { scope: "col" }, title)))),
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
  const rates = [`${decimals(arrivals.requests_per_s, 2)} requests a second over ${duration(arrivals.span_seconds)}`];
  if (arrivals.peak_hour_requests_per_s) {
    rates.push(`${decimals(arrivals.peak_hour_requests_per_s, 2)} in the busiest hour`);
  }
  if (arrivals.busiest_minute_requests) {
    rates.push(`${plain(arrivals.busiest_minute_requests)} in the busiest minute`);
  }
  const dispersion = Math.max(arrivals.dispersion_of_seconds ?? 0, arrivals.dispersion_of_minutes ?? 0);
  const bursts =
    dispersion > BURSTS
      ? ` They come in bursts: counts vary ${decimals(dispersion, 1)} times as much as those of independent requests, so a plan for the mean rate is too hopeful.`
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
      ? `A prefix cache that never forgets finds ${decimals(100 * cache.highest_hit_rate, 1)} % of the input; one of ${plain(enough.cache_tokens)} tokens ${decimals(100 * enough.hit_rate, 1)} %.`
      : "No prompt begins as one before it: a prefix cache finds nothing.",
  );
}

function duration(seconds) {
  if (seconds < 120) {
    return `${decimals(seconds, 0)} s`;
  }
  return seconds < 7200 ? `${decimals(seconds / 60, 0)} min` : `${decimals(seconds / 3600, 1)} h`;
}

function lost({ before, loss }) {
  return `${decimals(before, 0)} (${loss > 0 ? "+" : ""}${decimals(100 * loss, 2)} %)`;
}
