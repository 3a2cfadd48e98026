import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_CHARACTERS, OutputBuffer } from "../../../site-build/browser/lib/output.js";

test("pieces of one stream that follow each other are joined, in order", () => {
  const buffer = new OutputBuffer();
  for (const [stream, text] of [["out", "a"], ["out", "b\n"], ["err", "!"], ["out", ""], ["out", "c"]]) buffer.add({ stream, text });
  assert.deepEqual(buffer.take(), [
    { stream: "out", text: "ab\n" },
    { stream: "err", text: "!" },
    { stream: "out", text: "c" },
  ]);
  assert.deepEqual(buffer.take(), []);
});

test("a flood is cut, once, and says so", () => {
  const buffer = new OutputBuffer();
  buffer.add({ stream: "out", text: "x".repeat(MOST_CHARACTERS - 1) });
  buffer.take();
  buffer.add({ stream: "out", text: "yz" });
  buffer.add({ stream: "out", text: "never" });
  assert.deepEqual(buffer.take(), [{ stream: "out", text: "y\n… There is more; only the beginning is shown." }]);
  assert.equal(buffer.cut, true);
});

test("output that just fits isn't cut", () => {
  const buffer = new OutputBuffer();
  buffer.add({ stream: "out", text: "x".repeat(MOST_CHARACTERS) });
  assert.equal(buffer.cut, false);
});
