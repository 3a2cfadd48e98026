/**
 * One notebook, one tab that works on it. The one that came later is told, and looks on until its student says
 * *Use it here*: then the other saves and looks on in its turn. So no tab ever overwrites another's work.
 */
import { COURSE } from "./course.js";
import { notice, withdraw } from "./notice.js";
import { tell } from "./state.js";

const CHANNEL = `${COURSE}/lab-tabs`;
const ANSWER_MS = 700;

const TEXT = {
  away: "This notebook is open in another tab, and is kept from changes here, so that neither overwrites the other.",
  here: "Use it here",
  back: "You work on this notebook here now; the other tab looks on.",
};

/** @typedef {{ kind: "hello" | "mine" | "give" | "given" | "bye", path: string, from: string, to?: string }} Word */

/** Ids begin with the time of birth, so that the elder of two is known. */
const newId = () => `${Date.now().toString(36).padStart(9, "0")}-${Math.random().toString(36).slice(2)}`;

/** Null where the browser has none, or refuses it together with its storage: then nothing is kept that tabs could share. */
function openChannel() {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

export class Presence {
  #id = newId();
  #channel = openChannel();
  #away = false;
  #panel;
  #files;
  #save;
  /** @type {(() => void) | null} */
  #given = null;

  /** @param {any} panel the notebook @param {import("./files.js").Files} files @param {() => Promise<void>} save */
  constructor(panel, files, save) {
    this.#panel = panel;
    this.#files = files;
    this.#save = save;
    this.#channel?.addEventListener("message", ({ data }) => void this.#hear(data));
    window.addEventListener("pagehide", () => this.#say("bye"));
    window.addEventListener("pageshow", ({ persisted }) => persisted && void this.#comeBack());
    document.addEventListener("resume", () => void this.#comeBack());
    this.#say("hello");
  }

  /** A tab that the browser put by missed what was said: it is the youngest now, and shows what others saved meanwhile. */
  async #comeBack() {
    this.#id = newId();
    this.#say("hello");
    const { context } = this.#panel;
    const stored = await this.#files.lastModified(context.path).catch(() => null);
    if (stored && stored !== context.contentsModel?.last_modified && !context.model.dirty) await context.revert();
  }

  /** @param {Word["kind"]} kind @param {string} [to] */
  #say(kind, to) {
    this.#channel?.postMessage({ kind, path: this.#panel.context.path, from: this.#id, to });
  }

  /** @param {Word} word */
  async #hear({ kind, path, from, to }) {
    if (path !== this.#panel.context.path || (to !== undefined && to !== this.#id)) return;
    // Of two that open at once, the elder works.
    if (kind === "hello" && !this.#away && this.#id < from) this.#say("mine", from);
    if (kind === "mine") this.#lookOn();
    if (kind === "give" && !this.#away) {
      await this.#save();
      this.#lookOn();
      this.#say("given", from);
    }
    if (kind === "given") this.#given?.();
    if (kind === "bye" && this.#away) await this.#takeOver();
  }

  #lookOn() {
    this.#away = true;
    this.#panel.node.inert = true;
    tell({ away: true, word: TEXT.away });
    notice("tabs", TEXT.away, { [TEXT.here]: () => this.#takeOver() });
  }

  /** Ask for the notebook, and take it when the other gave it or doesn't answer. */
  async #takeOver() {
    await new Promise((resolve) => {
      this.#given = () => resolve(undefined);
      setTimeout(resolve, ANSWER_MS);
      this.#say("give");
    });
    await this.#panel.context.revert();
    this.#away = false;
    this.#panel.node.inert = false;
    withdraw("tabs");
    tell({ away: false, word: TEXT.back });
  }
}
