import assert from "node:assert/strict";
import { test } from "node:test";
import { numberInWords } from "../../main/resources/static/dashboard/numberwords.js";

const COUNTS = {
  3500: 3500,
  "3,500": 3500,
  "1,234,567": 1234567,
  "3 500": 3500,
  "3'500": 3500,
  "1,234.5": 1234.5,
  "4k": 4000,
  "1.5K": 1500,
  "1,5 k": 1500,
  "2M": 2e6,
  "29,5": 29.5,
  "0,050": 0.05,
  0.1: 0.1,
  ".5": 0.5,
  "1e3": 1000,
  "-1": -1,
  "29 %": 0.29,
  abc: undefined,
  "1,2,3": undefined,
  "4x": undefined,
  "2 s": undefined,
  "1.2.3": undefined,
  "": undefined,
};

const MILLISECONDS = { 500: 500, "500 ms": 500, "2 s": 2000, "0.05s": 50, "0,05 s": 50, "1 min": 60000, "4k": undefined, "20 %": undefined };

test("reads numbers as people write them", () => {
  Object.entries(COUNTS).forEach(([text, value]) => assert.equal(numberInWords(text), value, text));
  Object.entries(MILLISECONDS).forEach(([text, value]) => assert.equal(numberInWords(text, "ms"), value, text));
});
