import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import "./page.mjs";

const { CurlPanel } = await import("../../main/resources/static/dashboard/curl.js");

const REQUEST = { model_id: "it's \"$HOME\" `id` \\", limit: Infinity };

/** What a shell hands to curl. */
function argumentsOf(command) {
  return execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("writes a command that posts the question as a shell reads it", () => {
  const panel = new CurlPanel(REQUEST);
  const [flags, address, ...rest] = argumentsOf(panel.command.textContent);
  assert.deepEqual([flags, address], ["-sS", "http://localhost:8080/api/v1/optimizations?include=defaults"]);
  assert.deepEqual(rest.slice(0, -1), ["-H", "Content-Type: application/json", "-H", "Accept: text/plain", "-H", "Prefer: wait=60", "-d"]);
  assert.equal(rest.at(-1).replace("Infinity", "0"), JSON.stringify({ ...REQUEST, limit: 0 }, null, 2));
});

test("asks for the chosen format, and simulations without waiting", () => {
  const panel = new CurlPanel(REQUEST, "simulations");
  panel.format.selectedIndex = 2;
  panel.refresh();
  assert.deepEqual(argumentsOf(panel.command.textContent).slice(1, -2), ["http://localhost:8080/api/v1/simulations", "-H", "Content-Type: application/json", "-H", "Accept: text/csv"]);
  panel.show(undefined);
  assert.equal(panel.command.textContent, "");
});
