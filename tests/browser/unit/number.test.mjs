import assert from "node:assert/strict";
import { test } from "node:test";
import { meets, readNumber } from "../../../site-build/browser/lib/number.js";

for (const [text, values, unit] of [
  ["112", [112], ""],
  [" 112 ", [112], ""],
  ["112 slots", [112], "slots"],
  ["112slots", [112], "slots"],
  ["3.5", [3.5], ""],
  ["3,5", [3.5], ""],
  [".5", [0.5], ""],
  ["1,024", [1.024, 1024], ""],
  ["1.024 tokens", [1.024, 1024], "tokens"],
  ["1,048,576", [1048576], ""],
  ["1.048.576,5", [1048576.5], ""],
  ["1,048,576.5", [1048576.5], ""],
  ["1 024", [1024], ""],
  ["1\u202f024", [1024], ""],
  ["1_024", [1024], ""],
  ["1'024", [1024], ""],
  ["\u22124", [-4], ""],
  ["+4", [4], ""],
  ["= 4", [4], ""],
  ["≈4", [4], ""],
  ["12 %", [12], "%"],
  ["12%", [12], "%"],
  ["2e3", [2000], ""],
  ["2 experts", [2], "experts"],
  ["4.", [4], ""],
]) {
  test(`"${text}" means ${values.join(" or ")} ${unit}`, () => {
    assert.deepEqual(readNumber(text), { values, unit });
  });
}

for (const text of ["", "  ", "abc", "two", "1,2,3", "1.2.3", "12 of 16", "1/2", "--3", "Infinity", "NaN", "0x10 1"]) {
  test(`"${text}" is no number`, () => {
    assert.equal(readNumber(text), null);
  });
}

test("a number meets a target within its tolerance, and a rounding error is none", () => {
  assert.equal(meets([0.1 + 0.2], { value: 0.3, tolerance: 0 }), true);
  assert.equal(meets([112], { value: 113, tolerance: 0 }), false);
  assert.equal(meets([112], { value: 113, tolerance: 1 }), true);
  assert.equal(meets([1.024, 1024], { value: 1024, tolerance: 0 }), true);
  assert.equal(meets([], { value: 0, tolerance: 1 }), false);
});
