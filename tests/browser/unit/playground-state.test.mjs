import assert from "node:assert/strict";
import { test } from "node:test";
import { BY_NAME, FIELDS } from "../../../site-build/browser/lib/playground/fields.js";
import { changes, fragmentOf, isAnchor, isSame, parse, startState, stateOf, withValue } from "../../../site-build/browser/lib/playground/state.js";

const INCIDENTS = ["head-of-line"];
/** @param {Record<string, any>} values @param {object} [more] */
const state = (values, more = {}) => ({ ...startState(), values: { ...startState().values, ...values }, ...more });

test("what is as it starts isn't in the link", () => {
  assert.equal(fragmentOf(startState()), "#v=1");
  assert.equal(fragmentOf(state({ rate: 3.5, policy: "fair" })), "#v=1&rate=3.5&policy=fair");
});

test("every field's value comes back from the link", () => {
  const others = { number: 0.25, whole: 7, flag: null, choice: null };
  for (const field of FIELDS) {
    const value = field.kind === "flag" ? !field.start : field.kind === "choice" ? field.choices?.at(-1)?.[0] : others[field.kind];
    const one = state({ [field.name]: value });
    assert.deepEqual(stateOf(fragmentOf(one), []), { state: one, problems: [] }, field.name);
  }
});

test("an incident and a file come back, and names that a link would break", () => {
  const one = state({}, { incident: "head-of-line" });
  assert.deepEqual(stateOf(fragmentOf(one), INCIDENTS).state, one);
  const file = state({}, { file: "my trace & more=#1.csv" });
  assert.deepEqual(stateOf(fragmentOf(file), INCIDENTS).state, file);
});

test("an anchor of the page is no state", () => {
  assert.deepEqual(stateOf("#what-it-is", []), { state: startState(), problems: [] });
  assert.deepEqual(["#what-it-is", "", "#", "#v=1", "#moment=a~step:1"].map(isAnchor), [true, false, false, false, false]);
  assert.deepEqual(stateOf("", []), { state: startState(), problems: [] });
});

test("what can't be taken is told and stays as it starts", () => {
  const { state: found, problems } = stateOf("#v=1&rate=fast&num_blocks=0&speed=3&policy=best&isolate=1&incident=none&seed=4", INCIDENTS);
  assert.ok(isSame(found, state({ seed: 4 })));
  assert.deepEqual(problems, [
    'rate is "fast"; give a number from 0.001 to 100,000. It is 20 now.',
    'num_blocks is "0"; give a whole number from 1 to 2,000,000. It is 4001 now.',
    '"speed" is nothing that the playground sets; it is left out.',
    `policy is "best"; give one of ${BY_NAME.get("policy")?.choices?.map(([name]) => name).join(", ")}. It is fcfs now.`,
    'isolate is "1"; give true or false. It is false now.',
    'incident is "none", and there is none of that name; it is left out.',
  ]);
});

test("a link of another version is told, whole", () => {
  const { state: found, problems } = stateOf(`#v=${"9".repeat(60)}&rate=3`, []);
  assert.ok(isSame(found, startState()));
  assert.equal(problems.length, 1);
  assert.ok(problems[0]?.length < 160);
});

test("any fragment gives a state that gives itself back", () => {
  const pieces = ["v=1", "rate=1e999", "rate=-0", "num_requests=1.5", "seed=%00", "watermark=0.5", "__proto__=1", "constructor=2", "%", "&&", "file=", "max_num_active_seqs=", "max_num_active_seqs=3"];
  for (let draw = 0; draw < 500; draw++) {
    const some = pieces.filter((_, index) => (draw * 2654435761 + index * 40503) % 7 < 3);
    const { state: found } = stateOf(`#v=1&${some.join("&")}`, INCIDENTS);
    assert.deepEqual(stateOf(fragmentOf(found), INCIDENTS).state, found);
    assert.deepEqual(Object.keys(found.values), FIELDS.map(({ name }) => name));
  }
});

test("a field takes what fits, and nothing else", () => {
  const field = (/** @type {string} */ name) => /** @type {any} */ (BY_NAME.get(name));
  assert.deepEqual(parse(field("num_blocks"), "4001"), { value: 4001 });
  assert.deepEqual(parse(field("num_blocks"), "1e3"), { value: 1000 });
  assert.deepEqual(parse(field("max_num_active_seqs"), " "), { value: null });
  for (const text of ["", " ", "1.5", "0", "-4", "NaN", "Infinity", "1,000", "9".repeat(30)]) assert.ok("wrong" in parse(field("num_blocks"), text), text);
});

test("what changed is said with both values", () => {
  assert.deepEqual(changes(startState(), startState()), []);
  assert.deepEqual(changes(startState(), state({ rate: 1200, isolate: true, max_num_active_seqs: 3 })), [
    "Arrival rate: 20 → 1,200",
    "A cache salt for each tenant: off → on",
    "Fewer slots than that: none → 3",
  ]);
  assert.deepEqual(changes(startState(), state({}, { file: "a.csv" })), ["Requests: drawn from the seed → a.csv"]);
});

test("a burstiness asks for arrivals in bursts", () => {
  assert.equal(withValue(startState(), "burstiness", 0.5).values.arrivals, "gamma");
  assert.equal(withValue(startState(), "burstiness", 1).values.arrivals, "poisson");
  assert.equal(withValue(state({ arrivals: "constant" }), "burstiness", 2).values.arrivals, "constant");
  assert.equal(withValue(startState(), "seed", 3).values.seed, 3);
});

test("a policy that goes by predictions or deadlines brings them", () => {
  assert.equal(withValue(startState(), "policy", "shortest").values.prediction_cv, 0.3);
  assert.equal(withValue(state({ prediction_cv: 1 }), "policy", "shortest-ageing").values.prediction_cv, 1);
  assert.equal(withValue(startState(), "policy", "deadline").values.deadline, 10);
  assert.equal(withValue(startState(), "policy", "shortest-oracle").values.prediction_cv, null);
});
