// The live link's modules that need no browser: addresses, the stream, lanes, what was received, diagnosis, following.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, spaceOf, standing, tokenIn } from "../../../site-build/browser/lib/live/address.js";
import { Bridge } from "../../../site-build/browser/lib/live/bridge.js";
import { Following } from "../../../site-build/browser/lib/live/following.js";
import { holdsPrompts, withoutPrompts } from "../../../site-build/browser/lib/live/kept-prompts.js";
import { LaneSorter } from "../../../site-build/browser/lib/live/lanes.js";
import { Received } from "../../../site-build/browser/lib/live/received.js";
import { EventReader } from "../../../site-build/browser/lib/live/sse.js";
import { duration, percent, wordFor } from "../../../site-build/browser/lib/live/words.js";

const BRIDGE = "http://127.0.0.1:8811";

test("an address is taken as it was typed, with the token of a whole link", () => {
  assert.deepEqual(readAddress(` ${BRIDGE}/live/#live=t-1_x `), { address: BRIDGE, token: "t-1_x" });
  assert.deepEqual(readAddress("localhost:8811"), { address: "http://localhost:8811", token: null });
  assert.deepEqual(readAddress("https://gpu.example.org/x?y"), { address: "https://gpu.example.org", token: null });
  for (const typed of ["", "  ", "http://", "ftp://127.0.0.1", "javascript:alert(1)", "http://user:pass@127.0.0.1", "a b"]) {
    assert.equal(readAddress(typed), null, typed);
  }
  assert.equal(tokenIn("#live="), null);
  assert.equal(tokenIn("#a=b&live=x"), "x");
});

test("prompts that a trace holds can be left out, and nothing else is", () => {
  const bare = '{"format":"inside-the-batch.trace","schema":1,"name":"\\"prompt_token_ids\\":"}\n{"event":"arrived","at":0,"id":"r0","block_names":[1]}\n';
  const plain = bare.replace("}\n{", ',"holds_prompts":true}\n{').replace("[1]", '[1],"prompt_token_ids":[7,8]');
  assert.deepEqual([holdsPrompts(plain), holdsPrompts(bare)], [true, false]);
  assert.equal(withoutPrompts(plain), bare);
  assert.equal(withoutPrompts(bare), bare);
});

test("a name that a bridge tells is looked up as a name, whatever it is", () => {
  const table = { steps: "every step" };
  for (const name of ["constructor", "__proto__", "toString", "other"]) assert.equal(wordFor(table, name), name);
  assert.equal(wordFor(table, "steps"), "every step");
});

test("where a host is", () => {
  const cases = {
    loopback: ["localhost", "127.0.0.1", "127.9.9.9", "[::1]", "lab.localhost"],
    local: ["192.168.1.4", "10.0.0.1", "172.16.0.1", "172.31.9.9", "169.254.1.1", "box.local", "box", "[fd00::1]", "[fe80::1]", "100.64.0.1"],
    public: ["example.org", "172.32.0.1", "8.8.8.8", "100.128.0.1", "[2001:db8::1]"],
  };
  for (const [space, hosts] of Object.entries(cases)) for (const host of hosts) assert.equal(spaceOf(host), space, host);
});

test("how the page stands to a bridge", () => {
  const of = (page, address) => standing(page, address);
  assert.deepEqual(of(`${BRIDGE}/live/`, BRIDGE), { same: true, space: "loopback", mixed: false, permission: null, refused: false });
  assert.deepEqual(of("https://course.example/live/", BRIDGE), { same: false, space: "loopback", mixed: false, permission: "loopback-network", refused: false });
  assert.deepEqual(of("http://course.example/live/", BRIDGE), { same: false, space: "loopback", mixed: false, permission: "loopback-network", refused: true });
  assert.deepEqual(of("https://course.example/live/", "http://192.168.1.4:8811"), { same: false, space: "local", mixed: true, permission: "local-network", refused: false });
  assert.deepEqual(of("http://127.0.0.1:8000/live/", BRIDGE), { same: false, space: "loopback", mixed: false, permission: null, refused: false });
  assert.deepEqual(of("http://127.0.0.1:8000/live/", "https://gpu.example.org"), { same: false, space: "public", mixed: false, permission: null, refused: false });
});

test("a stream in any pieces gives the same events", () => {
  const text = ': hello\r\n\r\nid: 1\r\ndata: {"a": "ä"}\r\n\r\nid: 2\ndata: x\ndata: y\n\nretry: 3\n\nid: x\ndata: z\n\ndata';
  const expected = [{ id: 1, data: '{"a": "ä"}' }, { id: 2, data: "x\ny" }, { id: null, data: "z" }];
  for (const size of [1, 2, 3, 7, 1000]) {
    const reader = new EventReader();
    const found = [];
    for (let start = 0; start < text.length; start += size) found.push(...reader.feed(text.slice(start, start + size)));
    assert.deepEqual(found, expected, String(size));
  }
});

test("a request's records wait until its lane is known, and keep their order", () => {
  const sorter = new LaneSorter(["a", "b"]);
  const arrived = { event: "arrived", at: 0, id: "r0" };
  const other = { event: "arrived", at: 1, id: "r1" };
  assert.deepEqual([...sorter.sort([arrived, other])], [["a", []], ["b", []]]);
  const step = { event: "step", at: 2, step: 0, rows: [["r0", 8, 0]], lane: "b" };
  const token = { event: "first_token", at: 3, id: "r0" };
  assert.deepEqual(sorter.sort([step, token]).get("b"), [arrived, { event: "step", at: 2, step: 0, rows: [["r0", 8, 0]] }, token]);
  assert.deepEqual(sorter.sort([{ event: "admitted", at: 4, id: "r1", lane: "a" }]).get("a"), [other, { event: "admitted", at: 4, id: "r1" }]);
  sorter.sort([{ event: "arrived", at: 5, id: "r2" }]);
  assert.deepEqual([...sorter.rest()], [["a", [{ event: "arrived", at: 5, id: "r2" }]]]);
  assert.deepEqual([...sorter.rest()], [["a", []]]);
});

test("a single lane needs no sorting", () => {
  const sorter = new LaneSorter([]);
  assert.deepEqual(sorter.sort([{ event: "arrived", at: 0, id: "r0", lane: "only" }]).get(""), [{ event: "arrived", at: 0, id: "r0" }]);
});

test("what came is counted, kept whole, and says whether it is a whole trace", async () => {
  const received = new Received();
  const lines = [
    '{"format":"inside-the-batch.trace","schema":1,"name":"x","source":"live"}',
    '{"event":"arrived","at":5,"id":"r0","num_prompt_tokens":3,"max_tokens":2}',
    '{"event":"lateness","at":5,"id":"r0","due":4,"late":1}',
    '{"event":"metrics","at":6}',
    '{"event":"gap","from":5,"to":9,"lost":3}',
    "rubbish",
    '{"event":"finished","at":12,"id":"r0","reason":"length","num_output_tokens":2}',
    '{"event":"lateness","at":12,"count":1,"p50":1,"p99":1,"max":1}',
    '{"event":"end","at":12,"complete":true}',
  ];
  const records = received.take(lines);
  assert.deepEqual(records.map((one) => one.event ?? "gap"), ["arrived", "gap", "finished"]);
  assert.equal(received.header.name, "x");
  assert.deepEqual([received.arrived, received.ended, received.now, received.unread], [1, 1, 12, 1]);
  assert.deepEqual(received.gaps, [{ from: 5, to: 9, lost: 3 }]);
  assert.deepEqual(received.late, { max: 1, p50: 1 });
  assert.deepEqual(received.end, { complete: true, why: "" });
  assert.equal(received.whole, false);
  assert.deepEqual(await received.lines(), lines);
});

test("many lines are kept in few pieces, and come back in order", async () => {
  const received = new Received();
  const lines = Array.from({ length: 40_000 }, (_, at) => `{"event":"tokens","at":${at},"id":"r0","num_tokens":1,"x":"${"y".repeat(30)}"}`);
  for (let start = 0; start < lines.length; start += 1000) received.take(lines.slice(start, start + 1000));
  assert.deepEqual(await received.lines(), lines);
});

/** A browser whose `fetch` answers as told. */
const browser = (fetch, page = "http://127.0.0.1:8000/live/", state = "granted") => ({ fetch, page, permission: async () => state });
const json = (status, value) => new Response(JSON.stringify(value), { status });
const nobody = async () => {
  throw new TypeError("Failed to fetch");
};
const fault = async (promise) => promise.then(() => assert.fail("it didn't fail"), (error) => error);

test("a refusal is told in the bridge's words", async () => {
  const told = (status, body) => fault(new Bridge(BRIDGE, "t", browser(async () => json(status, body))).start({}));
  const busy = await told(409, { error: "another run goes on", where: "runs", mend: "wait for its end" });
  assert.deepEqual([busy.fault, busy.message, busy.mend], ["busy", "Runs: another run goes on.", "Wait for its end."]);
  const limit = await told(422, { error: "got 7, expected at most 3", where: "workload.requests", mend: "make it shorter" });
  assert.deepEqual([limit.fault, limit.message], ["refused", "Workload.requests: got 7, expected at most 3."]);
  assert.equal((await told(401, { error: "the token is wrong", mend: "look again" })).fault, "token");
  assert.equal((await told(404, { error: "no run", mend: "begin one" })).fault, "gone");
  assert.equal((await told(500, "x")).fault, "stranger");
});

test("what answers with something else is no bridge", async () => {
  const page = async () => new Response("<html>", { status: 200 });
  assert.equal((await fault(new Bridge(BRIDGE, "t", browser(page)).backend())).fault, "stranger");
  assert.equal((await fault(new Bridge(BRIDGE, "t", browser(async () => json(200, {}))).backend())).fault, "stranger");
});

test("why nothing came is found out as far as a page can", async () => {
  const of = async (fetch, page, state) => (await fault(new Bridge(BRIDGE, "t", browser(fetch, page, state)).backend())).fault;
  const closed = async (url, { mode }) => (mode === "no-cors" ? new Response("") : nobody());
  assert.equal(await of(nobody), "silent");
  assert.equal(await of(closed), "foreign");
  assert.equal(await of(nobody, "https://course.example/live/", "denied"), "denied");
  assert.equal(await of(nobody, "https://course.example/live/", "prompt"), "asks");
  assert.equal(await of(nobody, "http://course.example/live/", "denied"), "insecure");
  const far = new Bridge("http://192.168.1.4:8811", "t", browser(nobody, "https://course.example/live/", "granted"));
  assert.equal((await fault(far.backend())).fault, "mixed");
});

test("a token that no header can carry is a wrong one, and nobody is asked", async () => {
  for (const token of ["", "…", "a\nb", "one two"]) {
    let asked = 0;
    const bridge = new Bridge(BRIDGE, token, browser(async () => ((asked += 1), json(200, {}))));
    assert.deepEqual([(await fault(bridge.backend())).fault, asked], ["token", 0], token);
  }
});

test("a request carries the token and no more, and says where it goes", async () => {
  const asked = [];
  const fetch = async (url, options) => (asked.push([url, options]), json(200, { kind: "openai", gives: ["tokens"] }));
  await new Bridge(BRIDGE, "t", browser(fetch, "https://course.example/live/")).backend();
  const [url, options] = asked[0];
  assert.equal(url, `${BRIDGE}/api/backend`);
  assert.deepEqual(options.headers, { Authorization: "Bearer t" });
  assert.deepEqual([options.credentials, options.referrerPolicy, options.redirect], ["omit", "no-referrer", "error"]);
  assert.equal(options.targetAddressSpace, "loopback");
});

/** A bridge whose stream comes from `stretches`, one a connection; an `Error` among them is thrown. */
function streaming(stretches) {
  const asked = [];
  return {
    asked,
    events: async (run, last) => {
      asked.push(last);
      const next = stretches.shift();
      if (next instanceof Error || next === undefined) throw next ?? new Error("down");
      return new Response(next.map(([id, data]) => `id: ${id}\ndata: ${data}\n\n`).join("")).body;
    },
  };
}

/** @returns {any} */
const hearing = () => {
  const heard = { lines: [], cuts: 0, back: 0 };
  return { heard, hearer: { take: (lines) => void heard.lines.push(...lines), cut: () => void (heard.cuts += 1), back: () => void (heard.back += 1) } };
};

test("after a cut it goes on from the last event, and takes nothing twice", async () => {
  const bridge = streaming([[[1, "a"], [2, "b"]], new Error("cut"), [[2, "b"], [3, '{"event":"end","complete":true}']]]);
  const { heard, hearer } = hearing();
  const following = new Following(bridge, "run", hearer);
  assert.equal(await following.follow(new AbortController().signal), null);
  assert.deepEqual(heard.lines, ["a", "b", '{"event":"end","complete":true}']);
  assert.deepEqual(bridge.asked, [0, 2, 2]);
  assert.deepEqual([heard.cuts, heard.back], [2, 1]);
});

test("a bridge that forgot the run isn't asked again", async () => {
  const gone = Object.assign(new (await import("../../../site-build/browser/lib/live/problems.js")).LinkProblem("gone", "no run is known"));
  const bridge = streaming([gone]);
  const why = await new Following(bridge, "run", hearing().hearer).follow(new AbortController().signal);
  assert.equal(why, "no run is known");
  assert.equal(bridge.asked.length, 1);
});

test("who leaves is not followed", async () => {
  const life = new AbortController();
  const bridge = streaming([[[1, "a"]]]);
  const { hearer } = hearing();
  const followed = new Following(bridge, "run", { ...hearer, cut: () => life.abort(new Error("left")) }).follow(life.signal);
  await assert.rejects(followed, /left/);
});

test("numbers read well", () => {
  assert.deepEqual([duration(0.0000123), duration(0.0123), duration(0.9), duration(1.5), duration(123.4)], ["12.3 µs", "12.3 ms", "900 ms", "1.50 s", "123 s"]);
  assert.deepEqual([percent(0.031), percent(-0.25), percent(-0.0001)], ["+3.1 %", "−25 %", "0.0 %"]);
});
