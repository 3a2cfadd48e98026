/** Traces that hold prompts in plain, because whoever started the server asked its recorder to keep them. */

const MARK = '"prompt_token_ids":';

/** @param {string} text a whole trace */
export const holdsPrompts = (text) => text.includes(MARK);

/** The same trace, its prompts left out: lengths and names of blocks stay, so that it can be replayed. @param {string} text a whole trace */
export const withoutPrompts = (text) => text.split("\n").map((line, place) => (place === 0 || line.includes(MARK) ? bare(line) : line)).join("\n");

/** @param {string} line */
function bare(line) {
  const { prompt_token_ids: _, holds_prompts: __, ...rest } = JSON.parse(line);
  return JSON.stringify(rest);
}
