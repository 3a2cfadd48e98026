/** What a file is that is no trace, as far as its first line tells: so that the message can say it. */

/** Fields that other tools' files have, and whose they are. @type {readonly (readonly [string, string])[]} */
const MARKS = [
  ["request_throughput", "a result of vLLM's benchmark"],
  ["traceEvents", "a trace for Perfetto or Chrome"],
  ["inside-the-batch.workload", "a workload of this course, which says what arrives and not what an engine did"],
  ["hash_ids", "a workload in Mooncake's format"],
  ["nbformat", "a Jupyter notebook"],
];

/** @param {string} line @returns {string} what it seems to be; "" where it may be a trace */
export function wordsForForeign(line) {
  const text = line.trim();
  if (!text) return "an empty first line";
  if (text.includes("\0")) return "a file that is no text";
  if (text.startsWith("<")) return "a page or a picture (it begins with <)";
  const mark = MARKS.find(([word]) => text.includes(`"${word}"`) && !text.includes('"inside-the-batch.trace"'));
  if (mark) return mark[1];
  if (text.startsWith("{")) return isWhole(text) ? "" : "JSON over several lines, or one that is cut off";
  if (text.startsWith("[")) return "a JSON array";
  if (/^[^{}]*[,;\t][^{}]*$/.test(text)) return "a table (CSV) with the columns " + text.slice(0, 60);
  return `a text that begins with ${JSON.stringify(text.slice(0, 40))}`;
}

/** @param {string} text */
function isWhole(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
