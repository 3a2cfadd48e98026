/**
 * <trace-player>: draws any trace, and is driven, stepped and read aloud. What stands inside the element is shown
 * until a trace is open, and after a failure.
 *
 *     <trace-player src="x.trace.jsonl" compare="y.trace.jsonl" views="timeline blocks" moment="step:7" choice="r3">
 *
 * A trace may also stand in it, in a `<template>`; a second one is what it is compared with. Attributes that a script changes
 * are followed; the player itself changes none.
 */
import { make } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { choiceIn, fragment, momentIn, placeIn, written } from "./lib/trace/link.js";
import { TraceModel } from "./lib/trace/model.js";
import { TraceProblem } from "./lib/trace/problem.js";
import { readTrace } from "./lib/trace/read.js";
import { Shell } from "./lib/trace/shell.js";
import { asModel, feed, fetched, lastPart } from "./lib/trace/source.js";
import styles from "./lib/trace/styles.css";

const TEXT = { reading: "Reading the trace" };
const DEFAULT_VIEWS = "timeline blocks queue";
/** A file that takes longer gets a bar that says how far it is. */
const PATIENCE_MS = 300;

/** @typedef {import("./lib/trace/source.js").Source} Source */

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

class TracePlayer extends CourseElement {
  static observedAttributes = ["src", "compare", "views", "moment", "choice"];

  /** @type {Shell | null} */
  #shell = null;
  /** @type {AbortController | null} */
  #opening = null;
  /** Whether what its own markup names is still to be opened. */
  #opensOwn = false;
  /** Whether it is on a page and was set up. */
  #connected = false;
  /** What is said of a trace that isn't open. */
  #state = make("div");
  #fallback = make("slot");
  /** The one line that is read out. */
  #live = make("p", { class: "unseen", role: "status" });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#state, this.#fallback, this.#live);
  }

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    addEventListener("hashchange", () => this.#restore(), { signal });
    this.#connected = true;
    this.onEnd(() => this.#leave());
    if (this.#model) this.#comeBack(this.#model);
    if (!this.#model || this.#opensOwn) this.#openOwn();
  }

  /** Nothing of a player that has left the page stays behind but its trace. */
  #leave() {
    this.#connected = false;
    // Its own markup is opened anew where it comes back; what a script gave it is read on.
    if (this.#opensOwn) this.#opening?.abort();
    if (!this.#shell) return;
    this.#stood = { moment: this.#shell.moment, choice: this.#shell.choice };
    this.#shell.destroy();
    this.#shell = null;
  }

  /** It was moved to another place: it goes on where it stood. @param {TraceModel} model */
  #comeBack(model) {
    this.#show(model, this.#other);
    if (!this.#stood) return model.complete ? undefined : this.#shell?.follow();
    const { moment, choice } = this.#stood;
    if (moment) this.#shell?.go(moment);
    if (choice) this.#shell?.choose(choice);
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (!this.#connected) return before === after ? undefined : this.#changedAway(name);
    // Before a trace is open, an attribute is read when its time has come.
    if (name === "src" || name === "compare") return before === after ? undefined : this.#openOwn();
    if (name === "views") return this.#shell?.open(this.#views);
    if (name === "choice" && !after) return this.#shell?.choose({ request: null, block: null });
    this.#place(name === "moment" ? (after ?? "") : "", name === "choice" ? (after ?? "") : "");
  }

  /** Off the page nothing is opened: it is where it comes back, and doesn't stand then where it stood. @param {string} name */
  #changedAway(name) {
    if (name === "moment" || name === "choice") delete this.#stood?.[name];
    else if (name !== "views") this.#opensOwn = true;
  }

  /** Open what the element's own markup names. */
  #openOwn() {
    const { src, compare } = this;
    const inside = [...this.querySelectorAll("template")].map((each) => each.content.textContent ?? "");
    const [one, other] = src ? [src, compare] : inside;
    if (!one) return;
    const opened = src ? this.#openAddresses(one, other) : other ? this.openPair(one, other) : this.open(one);
    this.#opensOwn = true;
    const { signal } = /** @type {AbortController} */ (this.#opening);
    const end = () => {
      if (!signal.aborted) this.#opensOwn = false;
    };
    // A problem was shown and told by an event; nobody else waits for it.
    opened.then(end, end);
  }

  get src() {
    return this.getAttribute("src") ?? "";
  }
  set src(address) {
    this.setAttribute("src", address);
  }

  get compare() {
    return this.getAttribute("compare") ?? "";
  }

  /** The trace that is open. @returns {TraceModel | null} */
  get model() {
    return this.#model;
  }
  /** @type {TraceModel | null} */
  #model = null;
  /** What it is compared with. @type {TraceModel | null} */
  #other = null;
  /** Where it stood when it left the page. @type {{ moment?: import("./lib/trace/clock.js").Moment, choice?: import("./lib/trace/panels.js").Choice } | null} */
  #stood = null;

  /**
   * Show a trace. Rejects with a `TraceProblem`; what was open stays open then.
   * @param {Source} source @param {{ name?: string }} [options] `name` stands for the file in a problem
   */
  async open(source, { name } = {}) {
    await this.#busy(async (reading) => this.#show(await asModel(source, { ...reading, name }), null));
  }

  /** Show two traces of one workload. @param {Source} a @param {Source} b @param {{ names?: [string, string] }} [options] */
  async openPair(a, b, { names = ["the first trace", "the second trace"] } = {}) {
    await this.#busy(async (reading) => {
      const one = await asModel(a, { ...reading, name: names[0] });
      this.#show(one, await asModel(b, { ...reading, name: names[1] }));
    });
  }

  /**
   * Show a trace as it comes. Throws a `TraceProblem` for a header, and for a record, that can't be.
   * @param {any} header the trace's first line
   */
  begin(header) {
    this.#opening?.abort();
    this.#opensOwn = false;
    const model = new TraceModel(header);
    this.#stood = null;
    this.#show(model, null);
    this.#shell?.follow();
    return feed(model, () => {
      if (this.#model === model) this.#shell?.refresh();
    });
  }

  /** Go to a step, or else to a time of the trace. @param {{ step?: number, at?: number }} moment */
  go(moment) {
    this.#shell?.go(moment);
  }

  /** Choose a request or a block in every view. @param {{ request?: number | null, block?: number | null }} choice */
  choose(choice) {
    this.#shell?.choose(choice);
  }

  /** @param {string} src @param {string} compare */
  async #openAddresses(src, compare) {
    await this.#busy(async (reading) => {
      const [one, other] = await Promise.all([src, compare].map((address) => (address ? fetched(address, reading.signal) : null)));
      const model = await asModel(one ?? "", { ...reading, name: lastPart(src) });
      this.#show(model, other && (await asModel(other, { ...reading, name: lastPart(compare) })));
    });
  }

  /** @param {(reading: { signal: AbortSignal, progress: (share: number) => void }) => Promise<void>} work */
  async #busy(work) {
    this.#opening?.abort();
    this.#opensOwn = false;
    this.#stood = null;
    const opening = new AbortController();
    this.#opening = opening;
    const bar = make("progress", { max: 1, "aria-label": TEXT.reading });
    const shown = setTimeout(() => this.#state.replaceChildren(make("div", { class: "reading" }, TEXT.reading, bar)), PATIENCE_MS);
    try {
      await work({ signal: opening.signal, progress: (share) => (bar.value = share) });
      this.#state.replaceChildren();
    } catch (problem) {
      if (!opening.signal.aborted) this.#complain(problem);
      throw problem;
    } finally {
      clearTimeout(shown);
    }
  }

  /** @param {unknown} problem */
  #complain(problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    this.#state.replaceChildren(make("p", { class: "problem" }, message));
    this.#say(message);
    this.#emit("trace-problem", { message });
  }

  /** @param {TraceModel} model @param {TraceModel | null} other */
  #show(model, other) {
    this.#shell?.destroy();
    this.#model = model;
    this.#other = other;
    // One that isn't on the page has nothing to draw on: it is shown once it is put there.
    if (!this.isConnected) return;
    this.#shell = new Shell(model, other, this.#views, {
      moment: (moment) => this.#emit("trace-moment", moment),
      choice: (choice) => this.#emit("trace-choice", { ...choice, id: choice.request === null ? null : model.requests.ids[choice.request] }),
      say: (words) => this.#say(words),
      link: () => this.#link(),
    });
    this.#state.replaceChildren();
    this.#fallback.hidden = true;
    this.shadowRoot?.append(this.#shell.node);
    this.#place(this.getAttribute("moment") ?? "", this.getAttribute("choice") ?? "", (moment) => this.#shell?.begin(moment));
    this.#restore();
  }

  /** Which views stand open. */
  get #views() {
    return (this.getAttribute("views") ?? (this.#other ? `compare ${DEFAULT_VIEWS}` : DEFAULT_VIEWS)).split(/\s+/);
  }

  /** @param {string} words */
  #say(words) {
    // The same words again are said again: a live region only tells of a change.
    this.#live.textContent = this.#live.textContent === words ? `${words} ` : words;
  }

  /** @param {string} name @param {unknown} detail */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** How a link names this player: by its id, else by its place on the page. */
  get #name() {
    return this.id || String([...document.querySelectorAll("trace-player")].indexOf(this) + 1);
  }

  /** @returns {Promise<boolean>} whether it could be copied */
  async #link() {
    if (!this.#shell || !this.#model) return false;
    const { moment, choice } = this.#shell;
    const place = written(this.#model, moment, choice);
    const hash = fragment(location.hash, this.#name, place);
    history.replaceState(history.state, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      return true;
    } catch {
      return false;
    }
  }

  /** Go where the address says, if it speaks of this player. */
  #restore() {
    const place = placeIn(location.hash, this.#name);
    if (!place || !this.#shell) return;
    this.#place(place.moment, place.choice);
    this.scrollIntoView();
  }

  /** @param {string} moment `step:7` or `at:1000` @param {string} choice a request's id, or `block:5` @param {(moment: Partial<import("./lib/trace/clock.js").Moment>) => void} [go] */
  #place(moment, choice, go = (there) => this.go(there)) {
    if (!this.#shell || !this.#model) return;
    const there = momentIn(this.#model, moment);
    // Where it stands already it plays on: a page may write what it hears into the attribute.
    if (there && !this.#shell.standsAt(there)) go(there);
    const chosen = choiceIn(this.#model, choice);
    if (chosen) this.#shell.choose(chosen);
  }
}

export { TraceModel, TracePlayer, TraceProblem, readTrace };
customElements.define("trace-player", TracePlayer);
