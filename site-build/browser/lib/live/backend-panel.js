/** What the server behind the bridge is, what it gives, and what it can't: by name, so that a gap in a view is no riddle. */
import { make } from "../dom.js";
import { count, wordFor } from "./words.js";

/** @typedef {import("./bridge.js").Backend} Backend */

const KINDS = /** @type {Record<string, string>} */ ({
  recorder: "vLLM with the recorder: every decision, exactly",
  vllm: "vLLM: times of tokens, and what it measures itself",
  openai: "An OpenAI-compatible server: times of tokens",
});

const GIFTS = /** @type {Record<string, string>} */ ({
  steps: "every step of the scheduler",
  tokens: "when each token came",
  kv_events: "which blocks were cached and dropped",
  metrics: "the server's own metrics",
});

const TEXT = {
  server: "Server",
  model: "Model",
  gives: "It gives",
  lacks: "It can't give",
  lanes: "Replicas",
  settings: "Settings",
  limits: "The bridge's limits",
  prompts: "Prompts",
  keeps: "kept in the recording, in plain: the server was asked to",
  none: "nothing is missing",
};

/** @param {string} name @param {...(Node | string)} what */
const row = (name, ...what) => [make("dt", {}, name), make("dd", {}, ...what)];

/** @param {Record<string, unknown>} values */
const pairs = (values) => make("details", {}, make("summary", {}, count(Object.keys(values).length, "value")), make("ul", {}, ...Object.entries(values).map(([name, value]) => make("li", {}, make("code", {}, `${name} = ${String(value)}`)))));

/** @param {Backend} backend @returns {HTMLElement} */
export function backendWords({ kind, version, model, gives, lacks, lanes, settings, limits, keeps_prompts }) {
  const missing = lacks.map(({ what, why }) => make("li", {}, make("strong", {}, wordFor(GIFTS, what)), `: ${why}`));
  return make(
    "dl",
    { class: "live-backend" },
    ...row(TEXT.server, `${wordFor(KINDS, kind)}${version ? ` (${version})` : ""}`),
    ...row(TEXT.model, model || "?"),
    ...row(TEXT.gives, gives.map((name) => wordFor(GIFTS, name)).join("; ")),
    ...row(TEXT.lacks, missing.length ? make("ul", {}, ...missing) : TEXT.none),
    ...(lanes.length > 1 ? row(TEXT.lanes, lanes.join(", ")) : []),
    ...(keeps_prompts ? row(TEXT.prompts, TEXT.keeps) : []),
    ...(Object.keys(settings).length ? row(TEXT.settings, pairs(settings)) : []),
    ...(Object.keys(limits).length ? row(TEXT.limits, pairs(limits)) : []),
  );
}
