/** Workloads to choose from, in small numbers that a CPU server can serve too. Names and fields are `engine.simulate.traffic`'s. */

/** @typedef {"rate" | "num_requests" | "prompt_tokens" | "output_tokens" | "length_cv" | "burstiness" | "prefix_tokens" | "seed"} Field */
/** @typedef {Record<Field, number>} Numbers */

/** @type {Numbers} */
const CALM = { rate: 3, num_requests: 40, prompt_tokens: 64, output_tokens: 32, length_cv: 0.5, burstiness: 1, prefix_tokens: 0, seed: 1 };

/** @type {{ id: string, title: string, about: string, numbers: Numbers }[]} */
export const PRESETS = [
  { id: "calm", title: "Calm", about: "Three requests a second, lengths that vary.", numbers: CALM },
  { id: "bursts", title: "Bursts", about: "As many requests as in calm, but they come in clumps.", numbers: { ...CALM, burstiness: 0.15 } },
  { id: "long", title: "Long prompts", about: "Few requests, and prompts ten times as long as answers.", numbers: { ...CALM, rate: 2, num_requests: 24, prompt_tokens: 320 } },
  { id: "alike", title: "The same beginning", about: "Half of the prompts begin with the same 128 tokens.", numbers: { ...CALM, prompt_tokens: 192, prefix_tokens: 128 } },
  { id: "rush", title: "Too many", about: "Forty requests a second: they have to wait.", numbers: { ...CALM, rate: 40, num_requests: 80 } },
];

/** What each number is called, and what it may be. @type {Record<Field, { label: string, least: number, most: number, step: number }>} */
export const FIELDS = {
  rate: { label: "Requests a second", least: 0.1, most: 1000, step: 0.1 },
  num_requests: { label: "Requests", least: 1, most: 5000, step: 1 },
  prompt_tokens: { label: "Prompt, tokens", least: 1, most: 100000, step: 1 },
  output_tokens: { label: "Answer, tokens", least: 1, most: 16000, step: 1 },
  length_cv: { label: "Lengths vary by", least: 0, most: 3, step: 0.1 },
  burstiness: { label: "Evenness (1: at random, less: bursts)", least: 0.05, most: 10, step: 0.05 },
  prefix_tokens: { label: "Shared beginning, tokens", least: 0, most: 100000, step: 1 },
  seed: { label: "Seed", least: 0, most: 1e9, step: 1 },
};

/** @param {Numbers} numbers @returns {Record<string, unknown>} what `Traffic.from_mapping` takes */
export function trafficOf({ burstiness, ...numbers }) {
  return burstiness === 1 ? { ...numbers, arrivals: "poisson" } : { ...numbers, arrivals: "gamma", burstiness };
}
