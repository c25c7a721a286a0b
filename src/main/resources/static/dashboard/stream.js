import { events, job } from "./api.js";

const POLL_MILLIS = 1000;
const UNFINISHED = ["queued", "running"];

export function isFinished({ status }) {
  return !UNFINISHED.includes(status);
}

/**
 * Follows a job until it is finished, by server-sent events or, where the service or the way to it has none, by polling.
 *
 * @param {function} progressed is given what changes of the job: `status` and `progress`
 * @returns {Promise<Object>} the finished job, with its result
 */
export async function follow(id, signal, progressed) {
  if (!(await listen(id, signal, progressed))) {
    await poll(id, signal, progressed);
  }
  return job(id, signal);
}

/** Resolves to whether the stream told the end; false when there is no stream. */
function listen(id, signal, progressed) {
  return new Promise((resolve, reject) => {
    const source = events(id);
    const end = (settle, value) => {
      source.close();
      settle(value);
    };
    source.addEventListener("progress", (event) => progressed(JSON.parse(event.data)));
    source.addEventListener("finished", () => end(resolve, true));
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && end(resolve, false));
    signal.addEventListener("abort", () => end(reject, signal.reason));
  });
}

async function poll(id, signal, progressed) {
  for (let state = await job(id, signal); !isFinished(state); state = await job(id, signal)) {
    progressed(state);
    await pause(signal);
  }
}

function pause(signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, POLL_MILLIS);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
