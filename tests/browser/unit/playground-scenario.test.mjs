import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, scenarioOf, stateOfIncident } from "../../../site-build/browser/lib/playground/scenario.js";
import { startState } from "../../../site-build/browser/lib/playground/state.js";

/** @param {Record<string, any>} values @param {object} [more] */
const state = (values, more = {}) => ({ ...startState(), values: { ...startState().values, ...values }, ...more });
const incident = { name: "big", settings: { num_blocks: 1301, max_model_len: 20_000, max_num_seqs: 64 }, arrivals: [{ at: 0 }], admission: "skip_ahead" };

test("a scenario has all of the fields, and no setting that is none", () => {
  const { settings, traffic, name } = scenarioOf(startState(), null);
  assert.equal(name, "playground");
  assert.equal(settings.num_blocks, 4001);
  assert.ok(!("max_num_active_seqs" in settings));
  assert.equal(traffic.rate, 20);
  assert.ok(!("rate" in settings) && !("num_blocks" in traffic));
});

test("an incident keeps its requests, and a file's are on the desk", () => {
  const found = stateOfIncident(startState(), "big", incident);
  assert.equal(found.incident, "big");
  assert.equal(found.values.num_blocks, 1301);
  assert.equal(found.values.watermark, 0);
  const scenario = scenarioOf({ ...found, values: { ...found.values, policy: "fair" } }, incident);
  assert.deepEqual(scenario.arrivals, incident.arrivals);
  assert.equal(scenario.admission, "skip_ahead");
  assert.equal(scenario.settings.policy, "fair");
  assert.deepEqual(Object.keys(scenarioOf(state({}, { file: "a.csv" }), null)), ["name", "settings"]);
});

test("an incident with traffic fills the fields and is then like any other state", () => {
  const found = stateOfIncident(startState(), "overload", { settings: { num_blocks: 9, max_model_len: 8 }, traffic: { rate: 24.8, num_requests: 600 } });
  assert.equal(found.incident, "");
  assert.equal(found.values.rate, 24.8);
  // What a scenario leaves out has the engine's default, and not the playground's.
  assert.equal(found.values.length_cv, 0);
});

test("a command has what differs from the command line's defaults", () => {
  assert.equal(
    commandOf(state({ arrivals: "gamma", burstiness: 0.5, isolate: true, enable_prefix_caching: false, watermark: 0.01, policy: "fair", max_num_active_seqs: 4 }), null),
    "python -m engine simulate --rate 20 --arrivals gamma --burstiness 0.5 --length-cv 0.5 --isolate --num-blocks 4001 " +
      "--policy fair --no-prefix-caching --max-model-len 8192 --set max_num_active_seqs=4 --set watermark=0.01",
  );
});

test("a command names an incident's file, or the student's, so that a shell takes it", () => {
  const found = stateOfIncident(startState(), "big", incident);
  assert.equal(commandOf(found, incident), "python -m engine simulate --scenario docs/incidents/big.json");
  const changed = { ...found, values: { ...found.values, max_num_seqs: 8 } };
  assert.equal(commandOf(changed, incident), "python -m engine simulate --scenario docs/incidents/big.json --set max_num_seqs=8");
  assert.match(commandOf(state({}, { file: "it's mine; rm *.csv" }), null), /--workload 'it'\\''s mine; rm \*\.csv' --num-blocks 4001/);
  assert.equal(commandOf(state({}, { file: "a.csv" }), null, "playground.scenario.json"), "python -m engine simulate --scenario playground.scenario.json");
});
