import { job } from "./api.js";

const POLL_MILLIS = 1000;
const UNFINISHED = ["queued", "running"];

export function isFinished({ status }) {
  return !UNFINISHED.includes(status);
}

/**
 * Follows a job until it is finished, by asking for it again and again.
 *
 * @param {function} progressed is given what changes of the job: `status` and `progress`
 * @returns {Promise<Object>} the finished job, with its result
 */
export async function follow(id, signal, progressed) {
  let state = await job(id, signal);
  while (!isFinished(state)) {
    progressed(state);
    await pause(signal);
    state = await job(id, signal);
  }
  return state;
}

function pause(signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, POLL_MILLIS);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
