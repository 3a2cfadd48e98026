/**
 * A small batch that moves: the traces that a figure carries, drawn side by side on one clock.
 *
 * The figure's own pictures stand in the page and are all there is without this module. It plays once, when
 * it comes into view, and can be paused at any step. Where less motion is asked for it stands still at the
 * end, and the slider goes through the steps.
 */
import { button, make } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { idleSteps, readSchedule, waitingAt } from "./lib/schedule.js";

const STEP_MS = 850;
const PENCILS = 6;

const TEXT = {
  play: "Play",
  pause: "Pause",
  again: "Play again",
  slider: "Steps done",
  queue: "waiting",
  nobody: "nobody waits",
  done: (/** @type {number} */ steps, /** @type {number} */ idle) => `done after ${steps} steps, ${idle} slot-steps idle`,
  at: (/** @type {number} */ step) => `${step} ${step === 1 ? "step" : "steps"} done`,
};

/** @typedef {import("./lib/schedule.js").Schedule} Schedule */

class CourseBatch extends CourseElement {
  /** @type {Lane[]} */
  #lanes = [];
  #steps = 0;
  /** Steps done, with the part of the one that runs. */
  #now = 0;
  #frame = 0;
  #button = button(TEXT.play);
  #slider = make("input", { type: "range", min: 0, step: 1, "aria-label": TEXT.slider });
  #count = make("span", { class: "batch-count", "aria-hidden": "true" });

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    const schedules = [...this.querySelectorAll("template")].map((each) => readSchedule(each.content.textContent ?? ""));
    if (!schedules.length) return;
    this.#steps = Math.max(...schedules.map(({ steps }) => steps));
    this.#slider.max = String(this.#steps);
    this.#lanes = schedules.map((schedule) => new Lane(schedule, this.#steps));
    const controls = make("div", { class: "batch-controls" }, this.#button, this.#slider, this.#count);
    this.prepend(this.own(make("div", { class: "batch" }, ...this.#lanes.map((lane) => lane.node), controls)));
    this.toggleAttribute("data-moves", true);
    this.onEnd(() => (this.#stop(), this.removeAttribute("data-moves")));

    this.#button.addEventListener("click", () => (this.#frame ? this.#stop() : this.#play()), { signal });
    this.#slider.addEventListener("input", () => (this.#stop(), this.#go(Number(this.#slider.value))), { signal });
    const still = matchMedia("(prefers-reduced-motion: reduce)");
    still.addEventListener("change", () => still.matches && this.#stop(), { signal });
    this.#go(still.matches ? this.#steps : 0);
    this.#stop();
    if (!still.matches) this.#playInView();
  }

  #playInView() {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      this.#play();
    }, { threshold: 0.6 });
    observer.observe(this);
    this.onEnd(() => observer.disconnect());
  }

  #play() {
    if (this.#now >= this.#steps) this.#go(0);
    let before = performance.now();
    const tick = (/** @type {number} */ time) => {
      // A tab that was away goes on where it stood.
      this.#go(Math.min(this.#steps, this.#now + Math.min(time - before, 100) / STEP_MS));
      before = time;
      if (this.#now < this.#steps) this.#frame = requestAnimationFrame(tick);
      else this.#stop();
    };
    this.#frame = requestAnimationFrame(tick);
    this.#button.textContent = TEXT.pause;
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#button.textContent = this.#now >= this.#steps ? TEXT.again : TEXT.play;
  }

  /** @param {number} now */
  #go(now) {
    this.#now = now;
    const done = Math.floor(now);
    this.style.setProperty("--now", now.toFixed(3));
    this.#slider.value = String(done);
    this.#slider.setAttribute("aria-valuetext", TEXT.at(done));
    this.#count.textContent = TEXT.at(done);
    for (const lane of this.#lanes) lane.show(now);
  }
}

/** One trace: its queue, its slots, and what came of it. The styles place everything by steps. */
class Lane {
  #schedule;
  #words = make("span", { class: "batch-words" });
  /** @type {Map<import("./lib/schedule.js").Run, HTMLElement>} */
  #chips = new Map();

  /** @param {Schedule} schedule @param {number} steps how many the picture has room for */
  constructor(schedule, steps) {
    this.#schedule = schedule;
    const stage = make("div", { class: "batch-stage", "aria-hidden": "true" });
    stage.style.setProperty("--slots", String(schedule.slots));
    stage.style.setProperty("--steps", String(steps));
    for (const gap of schedule.gaps) stage.append(bar("", gap, "batch-gap"));
    const names = [...schedule.runs].sort((a, b) => a.arrived - b.arrived || a.from - b.from).map((run) => run.id);
    for (const run of schedule.runs) {
      const pencil = (names.indexOf(run.id) % PENCILS) + 1;
      const chip = bar(run.id, run, "batch-chip", pencil);
      this.#chips.set(run, chip);
      stage.append(bar("", run, "batch-run", pencil), chip);
    }
    const title = make("p", { class: "batch-title" }, make("strong", {}, schedule.name), " ", this.#words);
    this.node = make("div", { class: "batch-lane" }, title, stage);
  }

  /** @param {number} now */
  show(now) {
    const waiting = waitingAt(this.#schedule, now);
    for (const [run, chip] of this.#chips) {
      const place = waiting.indexOf(run);
      chip.dataset.where = place >= 0 ? "waits" : run.from <= now ? "seated" : "away";
      if (place >= 0) chip.style.setProperty("--place", String(place));
    }
    const { steps } = this.#schedule;
    const ended = now >= steps;
    this.node.toggleAttribute("data-done", ended);
    const words = ended ? TEXT.done(steps, idleSteps(this.#schedule)) : waiting.length ? `${waiting.length} ${TEXT.queue}` : TEXT.nobody;
    if (this.#words.textContent !== words) this.#words.textContent = words;
  }
}

/**
 * @param {string} label @param {{ slot: number, from: number, to: number }} where @param {string} name
 * @param {number} [pencil]
 */
function bar(label, { slot, from, to }, name, pencil) {
  const node = make("span", { class: name }, label);
  for (const [key, value] of Object.entries({ slot, from, to })) node.style.setProperty(`--${key}`, String(value));
  if (pencil) {
    node.style.setProperty("--fill", `var(--course-request-${pencil})`);
    node.style.setProperty("--ink", `var(--course-request-${pencil}-ink)`);
    node.style.setProperty("--line", `var(--course-request-${pencil}-line)`);
  }
  return node;
}

customElements.define("course-batch", CourseBatch);
