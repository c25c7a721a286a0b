import { events, job, ProblemError } from "./api.js";
import { pause } from "./dom.js";

const RETRY_MILLIS = 3000;
const UNFINISHED = ["queued", "running"];

export function isFinished({ status }) {
  return !UNFINISHED.includes(status);
}

/** Where jobs tell how they stand. */
const OF_JOBS = { events, look: job };

/**
 * Follows a job until it is finished, by server-sent events. Where the browser does not take a broken stream up again by
 * itself, the job is asked for once, and a little later another stream.
 *
 * @param {function} progressed is given how the job stands, its `status` and `progress`, whenever that changes
 * @param {function} connected is given false when the stream breaks, and true once there is one again
 * @param {{events: function, look: function}} [source] where what is followed tells how it stands, if it is no job
 * @returns {Promise<Object>} the finished job, with its result
 */
export async function follow(id, signal, progressed, connected, source = OF_JOBS) {
  for (;;) {
    signal.throwIfAborted();
    await endOfStream(source.events(id), signal, progressed, connected);
    const state = await look(source, id, signal);
    if (state && isFinished(state)) {
      return state;
    }
    connected(false);
    await pause(RETRY_MILLIS, signal);
  }
}

/** Listens until the job is finished or the browser gives the stream up. */
function endOfStream(source, signal, progressed, connected) {
  return new Promise((resolve, reject) => {
    const left = () => end(reject, signal.reason);
    const end = (settle, reason) => {
      source.close();
      signal.removeEventListener("abort", left);
      settle(reason);
    };
    source.addEventListener("open", () => connected(true));
    source.addEventListener("progress", ({ data }) => progressed(JSON.parse(data)));
    source.addEventListener("finished", () => end(resolve));
    source.addEventListener("error", () => {
      connected(false);
      if (source.readyState === EventSource.CLOSED) {
        end(resolve);
      }
    });
    signal.addEventListener("abort", left);
  });
}

/** The job, or null while nobody can say. */
async function look(source, id, signal) {
  try {
    return await source.look(id, signal);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status === 404) {
      throw error;
    }
    return null;
  }
}
