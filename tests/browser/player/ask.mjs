// Prints, as JSON, what the player's reader knows: its schema, or what it makes of a trace.
// usage: node ask.mjs schema | node ask.mjs model FILE | node ask.mjs spans FILE

import { readFile } from "node:fs/promises";
import { readTrace } from "../../../site-build/browser/lib/trace/read.js";
import { EVENTS, HEADER, ROW, ROW_KINDS } from "../../../site-build/browser/lib/trace/records.js";
import { spans } from "../../../site-build/browser/lib/trace/spans.js";

const optional = (fields) => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.optional === true]));
const each = (count, tell) => Array.from({ length: count }, (_, place) => tell(place));
const slice = (list, starts, place) => [...list.subarray(starts[place], starts[place + 1])];
const ENDS = ["unfinished", "finished", "timed_out", "rejected", "cancelled"];

const QUESTIONS = {
  schema: () => ({ header: optional(HEADER), events: Object.fromEntries(Object.entries(EVENTS).map(([name, fields]) => [name, optional(fields)])), row: ROW }),
  model: (model) => {
    const { steps, rows, requests } = model;
    const row = (place) => [
      ...[requests.ids[rows.request[place]], rows.tokens[place], rows.computed[place], ROW_KINDS[rows.kind[place]]],
      ...[slice(model.newBlocks, rows.newStart, place), slice(model.hitBlocks, rows.hitStart, place)],
    ];
    const names = (list) => list.map((request) => requests.ids[request]);
    return {
      steps: each(steps.count, (step) => [steps.index[step], steps.at[step], steps.duration[step]]),
      rows: each(steps.count, (step) => each(steps.rowStart[step + 1] - steps.rowStart[step], (place) => row(steps.rowStart[step] + place))),
      preempted: each(steps.count, (step) => names(slice(model.preempted, steps.preemptedStart, step))),
      evicted: each(steps.count, (step) => slice(model.evicted, steps.evictedStart, step)),
      ids: requests.ids,
      ends: each(requests.count, (request) => ENDS[requests.end[request]]),
      first: each(requests.count, (request) => (Number.isNaN(requests.first[request]) ? null : requests.first[request])),
    };
  },
  spans: (model) => Object.fromEntries(model.requests.ids.map((id, request) => [id, spans(model, request)])),
};

const [what, file] = process.argv.slice(2);
const model = file ? await readTrace(await readFile(file, "utf8"), { name: file }) : undefined;
process.stdout.write(JSON.stringify(QUESTIONS[what](model)));
