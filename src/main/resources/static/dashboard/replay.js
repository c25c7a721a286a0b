import { t } from "./language.js";

/** What simulations can replay of the trace that was read last; nothing where it has too many requests. */
let kept;

/** @param {Object} requests as the service answers them; none where they cannot be replayed */
export function keepForReplay(name, requests) {
  kept = requests && { name, requests };
}

/** Loads that replay the trace that was read last, as simulations offer them. */
export function replays() {
  if (!kept) {
    return [];
  }
  const { name, requests } = kept;
  const { sent_ms: times, ...lengths } = requests;
  return [
    times && { member: "replay", name: t("replay.requests_at_their_timestamps", { A: name }), requests },
    { member: "concurrency", name: t("replay.requests_at_fixed_concurrency", { A: name }), requests: lengths },
  ].filter(Boolean);
}
