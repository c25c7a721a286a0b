import { element } from "./dom.js";
import { plain } from "./format.js";
import { t } from "./language.js";
import { shape } from "./svg.js";

const STEP = 10;
const HEIGHT = 48;

/**
 * A bar for each hour of a day, in two parts.
 *
 * @param {string} name what the bars are of
 * @param {{lower: number, upper: number}[]} hours from midnight on
 * @param {{lower: string, upper: string}} parts what each part is called
 */
export function hourBars(name, hours, parts) {
  const most = Math.max(...hours.map(({ lower, upper }) => lower + upper), 0);
  const picture = shape("svg", {
    viewBox: `0 0 ${STEP * hours.length} ${HEIGHT}`,
    role: "img",
    preserveAspectRatio: "none",
    "aria-label": t("hourbars.by_hour", { a: name, b: parts.lower, c: range(hours.map(({ lower }) => lower)), d: parts.upper, e: range(hours.map(({ upper }) => upper)) }),
  });
  hours.forEach(({ lower, upper }, hour) => {
    const title = `${hour}:00, ${parts.lower} ${plain(lower)}, ${parts.upper} ${plain(upper)}`;
    picture.append(part(hour, 0, lower, most, "lower", title), part(hour, lower, upper, most, "upper", title));
  });
  return element(
    "figure",
    { class: "hour-bars" },
    element("figcaption", {}, name, element("small", {}, ` ${t("common.up_to", { 1: plain(most) })}`)),
    picture,
    element("p", { class: "axis", "aria-hidden": "true" }, element("span", {}, "0:00"), element("span", {}, "12:00"), element("span", {}, "24:00")),
  );
}

function part(hour, from, size, most, className, words) {
  const height = most > 0 ? (size / most) * HEIGHT : 0;
  const base = most > 0 ? (from / most) * HEIGHT : 0;
  const title = shape("title", {});
  title.textContent = words;
  return shape("rect", { class: className, x: STEP * hour + 0.5, y: HEIGHT - base - height, width: STEP - 1, height }, title);
}

function range(figures) {
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  return least === most ? plain(least) : t("common.to_count", { 1: plain(least), 2: plain(most) });
}
