/**
 * What the playground sets: one entry a field, in the order of the form. Names are those of `engine.simulate.traffic`
 * and `engine.settings`. A default never changes within a version of the link: links leave defaults out.
 */

/** Of the links. A change to any default or name below makes it another one. */
export const VERSION = "1";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {"traffic" | "engine"} group
 * @property {"number" | "whole" | "choice" | "flag"} kind
 * @property {string} label
 * @property {boolean} [folded] whether it stands behind a disclosure
 * @property {string} [unit]
 * @property {string} [about] what it means, where the label doesn't say it
 * @property {number | string | boolean | null} start the default; null for none
 * @property {number} [least]
 * @property {number} [most]
 * @property {[number, number]} [slide] where the slider ends; none where there is no slider
 * @property {boolean} [log] whether the slider's steps grow
 * @property {readonly [string, string][]} [choices] values and their words
 */

/** As `engine.policies.POLICIES` has them. @type {readonly [string, string][]} */
const POLICIES = [
  ["fcfs", "first come, first served"],
  ["priority", "by priority"],
  ["shortest", "shortest predicted answer first"],
  ["shortest-oracle", "shortest true answer first"],
  ["shortest-ageing", "shortest first, waiting counts"],
  ["deadline", "earliest deadline first"],
  ["longest-prefix", "longest cached prefix first"],
  ["feedback", "feedback queues"],
  ["fair", "fair among tenants"],
];

/** @type {readonly [string, string][]} */
const ARRIVALS = [
  ["poisson", "at random (Poisson)"],
  ["gamma", "in bursts (gamma)"],
  ["constant", "evenly spaced"],
];

/** @type {readonly Field[]} */
export const FIELDS = [
  { name: "rate", group: "traffic", kind: "number", label: "Arrival rate", unit: "requests/s", start: 20, least: 0.001, most: 100_000, slide: [0.1, 200], log: true },
  { name: "arrivals", group: "traffic", kind: "choice", label: "Arrivals", start: "poisson", choices: ARRIVALS },
  { name: "burstiness", group: "traffic", kind: "number", label: "Burstiness", unit: "shape", about: "Of arrivals in bursts: 1 is Poisson, below it they clump, above it they spread out.", start: 1, least: 0.01, most: 1000, slide: [0.05, 20], log: true },
  { name: "num_requests", group: "traffic", kind: "whole", label: "Number of requests", unit: "requests", start: 1000, least: 1, most: 200_000, slide: [10, 20_000], log: true },
  { name: "prompt_tokens", group: "traffic", kind: "whole", label: "Prompt, mean length", unit: "tokens", start: 512, least: 1, most: 1_000_000, slide: [1, 32_768], log: true },
  { name: "output_tokens", group: "traffic", kind: "whole", label: "Answer, mean length", unit: "tokens", start: 128, least: 1, most: 1_000_000, slide: [1, 4096], log: true },
  { name: "length_cv", group: "traffic", kind: "number", label: "Spread of lengths", unit: "× mean", about: "The standard deviation over the mean; 0 for all alike.", start: 0.5, least: 0, most: 10, slide: [0, 3] },
  { name: "prefix_tokens", group: "traffic", kind: "whole", label: "Shared beginning", unit: "tokens", about: "How long the beginning is that prompts share; 0 for none.", start: 0, least: 0, most: 1_000_000, slide: [0, 8192] },
  { name: "prefix_share", group: "traffic", kind: "number", label: "Prompts that share it", unit: "of 1", start: 0.5, least: 0, most: 1, slide: [0, 1] },
  { name: "prefix_groups", group: "traffic", folded: true, kind: "whole", label: "Different beginnings", unit: "groups", start: 1, least: 1, most: 100_000, slide: [1, 256], log: true },
  { name: "num_tenants", group: "traffic", folded: true, kind: "whole", label: "Tenants", unit: "tenants", start: 1, least: 1, most: 10_000, slide: [1, 256], log: true },
  { name: "isolate", group: "traffic", folded: true, kind: "flag", label: "A cache salt for each tenant", start: false },
  { name: "prediction_cv", group: "traffic", folded: true, kind: "number", label: "Error of predicted lengths", unit: "× truth", about: "Empty for no predictions. The policies that put short answers first go by them.", start: null, least: 0, most: 10 },
  { name: "deadline", group: "traffic", folded: true, kind: "number", label: "Deadline", unit: "s", about: "Empty for none. The policy of the earliest deadline goes by it.", start: null, least: 0.001, most: 1_000_000 },
  { name: "patience", group: "traffic", folded: true, kind: "number", label: "Patience of clients", unit: "s", about: "After so long they go away; empty for never.", start: null, least: 0.001, most: 1_000_000 },
  { name: "seed", group: "traffic", kind: "whole", label: "Seed", unit: "", start: 0, least: 0, most: 2_147_483_647, slide: [0, 100] },
  { name: "max_num_seqs", group: "engine", kind: "whole", label: "Slots", unit: "max_num_seqs", about: "The most requests that run at once.", start: 128, least: 1, most: 100_000, slide: [1, 1024], log: true },
  { name: "num_blocks", group: "engine", kind: "whole", label: "KV blocks", unit: "blocks", about: "The null block included, as vLLM counts them.", start: 4001, least: 1, most: 2_000_000, slide: [16, 200_000], log: true },
  { name: "max_num_batched_tokens", group: "engine", kind: "whole", label: "Token budget of a step", unit: "tokens", start: 2048, least: 1, most: 10_000_000, slide: [16, 32_768], log: true },
  { name: "policy", group: "engine", kind: "choice", label: "Policy", start: "fcfs", choices: POLICIES },
  { name: "enable_prefix_caching", group: "engine", kind: "flag", label: "Share cached prefixes", start: true },
  { name: "max_model_len", group: "engine", folded: true, kind: "whole", label: "Longest sequence", unit: "max_model_len", start: 8192, least: 1, most: 100_000_000, slide: [16, 131_072], log: true },
  { name: "block_size", group: "engine", folded: true, kind: "whole", label: "Block size", unit: "tokens", start: 16, least: 1, most: 100_000, slide: [1, 256], log: true },
  { name: "enable_chunked_prefill", group: "engine", folded: true, kind: "flag", label: "Chunked prefill", start: true },
  { name: "long_prefill_token_threshold", group: "engine", folded: true, kind: "whole", label: "Cap on a long prefill", unit: "tokens", about: "The most tokens that one request gets in a step while others are there; 0 for no cap.", start: 0, least: 0, most: 100_000_000 },
  { name: "long_prefill_token_threshold_adaptive", group: "engine", folded: true, kind: "flag", label: "That cap grows to a fair share", start: false },
  { name: "max_num_active_seqs", group: "engine", folded: true, kind: "whole", label: "Fewer slots than that", unit: "max_num_active_seqs", start: null, least: 1, most: 100_000 },
  { name: "watermark", group: "engine", folded: true, kind: "number", label: "Watermark", unit: "of the pool", about: "What an admission must leave free, from 0 to below 1.", start: 0, least: 0, most: 0.999 },
  { name: "scheduler_reserve_full_isl", group: "engine", folded: true, kind: "flag", label: "A whole prompt must fit", start: true },
  { name: "async_scheduling", group: "engine", folded: true, kind: "flag", label: "Asynchronous scheduling", start: false },
];

/** @type {ReadonlyMap<string, Field>} */
export const BY_NAME = new Map(FIELDS.map((field) => [field.name, field]));
