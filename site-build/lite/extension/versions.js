/**
 * A student's notebook and the lab's. Nothing is overwritten in silence: an updated lab is offered beside the
 * student's own work, and *Start over* keeps what it replaces.
 */
import { ask } from "./dialog.js";
import { mine, sameText } from "./files.js";
import { notice, withdraw } from "./notice.js";
import { current, tell } from "./state.js";

/** @typedef {import("./files.js").Files} Files */
/** @typedef {import("./files.js").Notebook} Notebook */

const TEXT = {
  newer:
    "This lab has changed since you started. You see your own notebook, as you left it. You can go on with it, take " +
    "the new one in its place, or take the new one and keep yours as a file.",
  keep: "Keep mine",
  take: "Take the new one",
  both: "Keep both",
  kept: "You go on with your own notebook.",
  taken: "This is the new notebook. Yours was replaced.",
  beside: (/** @type {string} */ name) => `This is the new notebook. Yours is kept as ${name}.`,
  undo: "Undo",
  undone: "Your notebook is back.",
  open: (/** @type {string} */ name) => `Open ${name}`,
  original: "This is the original already.",
  missing: "The original notebook didn't arrive, so nothing was changed. Check the connection, then try again.",
  full: "Nothing was changed: there is no room for a copy of what you have, or the browser's storage is switched off.",
  again: "Try again",
  over: (/** @type {string} */ name) => `This is the original notebook. What you had is kept as ${name}.`,
  sure: {
    title: "Start over?",
    text: "The original notebook comes back, and Python restarts. What you have now is kept as a file, so that you can undo this.",
    yes: "Start over",
  },
};

export class Versions {
  #context;
  #files;
  #restart;
  /** @type {(() => Promise<void>) | null} */
  #undo = null;

  /** @param {any} context the notebook's @param {Files} files @param {() => Promise<void>} restart Python */
  constructor(context, files, restart) {
    this.#context = context;
    this.#files = files;
    this.#restart = restart;
  }

  /** Tell the student where the lab has moved on. */
  async compare() {
    const own = this.#course();
    const isLab = this.#context.path === `${own.lab}.ipynb`;
    tell({ lab: isLab ? own.lab : null });
    const shipped = isLab ? await this.#files.shipped(this.#context.path).catch(() => null) : null;
    const text = shipped?.metadata.course?.text;
    if (!shipped || !own.text || own.text === text || own.kept === text) return;
    notice("version", TEXT.newer, {
      [TEXT.keep]: () => this.#keep(text),
      [TEXT.take]: () => this.#take(shipped),
      [TEXT.both]: () => this.#both(shipped),
    });
    tell({ word: TEXT.newer });
  }

  /** Bring the original back; asks where something was written. @param {Document} host */
  async startOver(host) {
    if (!current().lab || current().away) return;
    withdraw("refused");
    const shipped = await this.#files.shipped(this.#context.path).catch(() => null);
    if (!shipped) {
      this.#refuse(TEXT.missing, () => this.startOver(host));
      return;
    }
    const own = this.#now();
    if (sameText(own, shipped)) {
      await this.#replace(shipped);
      tell({ word: TEXT.original });
      return;
    }
    if (!(await ask(TEXT.sure, host))) return;
    const name = await this.#beside(own, () => this.startOver(host));
    if (!name) return;
    await this.#replace(shipped);
    await this.#restart();
    withdraw("version");
    this.#offer(TEXT.over(name), own, name);
  }

  /** Take the last replacement back. */
  async undo() {
    await this.#undo?.();
  }

  /** @returns {import("./files.js").Course} */
  #course() {
    return this.#context.model.getMetadata("course") ?? {};
  }

  /** @returns {Notebook} */
  #now() {
    return structuredClone(this.#context.model.toJSON());
  }

  /** Keep what stands here as a file. @param {Notebook} own @param {() => unknown} again @returns {Promise<string | null>} its name; null where it can't be kept, which is told */
  #beside(own, again) {
    return this.#files.writeBeside(mine(this.#context.path, new Date()), own).catch(() => this.#refuse(TEXT.full, again));
  }

  /** @param {string} why @param {() => unknown} again */
  #refuse(why, again) {
    tell({ word: why });
    notice("refused", why, { [TEXT.again]: again });
    return null;
  }

  /** @param {Notebook} content */
  async #replace(content) {
    this.#context.model.fromJSON(content);
    await this.#save();
  }

  /** What fails is told, and tried again, by `saving.js`. */
  async #save() {
    await this.#context.save().catch(() => {});
  }

  /** @param {string | undefined} text the version that isn't wanted */
  async #keep(text) {
    this.#context.model.setMetadata("course", { ...this.#course(), kept: text });
    await this.#save();
    tell({ word: TEXT.kept });
  }

  /** @param {Notebook} shipped */
  async #take(shipped) {
    const own = this.#now();
    await this.#replace(shipped);
    this.#offer(TEXT.taken, own, null);
  }

  /** @param {Notebook} shipped */
  async #both(shipped) {
    const name = await this.#beside(this.#now(), () => this.#both(shipped));
    if (!name) return;
    await this.#replace(shipped);
    notice("undo", TEXT.beside(name), { [TEXT.open(name)]: () => open(name) });
    tell({ word: TEXT.beside(name) });
  }

  /**
   * Say what was done, and offer to take it back.
   * @param {string} words @param {Notebook} own @param {string | null} copy a file that undoing makes needless
   */
  #offer(words, own, copy) {
    this.#undo = async () => {
      this.#undo = null;
      withdraw("undo");
      await this.#replace(own);
      if (copy) await this.#files.remove(copy).catch(() => {});
      tell({ undo: false, word: TEXT.undone });
    };
    notice("undo", words, { [TEXT.undo]: () => this.undo() });
    tell({ undo: true, word: words });
  }
}

/** Show another notebook in this place. @param {string} name */
export function open(name) {
  const there = new URL(location.href);
  there.searchParams.set("path", name);
  tell({ phase: "loading", progress: { loaded: 0, total: 0 } });
  location.assign(there);
}
