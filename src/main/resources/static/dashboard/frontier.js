import { decimals, plain } from "./format.js";
import { t } from "./language.js";
import { shape, text, ticks } from "./svg.js";

const WIDTH = 420;
const HEIGHT = 280;
const LEFT = 64;
const BOTTOM = 44;
const TOP = 20;
const RIGHT = 12;

const TITLES = { tokens_per_s_per_user: t("frontier.tokens_s_per_user"), ttft_ms: t("common.ttft_ms") };

/** Tokens per second and device of each point against what a user sees; those within the limits are filled. */
export function frontierPicture(points, member) {
  const most = (figure) => Math.max(...points.map((point) => point[figure] ?? 0)) || 1;
  const [right, top] = [most(member), most("tokens_per_s_per_device")];
  const x = (value) => LEFT + (value / right) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const kept = points.filter(({ within_slo: within }) => within).length;
  const words =
    `${t("frontier.pareto_frontier_points_within", { 1: points.length, 2: kept, 3: decimals(top, 1) })} ` +
    t("frontier.up_to", { a: TITLES[member], 1: decimals(right, 1) });
  const picture = shape("svg", { class: "frontier", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words });
  ticks(top).forEach((value) =>
    picture.append(
      shape("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      text(LEFT - 6, y(value) + 4, "end", plain(value)),
    ),
  );
  ticks(right).forEach((value) => picture.append(text(x(value), HEIGHT - BOTTOM + 16, "middle", plain(value))));
  points
    .filter((point) => point[member] !== undefined)
    .forEach((point) =>
      picture.append(
        shape("circle", {
          class: point.within_slo ? "within" : "beyond",
          cx: x(point[member]),
          cy: y(point.tokens_per_s_per_device),
          r: 3,
        }),
      ),
    );
  picture.append(text(LEFT, 12, "start", t("common.tokens_s_per_device")), text((WIDTH + LEFT) / 2, HEIGHT - 6, "middle", TITLES[member]));
  return picture;
}
