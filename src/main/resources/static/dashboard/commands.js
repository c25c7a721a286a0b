import { autoscaling, autoscalingUnstored, launch, launchEngines, launchUnstored, manifests } from "./api.js";
import { copyLater, element } from "./dom.js";
import { t } from "./language.js";

/** The commands of a job's rows: which engines start a row, and what one of them is told. */
export function commandsOfJob(id, signal) {
  return {
    engines: (place) => launchEngines(id, place, signal),
    script: (asked) => (asked.format ? manifests : launch)(id, asked, signal),
    autoscaling: (asked) => autoscaling(id, asked, signal),
    ofJob: true,
  };
}

/**
 * The same of a result that is not stored. Those of its best row came with it; for others the question is asked again.
 *
 * @param {Object} request the question
 * @param {Object} best what starts the best row: its engine, its script, and all engines
 * @param {string} [leader] the kind of device that the best row is of
 */
export function commandsOfAnswer(request, best, leader, signal) {
  const isThere = ({ engine, rank, device, benchmark }) =>
    !benchmark && Number(rank) === 1 && engine === best.engine && (leader === undefined || device === leader);
  return {
    engines: async () => best,
    script: async (asked) => (isThere(asked) ? best.script : launchUnstored(request, asked, signal)),
    autoscaling: (asked) => autoscalingUnstored(request, asked, signal),
  };
}

/** The engine to start with: the one of the plan, unless it cannot start the row. */
export function firstAble(engines) {
  const able = engines.filter(({ refusal }) => !refusal);
  return able.find(({ chosen }) => chosen) ?? able[0];
}

/** What starts a row on the engine to start with. */
export async function scriptOf(commands, place) {
  const { engines } = await commands.engines(place);
  const engine = firstAble(engines)?.engine ?? engines[0].engine;
  return commands.script({ engine, ...place, benchmark: false });
}

/** Copies the commands of one row, for the engine to start with. */
export function commandButton(commands, place) {
  const script = () => scriptOf(commands, place);
  return element(
    "button",
    { type: "button", class: "quiet command", title: t("commands.copy_launch_commands_this"), on: { click: ({ target }) => copyLater(script, target) } },
    t("common.copy"),
    element("span", { class: "visually-hidden" }, ` ${t("commands.commands_of_plan", { 1: place.rank })}`),
  );
}

/** A column of such buttons. */
export function commandColumn(commands, deviceOf) {
  return {
    title: t("commands.command"),
    text: (row, index) => commandButton(commands, { rank: index + 1, device: deviceOf(index + 1) }),
    className: "action",
  };
}
