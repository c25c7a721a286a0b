import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./page.mjs";

const words = JSON.parse(readFileSync("src/main/resources/static/dashboard/words/zh.json", "utf8"));
const { "common.jobs": removed, ...others } = words;

navigator.languages = ["zh-CN", "en"];
document.querySelectorAll = () => [];
globalThis.MutationObserver = class {
  observe() {}
};
globalThis.fetch = async () => ({ json: async () => others });

const { LANGUAGE, t } = await import("../../main/resources/static/dashboard/language.js");

test("looks phrases up in the language of the reader, else in English", () => {
  assert.equal(LANGUAGE, "zh");
  assert.equal(t("common.devices_count", { 1: "8" }), "8 个设备");
  assert.equal(t("common.jobs"), "Jobs");
  assert.equal(removed, "任务");
  assert.equal(t("no.such_key"), "no.such_key");
});

test("fills placeholders, with texts of the service in the same language", () => {
  assert.equal(t("common.batch_size_count", { a: "TP=2", 1: 64 }), "TP=2，批大小 64");
  assert.equal(t("assumptions.assumes", { A: "no prefix cache; all requests alike" }), "假设：无前缀缓存；所有请求相同。");
});
