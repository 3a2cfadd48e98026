/** The incidents of `docs/incidents/`, as the playground offers them; a test holds the two against each other. */

/** Ids and titles. @type {readonly [string, string][]} */
export const INCIDENTS = [
  ["overload", "2.3 times overload"],
  ["coordinated-omission", "coordinated omission"],
  ["recompute-tax", "the recompute tax"],
  ["fifth-long-prompt", "the fifth long prompt"],
  ["head-of-line", "head-of-line blocking"],
  ["isolated-tenants", "256 tenants, isolated"],
  ["prefix-starvation", "longest prefix first"],
  ["starved-by-overtaking", "a large request starves"],
];

/** Those that bring their own requests. */
export const WITH_REQUESTS = ["fifth-long-prompt", "head-of-line", "prefix-starvation", "starved-by-overtaking"];
