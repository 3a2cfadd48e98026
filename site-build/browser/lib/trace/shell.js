/** The player around its views: title, source, playback, panels, keys. */
import { make } from "../dom.js";
import { happenings, nextEvent, EVENT_NAMES } from "./events.js";
import { commandOf, helpDialog } from "./keys.js";
import { count } from "./language.js";
import { Panels } from "./panels.js";
import { Playback } from "./play.js";
import { Transport, signButton } from "./transport.js";

const TEXT = {
  link: "Copy a link to this moment",
  help: "Keys",
  copied: "Link copied.",
  address: "The link is in the address bar.",
  nothing: (/** @type {string} */ kind, /** @type {1 | -1} */ way) => `No ${way > 0 ? "further" : "earlier"} ${kind}.`,
  chosen: (/** @type {string} */ what) => `Chosen: ${what}.`,
  cleared: "Nothing chosen.",
  cut: (/** @type {string} */ why) => `Not whole: ${why}.`,
  lost: (/** @type {number} */ gaps) => `${count(gaps, "stretch", "stretches")} of it ${gaps === 1 ? "is" : "are"} lost.`,
};

const SOURCES = /** @type {Record<string, string>} */ ({ simulated: "Simulated", recorded: "Recorded", live: "Live" });

/** @typedef {import("./model.js").TraceModel} TraceModel */
/** @typedef {import("./clock.js").Moment} Moment */
/** @typedef {import("./panels.js").Choice} Choice */
/** @typedef {{ moment: (moment: Moment) => void, choice: (choice: Choice) => void, say: (words: string) => void, link: () => Promise<boolean> }} Told what the element does when something changed */

export class Shell {
  #model;
  #told;
  #transport;
  #panels;
  #playback;
  /** @type {Choice} */
  #choice = { request: null, block: null };
  #note = make("p", { class: "note" });
  #badge = make("span", { class: "badge" });
  #help;
  #drawing = 0;
  #life = new AbortController();
  /** Whether the latest moment is looked at, so that a live trace takes the player along. */
  #follows = false;

  /** @param {TraceModel} model @param {TraceModel | null} other @param {string[]} views @param {Told} told */
  constructor(model, other, views, told) {
    this.#model = model;
    this.#told = told;
    const { signal } = this.#life;
    this.#playback = new Playback(model, () => this.#moved());
    this.#help = helpDialog(signal);
    const shell = this;
    this.#panels = new Panels({
      model,
      other,
      get choice() {
        return shell.#choice;
      },
      choose: (choice) => this.choose(choice),
      go: (moment) => this.go(moment),
      say: (words) => this.say(words),
      signal,
    }, views);
    this.#transport = new Transport(model, this.#playback, {
      toggle: () => this.#toggle(),
      step: (way) => this.#step(way),
      go: (place) => this.#to(place),
      jump: (kind, way) => this.#jump(kind, way),
    }, signal);
    const tools = make("div", { class: "cluster tools" }, signButton(TEXT.link, "link", () => void this.#link(), signal), this.#helpButton(signal));
    const title = make("p", { class: "title" }, this.#badge, " ", make("strong", {}, namesOf(model, other)), " ", make("span", { class: "about" }, model.header.about));
    this.node = make("div", { class: "player" }, make("div", { class: "top" }, title, tools), this.#note, this.#transport.node, this.#panels.node, this.#help);
    this.node.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.refresh();
  }

  /** @param {AbortSignal} signal */
  #helpButton(signal) {
    const node = make("button", { type: "button", class: "button sign", "aria-label": TEXT.help, title: TEXT.help, "aria-haspopup": "dialog" }, "?");
    node.addEventListener("click", () => this.#help.showModal(), { signal });
    return node;
  }

  /** @returns {Moment} */
  get moment() {
    return this.#playback.moment;
  }

  /** @returns {Choice} */
  get choice() {
    return this.#choice;
  }

  /** Go to a step, or else to a time. @param {Partial<Moment>} moment */
  go(moment) {
    this.#to(this.#placeOf(moment));
  }

  /** Begin at a step or at a time: nobody has asked to hear of it. @param {Partial<Moment>} moment */
  begin(moment) {
    this.#playback.go(this.#placeOf(moment));
  }

  /** @param {Partial<Moment>} moment */
  standsAt(moment) {
    return this.#placeOf(moment) === this.#playback.place;
  }

  /** @param {Partial<Moment>} moment */
  #placeOf({ step, at = 0 }) {
    const { clock } = this.#playback;
    return step !== undefined && clock.hasSteps ? clock.ofStep(step) : clock.ofTime(at);
  }

  /** Let just these views stand open. @param {readonly string[]} views */
  open(views) {
    this.#panels.open(views);
  }

  /** @param {Partial<Choice>} choice what it leaves out stays */
  choose(choice) {
    const next = { ...this.#choice, ...choice };
    if (next.request === this.#choice.request && next.block === this.#choice.block) return;
    this.#choice = next;
    this.#told.choice(next);
    this.#draw();
  }

  /** Say it to whoever listens. @param {string} words */
  say(words) {
    this.#told.say(words);
  }

  /** Look again at a model that has grown. */
  refresh() {
    const { header, complete, problem, gaps } = this.#model;
    const runs = header.source === "live" && !complete && !problem;
    this.#badge.textContent = runs ? "Live, running" : SOURCES[header.source];
    this.#badge.dataset.source = header.source;
    const note = [problem && TEXT.cut(problem), gaps.length && TEXT.lost(gaps.length)].filter(Boolean).join(" ");
    if (note && note !== this.#note.textContent) this.say(note);
    this.#note.textContent = note;
    if (this.#follows && !this.#playback.playing) this.#playback.go(this.#playback.clock.last);
    this.#draw();
  }

  /** Keep to the latest moment as the trace grows. */
  follow() {
    this.#follows = true;
    this.refresh();
  }

  destroy() {
    cancelAnimationFrame(this.#drawing);
    this.#playback.pause();
    this.#life.abort();
    this.#panels.destroy();
    this.node.remove();
  }

  #toggle() {
    if (this.#playback.playing) this.#playback.pause();
    else this.#playback.play();
    this.#follows = false;
    if (!this.#playback.playing) this.#tell();
  }

  /** @param {1 | -1} way */
  #step(way) {
    this.#to(this.#playback.place + way);
  }

  /** @param {number} place */
  #to(place) {
    this.#playback.go(place);
    this.#follows = this.#playback.atEnd && !this.#model.complete;
    this.#tell();
  }

  /** @param {import("./events.js").EventKind} kind @param {1 | -1} way */
  #jump(kind, way) {
    const place = nextEvent(this.#model, this.#playback.clock, kind, this.#playback.place, way);
    if (place === null) this.say(TEXT.nothing(EVENT_NAMES[kind], way));
    else this.#to(place);
  }

  #tell() {
    this.say(happenings(this.#model, this.moment));
  }

  #moved() {
    this.#told.moment(this.moment);
    this.#draw();
  }

  #draw() {
    this.#drawing ||= requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#transport.show();
      this.#panels.show(this.moment, !this.#playback.playing);
    });
  }

  async #link() {
    this.say((await this.#told.link()) ? TEXT.copied : TEXT.address);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const command = this.#help.open ? null : commandOf(event);
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    switch (command) {
      case "toggle": return this.#toggle();
      case "back": return this.#step(-1);
      case "step": return this.#step(1);
      case "previous": return this.#jump(this.#transport.kind, -1);
      case "next": return this.#jump(this.#transport.kind, 1);
      case "first": return this.#to(0);
      case "last": return this.#to(this.#playback.clock.last);
      case "link": return void this.#link();
      case "help": return this.#help.showModal();
      case "clear":
        this.choose({ request: null, block: null });
        return this.say(TEXT.cleared);
    }
  }
}

/** What the player shows, by name: both traces of a pair. @param {TraceModel} model @param {TraceModel | null} other */
function namesOf(model, other) {
  return [...new Set([model.header.name, ...(other ? [other.header.name] : [])])].join(" and ");
}
