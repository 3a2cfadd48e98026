/** What stands above the timeline: which axis it has, and how much of it is seen. */
import { make } from "../dom.js";
import { ZOOM } from "./timeline-frame.js";
import { signButton } from "./transport.js";

const TEXT = {
  axis: "Axis",
  time: "By time",
  steps: "By step",
  size: "Zoom",
  closer: "Zoom in",
  wider: "Zoom out",
  whole: "Whole trace",
};

/** @typedef {{ zoom: (factor: number) => void, fit: () => void, axis: (bySteps: boolean) => void }} Acts */

export class Bar {
  /** Empty until there are steps. */
  #axis = make("div", { class: "cluster", role: "group", "aria-label": TEXT.axis });
  #acts;
  #signal;

  /** @param {Acts} acts @param {AbortSignal} signal */
  constructor(acts, signal) {
    this.#acts = acts;
    this.#signal = signal;
    const whole = make("button", { type: "button", class: "button" }, TEXT.whole);
    whole.addEventListener("click", acts.fit, { signal });
    const zoom = make("div", { class: "cluster", role: "group", "aria-label": TEXT.size },
      signButton(TEXT.wider, "minus", () => acts.zoom(ZOOM), signal), signButton(TEXT.closer, "plus", () => acts.zoom(1 / ZOOM), signal), whole);
    this.#axis.hidden = true;
    this.parts = [this.#axis, zoom];
  }

  /** Let the axis be chosen. */
  offerAxis() {
    if (!this.#axis.hidden) return;
    this.#axis.hidden = false;
    const buttons = [TEXT.time, TEXT.steps].map((label, place) => {
      const node = make("button", { type: "button", class: "toggle", "aria-pressed": String(place === 0) }, label);
      node.addEventListener("click", () => {
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === node)));
        this.#acts.axis(place === 1);
      }, { signal: this.#signal });
      return node;
    });
    this.#axis.append(...buttons);
  }
}
