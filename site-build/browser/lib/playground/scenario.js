/** What the engine is asked for in a state: a scenario, and the command that runs the same. Pure. */
import { FIELDS } from "./fields.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {Record<string, any>} Scenario as `engine.simulate.scenario` reads it from JSON */

/** Fields that have an option of their own on the command line. @type {Record<string, string>} */
const OPTIONS = {
  num_blocks: "--num-blocks",
  block_size: "--block-size",
  max_model_len: "--max-model-len",
  max_num_seqs: "--max-num-seqs",
  max_num_batched_tokens: "--max-num-batched-tokens",
  policy: "--policy",
};

/** What the command line takes where nobody says. @type {Record<string, unknown>} */
const THERE = {
  arrivals: "poisson", burstiness: 1, rate: 1, num_requests: 1000, prompt_tokens: 512, output_tokens: 128, length_cv: 0,
  prefix_tokens: 0, prefix_share: 0.5, prefix_groups: 1, num_tenants: 1, isolate: false, seed: 0, prediction_cv: null,
  deadline: null, patience: null,
  num_blocks: 8192, max_model_len: 16_384, block_size: 16, max_num_seqs: 128, max_num_batched_tokens: 2048, policy: "fcfs",
  enable_prefix_caching: true, enable_chunked_prefill: true, long_prefill_token_threshold: 0,
  long_prefill_token_threshold_adaptive: false, max_num_active_seqs: null, watermark: 0, scheduler_reserve_full_isl: true,
  async_scheduling: false,
};

const traffic = FIELDS.filter(({ group }) => group === "traffic").map(({ name }) => name);
const settings = FIELDS.filter(({ group }) => group !== "traffic").map(({ name }) => name);

/** @param {State} state @param {string[]} names @returns {Record<string, any>} */
const some = ({ values }, names) => Object.fromEntries(names.map((name) => [name, values[name]]));

/** The engine's settings. @param {State} state */
export function settingsOf(state) {
  return Object.fromEntries(Object.entries(some(state, settings)).filter(([, value]) => value !== null));
}

/**
 * The scenario. Without `incident`, and with a file, it says nothing of its requests: those are on the desk.
 * @param {State} state @param {Scenario | null} incident what its file holds @returns {Scenario}
 */
export function scenarioOf(state, incident) {
  const engine = settingsOf(state);
  if (state.file) return { name: state.file, settings: engine };
  if (state.incident && incident) return { ...incident, settings: engine };
  return { name: "playground", settings: engine, traffic: some(state, traffic) };
}

/** A word that a shell takes as it stands. @param {string} text */
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** @param {string} name @param {unknown} value @returns {string} */
function setting(name, value) {
  if (OPTIONS[name]) return `${OPTIONS[name]} ${value}`;
  return name === "enable_prefix_caching" && value === false ? "--no-prefix-caching" : `--set ${name}=${value}`;
}

/** @param {string} name @param {unknown} value @returns {string} */
const option = (name, value) => (value === true ? `--${name.replaceAll("_", "-")}` : `--${name.replaceAll("_", "-")} ${value}`);

/**
 * The command that gives the same numbers.
 * @param {State} state @param {Scenario | null} incident @param {string} saved name of a saved scenario, for what has no options
 */
export function commandOf(state, incident, saved = "") {
  const words = ["python -m engine simulate"];
  const differs = (/** @type {string} */ name) => state.values[name] !== THERE[name];
  if (saved) words.push(`--scenario ${quoted(saved)}`);
  else if (state.incident && incident) {
    words.push(`--scenario docs/incidents/${state.incident}.json`);
    const theirs = incident.settings;
    for (const [name, value] of Object.entries(settingsOf(state))) {
      if (value !== (theirs[name] ?? THERE[name])) words.push(`--set ${name}=${value}`);
    }
  } else {
    if (state.file) words.push(`--workload ${quoted(state.file)}`);
    else words.push(...traffic.filter(differs).map((name) => option(name, state.values[name])));
    words.push(...settings.filter(differs).map((name) => setting(name, state.values[name])));
  }
  return words.join(" ");
}

/**
 * The state that an incident's file describes: all other fields as they start.
 * @param {State} start @param {string} id @param {Scenario} incident @returns {State}
 */
export function stateOfIncident(start, id, incident) {
  const own = "traffic" in incident ? incident.traffic : {};
  // What a scenario leaves out has the engine's default, which isn't always where the playground starts.
  const values = { ...start.values, ...some({ ...start, values: /** @type {any} */ (THERE) }, [...settings, ...traffic]), ...own, ...incident.settings };
  return { values, incident: "traffic" in incident ? "" : id, file: "" };
}
