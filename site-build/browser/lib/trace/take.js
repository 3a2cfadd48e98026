/** What each kind of record does to a model. A bad one is refused whole, before anything of it is taken. */
import { END, ROW_KIND } from "./codes.js";
import { reserve } from "./columns.js";
import { TraceProblem, brief } from "./problem.js";
import { ROW_KINDS, checkBlocks, checkReason, checkRecord, checkRow } from "./records.js";
import { NO_SPAN, arrive, breakOff, end, firstToken, preempt, row, tokens } from "./spans.js";

/** @typedef {import("./model.js").TraceModel} TraceModel */

const MOST_LANES = 64;

/** @param {TraceModel} model @param {any} record */
export function take(model, record) {
  checkRecord(record);
  const { event, at } = record;
  if (at < model.now) throw new TraceProblem("at", brief(at), `${model.now} or later, for time doesn't run backwards`);
  TAKERS[event]?.(model, record);
  if (at === undefined) return;
  model.now = at;
  model.end = Math.max(model.end, at);
}

/** Records without an entry (a live link's metrics) change nothing. @type {Record<string, (model: TraceModel, record: any) => void>} */
const TAKERS = {
  arrived(model, { id, at, num_prompt_tokens, max_tokens, priority = 0, cache_salt = null, tenant = "" }) {
    const { requests } = model;
    if (requests.index.has(id)) throw new TraceProblem("id", `${brief(id)}, which arrived before`, "an id of its own");
    const request = add(model, id, at);
    requests.promptTokens[request] = num_prompt_tokens;
    requests.maxTokens[request] = max_tokens;
    requests.priority[request] = priority;
    requests.tenant[request] = tenant;
    requests.salt[request] = cache_salt;
  },
  admitted(model, { id, at, num_cached_tokens = 0, lane = "" }) {
    const request = alive(model, id);
    model.requests.admitted[request] = at;
    model.requests.cachedTokens[request] = num_cached_tokens;
    model.requests.lane[request] = laneOf(model, lane);
  },
  step: takeStep,
  first_token(model, { id, at }) {
    const request = alive(model, id);
    model.requests.first[request] = at;
    // Where steps are known, their rows say what was handed over.
    if (model.steps.count) return;
    hand(model, request, at, 1);
    firstToken(model, request, at);
  },
  tokens(model, { id, at, num_tokens = 1 }) {
    const request = alive(model, id);
    if (model.steps.count) return;
    hand(model, request, at, num_tokens);
    tokens(model, request, at, num_tokens);
  },
  finished: (model, record) => finish(model, record, END.finished),
  timed_out: (model, record) => finish(model, record, END.timed_out),
  rejected: (model, record) => finish(model, record, END.rejected),
  cancelled: (model, record) => finish(model, record, END.cancelled),
  stalled(model, { at, ids }) {
    model.stalled = { at, requests: ids.map((/** @type {any} */ id, /** @type {number} */ place) => alive(model, id, `ids[${place}]`)) };
  },
  gap(model, { from, to, lost = 0 }) {
    model.gaps.push({ from, to, lost });
    model.end = Math.max(model.end, to);
    breakOff(model);
  },
  end: (model, { complete, why }) => model.close(complete, why ?? ""),
};

/** The request that a record speaks of. @param {TraceModel} model @param {any} id @param {string} [field] @returns {number} */
function alive(model, id, field = "id") {
  const request = model.requests.index.get(id);
  if (request !== undefined && model.requests.end[request] === END.none) return request;
  // Its arrival may be among what was lost.
  if (request === undefined && model.gaps.length && typeof id === "string") return add(model, id, NaN);
  const past = request === undefined ? "never arrived" : "has ended";
  throw new TraceProblem(field, `${brief(id)}, which ${past}`, "a request that is here");
}

/** @param {TraceModel} model @param {string} id @param {number} at NaN where nobody knows @returns {number} */
function add(model, id, at) {
  const { requests } = model;
  reserve(requests);
  const request = requests.count;
  requests.ids.push(id);
  requests.index.set(id, request);
  requests.tenant.push("");
  requests.salt.push(null);
  requests.reason.push("");
  requests.arrived[request] = at;
  for (const name of /** @type {const} */ (["promptTokens", "maxTokens", "admitted", "first", "ended"])) {
    requests[name][request] = NaN;
  }
  requests.lane[request] = -1;
  requests.arrivedStep[request] = model.steps.count;
  requests.endedStep[request] = -1;
  requests.firstSpan[request] = requests.lastSpan[request] = NO_SPAN;
  requests.count += 1;
  arrive(model, request, at);
  return request;
}

/** @param {TraceModel} model @param {any} record @param {number} how */
function finish(model, { id, at, reason = "", num_output_tokens }, how) {
  const request = alive(model, id);
  const { requests } = model;
  requests.end[request] = how;
  requests.ended[request] = at;
  requests.endedStep[request] = model.steps.count;
  requests.reason[request] = reason;
  if (num_output_tokens !== undefined) requests.outputTokens[request] = num_output_tokens;
  end(model, request, at);
}

/** @param {TraceModel} model @param {any} record */
function takeStep(model, { step: index, at, duration = 1, rows = [], preempted = [], evicted = [], why = [], lane: name = "" }) {
  const { steps, flat } = model;
  const lane = laneOf(model, name);
  const before = model.lastSteps[lane];
  const next = before < 0 ? 0 : steps.index[before] + 1;
  if (index < next) throw new TraceProblem("step", brief(index), `${next} or later, for steps count up`);
  rows.forEach(checkRow);
  checkBlocks(evicted, "evicted");
  why.forEach(checkReason);
  const owners = rows.map((/** @type {any} */ one, /** @type {number} */ place) => alive(model, one[0], `rows[${place}].id`));
  const losers = preempted.map((/** @type {any} */ id, /** @type {number} */ place) => alive(model, id, `preempted[${place}]`));

  reserve(steps);
  const step = steps.count;
  steps.index[step] = index;
  steps.at[step] = at;
  steps.duration[step] = duration;
  steps.lane[step] = lane;
  steps.before[step] = before;
  model.lastSteps[lane] = step;
  steps.count += 1;
  model.end = Math.max(model.end, at + duration);
  for (const request of losers) {
    model.requests.preemptions[request] += 1;
    preempt(model, request, step);
  }
  reserve(model.rows, rows.length);
  for (let place = 0; place < rows.length; place += 1) takeRow(model, rows[place], owners[place], step);
  flat.preempted.push(losers);
  flat.evicted.push(evicted);
  steps.rowStart[step + 1] = model.rows.count;
  steps.preemptedStart[step + 1] = flat.preempted.count;
  steps.evictedStart[step + 1] = flat.evicted.count;
  if (why.length) model.reasons.set(step, why.map((/** @type {any} */ [rule, id, facts = {}]) => ({ rule, id, facts })));
}

/** @param {TraceModel} model @param {any[]} values @param {number} request @param {number} step */
function takeRow(model, values, request, step) {
  const { rows, requests } = model;
  const place = rows.count;
  const num = values[1];
  const computed = values[2];
  requests.lane[request] = model.steps.lane[step];
  rows.request[place] = request;
  rows.tokens[place] = num;
  rows.computed[place] = computed;
  rows.kind[place] = values.length > 3 ? ROW_KINDS.indexOf(values[3]) : ROW_KIND.running;
  if (values.length > 4) see(model, "newBlocks", values[4]);
  if (values.length > 5) see(model, "hitBlocks", values[5]);
  rows.count += 1;
  rows.newStart[place + 1] = model.flat.newBlocks.count;
  rows.hitStart[place + 1] = model.flat.hitBlocks.count;
  if (Number.isNaN(requests.admitted[request])) requests.admitted[request] = model.steps.at[step];
  row(model, request, step, num, computed);
  const after = computed + num;
  if (after > requests.reached[request]) requests.reached[request] = after;
  // Once all tokens that are known are computed, the step hands over one more.
  if (after >= requests.promptTokens[request] + requests.outputTokens[request]) requests.outputTokens[request] += 1;
}

/** @param {TraceModel} model @param {string} name @returns {number} */
function laneOf(model, name) {
  const known = model.lanes.indexOf(name);
  if (known >= 0) return known;
  if (model.lanes.length >= MOST_LANES) throw new TraceProblem("lane", brief(name), `at most ${MOST_LANES} lanes`);
  model.lastSteps.push(-1);
  return model.lanes.push(name) - 1;
}

/** @param {TraceModel} model @param {"newBlocks" | "hitBlocks"} list @param {number[]} blocks */
function see(model, list, blocks) {
  model.flat[list].push(blocks);
  for (const block of blocks) if (block >= model.blocksSeen) model.blocksSeen = block + 1;
}

/** @param {TraceModel} model @param {number} request @param {number} at @param {number} num */
function hand({ handed, requests }, request, at, num) {
  reserve(handed);
  requests.outputTokens[request] += num;
  handed.request[handed.count] = request;
  handed.at[handed.count] = at;
  handed.tokens[handed.count] = num;
  handed.count += 1;
}
