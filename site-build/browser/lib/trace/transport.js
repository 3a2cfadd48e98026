/** The bar that drives the player: play, step, jump, speed, and a slider over all moments. */
import { make } from "../dom.js";
import { EVENT_NAMES, momentWords } from "./events.js";
import { icon } from "./icons.js";
import { number } from "./language.js";
import { say } from "./parts.js";
import { SPEEDS } from "./play.js";

const TEXT = {
  bar: "Playback",
  play: "Play",
  pause: "Pause",
  back: "One step back",
  step: "One step on",
  slider: "Moment",
  jump: "Jump to",
  kind: "Kind of event to jump to",
  previous: (/** @type {string} */ kind) => `Previous ${kind}`,
  next: (/** @type {string} */ kind) => `Next ${kind}`,
  speed: "Speed",
  rate: (/** @type {number} */ speed, /** @type {boolean} */ steps) => `${number(speed)} ${steps ? "step" : "event"}${speed === 1 ? "" : "s"}/s`,
};

/** @typedef {import("./events.js").EventKind} EventKind */
/** @typedef {{ toggle: () => void, step: (way: 1 | -1) => void, go: (place: number) => void, jump: (kind: EventKind, way: 1 | -1) => void }} Drive */

/** A button with a sign. @param {string} label @param {Parameters<typeof icon>[0]} sign @param {() => void} act @param {AbortSignal} signal */
export function signButton(label, sign, act, signal) {
  const node = make("button", { type: "button", class: "button sign", "aria-label": label, title: label }, icon(sign));
  node.addEventListener("click", act, { signal });
  return node;
}

export class Transport {
  #playback;
  #model;
  #play;
  #previous;
  #next;
  #slider = make("input", { type: "range", min: 0, step: 1, class: "slider", "aria-label": TEXT.slider });
  #now = make("span", { class: "now" });
  #speeds = make("select", { "aria-label": TEXT.speed });
  #kind = make("select", { "aria-label": TEXT.kind }, ...Object.entries(EVENT_NAMES).map(([value, name]) => make("option", { value }, name)));

  /** @param {import("./model.js").TraceModel} model @param {import("./play.js").Playback} playback @param {Drive} drive @param {AbortSignal} signal */
  constructor(model, playback, drive, signal) {
    this.#model = model;
    this.#playback = playback;
    this.#play = signButton(TEXT.play, "play", drive.toggle, signal);
    this.#play.classList.add("main");
    this.#previous = signButton("", "previous", () => drive.jump(this.kind, -1), signal);
    this.#next = signButton("", "next", () => drive.jump(this.kind, 1), signal);
    const back = signButton(TEXT.back, "back", () => drive.step(-1), signal);
    const step = signButton(TEXT.step, "step", () => drive.step(1), signal);
    const steady = make("div", { class: "cluster" }, back, this.#play, step);
    const jump = make("div", { class: "cluster jump" }, make("span", { class: "label", "aria-hidden": "true" }, TEXT.jump), this.#previous, this.#kind, this.#next);
    this.node = make("div", { class: "transport", role: "group", "aria-label": TEXT.bar }, steady, this.#slider, this.#now, jump, this.#speed(signal));
    this.#slider.addEventListener("input", () => drive.go(Number(this.#slider.value)), { signal });
    this.#kind.addEventListener("change", () => this.#name(), { signal });
    this.#name();
    this.show();
  }

  /** @returns {EventKind} */
  get kind() {
    return /** @type {EventKind} */ (this.#kind.value);
  }

  /** @param {AbortSignal} signal */
  #speed(signal) {
    const options = SPEEDS.map((speed) => make("option", { value: speed, selected: speed === this.#playback.speed }));
    this.#speeds.append(...options);
    this.#speeds.addEventListener("change", () => (this.#playback.speed = Number(this.#speeds.value)), { signal });
    return make("div", { class: "cluster speed" }, make("span", { class: "label", "aria-hidden": "true" }, TEXT.speed), this.#speeds);
  }

  #name() {
    for (const [node, words] of /** @type {const} */ ([[this.#previous, TEXT.previous], [this.#next, TEXT.next]])) {
      const label = words(EVENT_NAMES[this.kind]);
      node.setAttribute("aria-label", label);
      node.title = label;
    }
  }

  show() {
    const { playing, place, clock, moment } = this.#playback;
    const label = playing ? TEXT.pause : TEXT.play;
    if (this.#play.getAttribute("aria-label") !== label) {
      this.#play.setAttribute("aria-label", label);
      this.#play.title = label;
      this.#play.replaceChildren(icon(playing ? "pause" : "play"));
    }
    // A live trace may show only later that it knows steps.
    for (const option of this.#speeds.options) say(option, TEXT.rate(Number(option.value), clock.hasSteps));
    this.#slider.max = String(clock.last);
    this.#slider.value = String(place);
    const words = momentWords(this.#model, moment);
    this.#slider.setAttribute("aria-valuetext", words);
    say(this.#now, words);
  }
}
