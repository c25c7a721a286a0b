import { call, eventsAt, json, patch } from "./api.js";
import { writeJson } from "./infinite.js";

/** Cells that one page of rows has at the most. */
const PAGE = 1000;

export function submitSweep(request) {
  return json("sweeps", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: writeJson(request),
  });
}

/** One page of sweeps, newest first. */
export function sweeps({ cursor, limit }, signal) {
  return json(`sweeps?${new URLSearchParams({ limit, ...(cursor && { cursor }) })}`, { signal });
}

export function sweep(id, signal) {
  return json(pathOf(id), { signal });
}

/** Ends a sweep unless it is finished; answers how it stands. */
export function cancelSweep(id) {
  return json(`${pathOf(id)}/cancel`, { method: "POST" });
}

/** Names a sweep, or takes its name away with an empty one. */
export function renameSweep(id, name) {
  return patch(pathOf(id), { name });
}

/** Removes a finished sweep with its rows. */
export function removeSweep(id) {
  return call(pathOf(id), { method: "DELETE" });
}

/** A stream of server-sent events about one sweep. */
export function sweepEvents(id) {
  return eventsAt(`${pathOf(id)}/events`);
}

/** A cell with the question that it asks. */
export function sweepCell(id, cell, signal) {
  return json(`${pathOf(id)}/cells/${cell}`, { signal });
}

/** Rows that ended so, as far as one page has them. */
export async function cellsThatEnded(id, outcome, signal) {
  return (await json(`${pathOf(id)}/cells?${new URLSearchParams({ outcome, limit: PAGE })}`, { signal })).cells;
}

/**
 * A figure over two axes.
 *
 * @param {{rows: string, columns: string, value: string, where: Object}} shown values of the other axes, by label
 */
export function sweepTable(id, shown, signal) {
  return json(`${pathOf(id)}/table?${queryOf(shown)}`, { headers: { Accept: "application/json" }, signal });
}

/** The rows in one of their media types. */
export async function sweepFile(id, mediaType) {
  const response = await call(`${pathOf(id)}/cells`, { headers: { Accept: mediaType } });
  return response.blob();
}

function queryOf({ rows, columns, value, where }) {
  const query = new URLSearchParams({ rows, metric: value });
  if (columns) {
    query.set("columns", columns);
  }
  Object.entries(where).forEach(([label, text]) => query.append("filter", `${label}=${text}`));
  return query;
}

function pathOf(id) {
  return `sweeps/${encodeURIComponent(id)}`;
}
