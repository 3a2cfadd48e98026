/** A report of `engine.metrics` as rows, differences and a sentence. Pure. */

/** @typedef {Record<string, any>} Report */
/** `value` is in seconds for times; `n` is how many requests it comes from; `low` and `high` enclose the true value. */
/** @typedef {{ label: string, kind: "time" | "count" | "rate" | "share", n: number, value: number, low?: number | null, high?: number | null }} Row */

const NAMES = {
  ttft: ["First token", [50, 99]],
  queue_time: ["In the queue", [50, 99]],
  tpot: ["Each further token", [50, 99]],
  e2e: ["Whole answer", [50, 99]],
};

/** @param {Report} report @returns {Row[]} */
export function rowsOf(report) {
  /** @type {Row[]} */
  const rows = [];
  const inSteps = report.unit === "step";
  for (const [name, [label, percents]] of Object.entries(NAMES)) {
    const found = report[name];
    if (!found?.n) continue;
    for (const percent of /** @type {number[]} */ (percents)) {
      const { value, low, high } = found[`p${percent}`];
      const words = percent === 50 ? "half within" : `${percent} % within`;
      rows.push({ label: `${label}, ${words}`, kind: inSteps ? "count" : "time", n: found.n, value, low, high });
    }
  }
  const arrived = report.requests.arrived;
  const plain = (/** @type {string} */ label, /** @type {Row["kind"]} */ kind, /** @type {number | undefined} */ value) =>
    value !== undefined && rows.push({ label, kind, n: arrived, value });
  plain(inSteps ? "Tokens a step" : "Tokens a second", "rate", report.throughput?.output_tokens);
  plain(inSteps ? "Answers a step" : "Answers a second", "rate", report.throughput?.requests);
  for (const [name, label] of [["timed_out", "Timed out"], ["rejected", "Rejected"], ["cancelled", "Cancelled"], ["unfinished", "Never finished"]]) {
    if (report.requests[String(name)]) plain(String(label), "count", report.requests[String(name)]);
  }
  plain("Preemptions", "count", report.preemptions);
  plain("Tokens computed twice", "count", report.recomputed_tokens);
  plain("Prompt tokens found in the cache", "share", report.hit_rate_tokens);
  return rows;
}

/** @type {readonly [string, number][]} */
const UNITS = [["s", 1], ["ms", 1e-3], ["µs", 1e-6]];

/** @param {number} number three digits that count */
const digits = (number) => Number(number.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });

/** @param {Pick<Row, "kind">} row @param {number | null | undefined} value @returns {string} */
export function shown({ kind }, value) {
  if (value === null || value === undefined) return "?";
  if (kind === "count") return Math.round(value).toLocaleString("en");
  if (kind === "share") return `${digits(value * 100)} %`;
  if (kind === "rate" || value === 0) return kind === "time" ? "0 s" : digits(value);
  const [unit, size] = UNITS.find(([, least]) => Math.abs(value) >= least) ?? /** @type {[string, number]} */ (["µs", 1e-6]);
  return `${digits(value / size)} ${unit}`;
}

/** The interval of a percentile, for those who want to know how sure it is. @param {Row} row */
export function interval(row) {
  if (row.low === undefined) return "";
  return `${shown(row, row.low)} to ${shown(row, row.high)}`;
}

/** @param {Row["kind"]} kind @param {boolean} up */
const direction = (kind, up) => (kind === "time" ? (up ? "longer" : "shorter") : up ? "more" : "less");

/** How a value differs from that of the run before, in words. @param {Row} row @param {Row | undefined} before */
export function difference(row, before) {
  if (!before) return "";
  const gap = row.value - before.value;
  if (gap === 0) return "the same";
  const word = direction(row.kind, gap > 0);
  if (row.kind === "share") return `${digits(Math.abs(gap) * 100)} points ${word}`;
  if (before.value === 0 || row.value === 0) return `${shown(row, Math.abs(gap))} ${word}`;
  const ratio = row.value / before.value;
  if (ratio >= 2) return `${digits(ratio)} times as ${row.kind === "time" ? "long" : "much"}`;
  if (ratio <= 0.5) return `${digits(1 / ratio)} times ${word}`;
  const percent = Math.abs(ratio - 1) * 100;
  return percent < 0.05 ? "nearly the same" : `${digits(percent)} % ${word}`;
}

/** The run in a sentence or two. @param {Report} report */
export function sentence(report) {
  const { arrived, finished } = report.requests;
  const said = [`Of ${arrived.toLocaleString("en")} requests ${finished === arrived ? "all" : finished.toLocaleString("en")} were answered.`];
  const time = (/** @type {string} */ name, /** @type {string} */ percent) => shown({ kind: report.unit === "step" ? "count" : "time" }, report[name][percent].value);
  if (report.unit === "step") return said.join(" ");
  if (report.ttft?.n) said.push(`Half of them saw their first token within ${time("ttft", "p50")}, and 99 in 100 within ${time("ttft", "p99")}.`);
  if (report.e2e?.n) said.push(`Half had their whole answer within ${time("e2e", "p50")}.`);
  if (report.preemptions) {
    const tokens = report.recomputed_tokens.toLocaleString("en");
    said.push(`${report.preemptions.toLocaleString("en")} times a request lost its blocks, and ${tokens} tokens were computed twice.`);
  }
  return said.join(" ");
}
