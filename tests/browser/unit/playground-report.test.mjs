import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, interval, rowsOf, sentence, shown } from "../../../site-build/browser/lib/playground/report.js";

const summary = (/** @type {number} */ value) => ({ n: 40, mean: value, p50: { value, low: value / 2, high: value * 2 }, p99: { value: value * 3, low: value, high: null } });
const report = {
  unit: "s",
  requests: { arrived: 40, finished: 38, timed_out: 0, rejected: 2, cancelled: 0, unfinished: 0 },
  ttft: summary(0.05), queue_time: summary(0.0004), tpot: summary(0.011), e2e: summary(1.5),
  throughput: { requests: 4.2, output_tokens: 1234.567 }, preemptions: 3, recomputed_tokens: 1200, hit_rate_tokens: 0.123456,
};
const row = (/** @type {string} */ label, /** @type {any} */ of = report) => /** @type {any} */ (rowsOf(of).find((one) => one.label === label));

test("each number comes with the requests that it is from, and its interval", () => {
  const first = row("First token, half within");
  assert.deepEqual([first.n, shown(first, first.value), interval(first)], [40, "50 ms", "25 ms to 100 ms"]);
  assert.equal(interval(row("First token, 99 % within")), "50 ms to ?");
  assert.equal(row("Rejected").value, 2);
  assert.equal(row("Timed out"), undefined);
});

test("a value is written in the unit in which it reads well", () => {
  assert.equal(shown({ kind: "time" }, 0.0004), "400 µs");
  assert.equal(shown({ kind: "time" }, 1234.5), "1,230 s");
  assert.equal(shown({ kind: "time" }, 0), "0 s");
  assert.equal(shown({ kind: "share" }, 0.123456), "12.3 %");
  assert.equal(shown({ kind: "rate" }, 1234.567), "1,230");
  assert.equal(shown({ kind: "count" }, 12_345), "12,345");
  assert.equal(shown({ kind: "time" }, null), "?");
});

test("a difference is told in words, never by a sign alone", () => {
  const base = row("First token, half within");
  const than = (/** @type {number} */ value) => difference(base, { ...base, value });
  assert.equal(than(0.05), "the same");
  assert.equal(than(0.04), "25 % longer");
  assert.equal(than(0.0625), "20 % shorter");
  assert.equal(than(0.01), "5 times as long");
  assert.equal(than(0.5), "10 times shorter");
  assert.equal(than(0), "50 ms longer");
  assert.equal(difference(base, undefined), "");
  const preemptions = row("Preemptions");
  assert.equal(difference(preemptions, { ...preemptions, value: 0 }), "3 more");
  const hits = row("Prompt tokens found in the cache");
  assert.equal(difference(hits, { ...hits, value: 0.5 }), "37.7 points less");
});

test("a run in words", () => {
  assert.equal(
    sentence(report),
    "Of 40 requests 38 were answered. Half of them saw their first token within 50 ms, and 99 in 100 within 150 ms. " +
      "Half had their whole answer within 1.5 s. 3 times a request lost its blocks, and 1,200 tokens were computed twice.",
  );
  assert.equal(sentence({ requests: { arrived: 2, finished: 2 }, unit: "step", ttft: { n: 0 } }), "Of 2 requests all were answered.");
});

test("a report of a recording without steps has no preemptions to tell", () => {
  const { preemptions, recomputed_tokens, hit_rate_tokens, ...recorded } = report;
  assert.ok(preemptions && recomputed_tokens && hit_rate_tokens);
  assert.ok(!rowsOf(recorded).some(({ label }) => /Preempt|twice|cache/.test(label)));
  assert.ok(!sentence(recorded).includes("lost its blocks"));
});
