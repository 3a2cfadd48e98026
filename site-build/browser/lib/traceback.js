/**
 * Python's traceback, cut down to what helps: the student's own frames, the engine's where it was the
 * engine that raised, and the last line. Pure.
 */

/** The name that a snippet is compiled under. */
export const OWN_FILE = "snippet.py";

const FRAME = /^ {2}File "(.+?)", line (\d+)(?:, in (.+))?$/;
const CONNECTOR = /^(During handling of the above exception|The above exception was the direct cause)/;
const ENGINE = /(?:^|\/)(engine\/.+)$/;

/** `body` holds the source line and its marks, as Python prints them. */
/** @typedef {{ file: string, line: number, name: string, body: string[] }} Frame */
/** @typedef {{ frames: Frame[], message: string[] }} Section */
/** `line` is the student's line to mark, or null; `last` is what went wrong; `text` is for reading. */
/** @typedef {{ text: string, last: string, line: number | null }} Short */

/** @param {string[]} lines @returns {Section} */
function readSection(lines) {
  /** @type {Frame[]} */
  const frames = [];
  /** @type {string[]} */
  const message = [];
  for (const text of lines) {
    const found = message.length ? null : FRAME.exec(text);
    const frame = frames.at(-1);
    if (found) frames.push({ file: found[1] ?? "", line: Number(found[2]), name: found[3] ?? "", body: [] });
    else if (!message.length && frame && /^ {2,}/.test(text)) frame.body.push(text);
    else if (message.length || !/^(Traceback \(most recent call last\):)?$/.test(text)) message.push(text);
  }
  return { frames, message };
}

/** One section for each exception of a chain, and what Python says between them. @param {string} traceback */
function readChain(traceback) {
  /** @type {{ connector: string, lines: string[] }[]} */
  const parts = [{ connector: "", lines: [] }];
  for (const line of traceback.trimEnd().split("\n")) {
    if (CONNECTOR.test(line)) parts.push({ connector: line, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ connector, lines }) => ({ connector, ...readSection(lines) }));
}

/** @param {Frame} frame */
const isOwn = (frame) => frame.file === OWN_FILE;

/** The student's frames, and the last of each run of the engine's that they called into. @param {Frame[]} frames */
function helpful(frames) {
  const first = frames.findIndex(isOwn);
  const near = frames.slice(Math.max(first, 0)).filter((frame) => isOwn(frame) || ENGINE.test(frame.file));
  return near.filter((frame, i) => isOwn(frame) || !near[i + 1] || isOwn(/** @type {Frame} */ (near[i + 1])));
}

/** @param {Frame} frame @param {string[]} source the student's lines */
function showFrame(frame, source) {
  const place = isOwn(frame) ? "Your code" : (ENGINE.exec(frame.file)?.[1] ?? frame.file);
  const where = frame.name && frame.name !== "<module>" ? `, in ${frame.name}` : "";
  const line = isOwn(frame) ? source[frame.line - 1]?.trim() : "";
  const body = frame.body.length || !line ? frame.body : [`    ${line}`];
  return [`${place}, line ${frame.line}${where}`, ...body];
}

/** @param {string} traceback Python's whole text @param {string} code what ran @returns {Short} */
export function shorten(traceback, code) {
  const chain = readChain(traceback);
  const source = code.split("\n");
  const text = chain.flatMap(({ connector, frames, message }) => [
    ...(connector ? ["", connector, ""] : []),
    ...helpful(frames).flatMap((frame) => showFrame(frame, source)),
    ...message.filter((line, i) => line !== "" || i < message.length - 1),
  ]);
  const end = /** @type {Section} */ (chain.at(-1));
  return {
    text: text.join("\n").trim(),
    last: end.message[0] ?? traceback.trim().split("\n").at(-1) ?? "",
    line: end.frames.filter(isOwn).at(-1)?.line ?? null,
  };
}
