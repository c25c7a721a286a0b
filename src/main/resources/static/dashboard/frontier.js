import { decimals, plain } from "./format.js";
import { shape, text, ticks } from "./svg.js";

const WIDTH = 420;
const HEIGHT = 280;
const LEFT = 64;
const BOTTOM = 44;
const TOP = 20;
const RIGHT = 12;

const TITLES = { tokens_per_s_per_user: "Tokens/s a user", ttft_ms: "TTFT (ms)" };

/** Tokens per second and device of each point against what a user sees; those within the limits are filled. */
export function frontierPicture(points, member) {
  const most = (figure) => Math.max(...points.map((point) => point[figure] ?? 0)) || 1;
  const [right, top] = [most(member), most("tokens_per_s_per_device")];
  const x = (value) => LEFT + (value / right) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
  const kept = points.filter(({ within_slo: within }) => within).length;
  const words =
    `Frontier of ${points.length} points, ${kept} within the limits: up to ${decimals(top, 1)} tokens/s a device, ` +
    `${TITLES[member]} up to ${decimals(right, 1)}`;
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
  picture.append(text(LEFT, 12, "start", "Tokens/s a device"), text((WIDTH + LEFT) / 2, HEIGHT - 6, "middle", TITLES[member]));
  return picture;
}
