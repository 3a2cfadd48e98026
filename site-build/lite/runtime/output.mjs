/**
 * Text output in batches, so that a flood of prints drowns neither the page nor the stored notebook. The batches
 * are kept here and not in Python, so that they can be sent while Python is busy with something else.
 */

const HOLD_MS = 40;
const MOST_CHARS = 100_000;

/** Past this, output is a flood: each batch makes the page draw the whole of it anew, so batches get rare. */
const FLOOD_CHARS = 4_000;
const FLOOD_HOLD_MS = 400;
const CUT = `\n[output cut after ${MOST_CHARS.toLocaleString("en")} characters]\n`;

export class Batches {
  #name = "";
  #held = "";
  #left = MOST_CHARS;
  #sent = 0;
  /** @type {(name: string, text: string) => void} */
  #send = () => {};

  /** A new cell or snippet begins: `send` takes its batches. @param {(name: string, text: string) => void} send */
  restart(send) {
    this.flush();
    this.#send = send;
    this.#left = MOST_CHARS;
  }

  /** Take text of one stream, and send it now or soon. @param {string} name @param {string} text */
  write = (name, text) => {
    if (this.#left <= 0 || text === "") return;
    if (name !== this.#name) this.flush();
    if (this.#held === "") setTimeout(this.flush, this.#hold);
    this.#name = name;
    this.#held += text.length < this.#left ? text : text.slice(0, this.#left) + CUT;
    this.#left -= text.length;
    this.tick(performance.now());
  };

  /** Called often while Python is busy. @param {number} now */
  tick(now) {
    if (this.#held !== "" && now - this.#sent >= this.#hold) this.flush();
  }

  get #hold() {
    return MOST_CHARS - this.#left > FLOOD_CHARS ? FLOOD_HOLD_MS : HOLD_MS;
  }

  flush = () => {
    const text = this.#held;
    if (text === "") return;
    this.#held = "";
    this.#sent = performance.now();
    this.#send(this.#name, text);
  };
}
