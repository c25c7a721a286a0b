import { endsOf } from "./bands.js";
import { element } from "./dom.js";
import { decimals, plain, whole } from "./format.js";
import { t } from "./language.js";
import { shape, text, ticks } from "./svg.js";
import { table } from "./table.js";

const WIDTH = 640;
const LEFT = 56;
const RIGHT = 12;
const HEIGHT = 130;
const GAP = 60;

/** What a simulated deployment did over time: requests that run and wait, and throughput with the band of its mean. */
export function timeline(answer) {
  const parts = answer.timeline;
  const end = parts.at(-1).end_ms;
  const most = (member) => Math.max(...parts.map((part) => part[member]));
  const ends = endsOf(answer, "tokens_per_s");
  const words =
    `${t("timeline.timeline_s_up_requests", { 1: decimals(end / 1000, 0), 2: decimals(most("running"), 0) })} ` +
    t("timeline.waiting_up_tokens_s", { 1: decimals(most("waiting"), 0), 2: decimals(most("tokens_per_s"), 0) });
  const picture = shape("svg", { viewBox: `0 0 ${WIDTH} ${2 * (HEIGHT + GAP)}`, role: "img", "aria-label": words });
  const requests = plot(picture, 20, end, Math.max(most("running"), most("waiting")), t("common.requests"));
  picture.append(requests.path(parts, "running", "series-1"), requests.path(parts, "waiting", "series-2"));
  const rate = plot(picture, HEIGHT + GAP, end, Math.max(most("tokens_per_s"), ends?.high ?? 0), t("common.tokens_s"));
  if (ends) {
    picture.append(rate.span(ends.low ?? 0, ends.high));
  }
  picture.append(rate.level(answer.tokens_per_s), rate.path(parts, "tokens_per_s", "series-3"));
  picture.append(text((WIDTH + LEFT) / 2, 2 * (HEIGHT + GAP) - 4, "middle", t("timeline.time_s")));
  return element("div", { class: "timeline" }, element("div", { class: "timeline-picture", tabindex: "0", role: "region", "aria-label": t("timeline.timeline") }, picture), legend(ends), figures(parts));
}

/** The axes of one plot, and what draws into it. */
function plot(picture, top, end, largest, title) {
  const bottom = top + HEIGHT;
  const most = largest || 1;
  const x = (millis) => LEFT + (millis / end) * (WIDTH - LEFT - RIGHT);
  const y = (value) => bottom - (Math.min(value, most) / most) * (HEIGHT - 6);
  ticks(most).forEach((value) =>
    picture.append(
      shape("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      text(LEFT - 6, y(value) + 4, "end", plain(value)),
    ),
  );
  ticks(end / 1000).forEach((seconds) => picture.append(text(x(1000 * seconds), bottom + 16, "middle", plain(seconds))));
  picture.append(text(LEFT, top - 6, "start", title));
  return {
    path: (parts, member, className) => {
      const steps = parts.map((part, index) => `${index === 0 ? "M" : "L"}${x(part.start_ms)} ${y(part[member])}H${x(part.end_ms)}`);
      return shape("path", { class: className, d: steps.join("") });
    },
    span: (low, high = most) =>
      shape("rect", { class: "band", x: LEFT, width: WIDTH - LEFT - RIGHT, y: y(high), height: y(low) - y(high) }),
    level: (value) => shape("line", { class: "level", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
  };
}

function legend(ends) {
  const keys = [
    ["key series-1", t("timeline.running")],
    ["key series-2", t("timeline.waiting")],
    ["key series-3", t("common.tokens_s")],
    ["key level", t("common.mean")],
    ends && ["key band", t("timeline.interval_of_the_mean")],
  ];
  return element(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    keys.filter(Boolean).map(([className, name]) => element("li", {}, element("i", { class: className }), name)),
  );
}

/** The table is made when somebody opens it. */
function figures(parts) {
  const details = element("details", {}, element("summary", {}, t("timeline.timeline_data")));
  details.addEventListener(
    "toggle",
    () =>
      details.append(
        table(
          t("timeline.timeline_mean_each_interval"),
          [
            { title: t("timeline.from_s"), text: (part) => decimals(part.start_ms / 1000, 1) },
            { title: t("timeline.to_s"), text: (part) => decimals(part.end_ms / 1000, 1) },
            { title: t("timeline.running"), text: (part) => decimals(part.running, 1) },
            { title: t("timeline.waiting"), text: (part) => decimals(part.waiting, 1) },
            { title: t("common.tokens_s"), text: (part) => whole(part.tokens_per_s) },
          ],
          parts,
        ),
      ),
    { once: true },
  );
  return details;
}
