/** The playground's form: a slider and a number for each field, which say the same. It holds no state. */
import { button, make } from "../dom.js";
import { FIELDS } from "./fields.js";
import { INCIDENTS } from "./incidents.js";
import { nextPlace, placeOf, STEPS, valueAt } from "./slider.js";
import { parse } from "./state.js";
import { TEXT } from "./words.js";

/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./state.js").Value} Value */

/** How far a key moves a slider: browsers would move it by places that mean nothing. @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/** One field: its nodes, and how to show a value or a fault in them. */
class Control {
  node;
  /** @type {HTMLInputElement | HTMLSelectElement} */
  input;
  /** @type {HTMLInputElement | null} */
  slider = null;
  #fault;

  /** @param {Field} field @param {string} prefix of ids @param {(value: Value) => void} set called with a value that fits @param {() => void} wrong */
  constructor(field, prefix, set, wrong) {
    this.field = field;
    const id = `${prefix}-${field.name}`;
    this.input = field.kind === "choice" ? make("select", { id }) : make("input", { id, ...inputKind(field) });
    for (const [value, words] of field.choices ?? []) this.input.append(make("option", { value }, words));
    this.#fault = make("p", { class: "play-fault", id: `${id}-fault`, hidden: true });
    const label = make("label", { for: id }, field.label);
    const about = field.about ? make("p", { class: "play-about", id: `${id}-about` }, field.about) : null;
    const unit = make("span", { class: "play-unit" }, field.unit ?? "");
    if (field.slide) this.slider = make("input", { type: "range", min: 0, max: STEPS, "aria-label": TEXT.slider(field.label) });
    const number = make("span", { class: "play-number" }, this.input, unit);
    this.node = make("div", { class: `play-field play-field--${field.kind}` }, label, ...(this.slider ? [this.slider] : []), number, ...(about ? [about] : []), this.#fault);
    this.#describe(about);
    this.#listen(set, wrong);
  }

  /** @param {HTMLElement | null} about */
  #describe(about) {
    const ids = [about?.id, this.#fault.id].filter(Boolean).join(" ");
    this.input.setAttribute("aria-describedby", ids);
  }

  /** @param {(value: Value) => void} set @param {() => void} wrong */
  #listen(set, wrong) {
    this.input.addEventListener("change", () => {
      const { input } = this;
      const found = parse(this.field, input instanceof HTMLInputElement && input.type === "checkbox" ? String(input.checked) : input.value);
      this.fault("wrong" in found ? `${found.wrong[0]?.toUpperCase()}${found.wrong.slice(1)}.` : "");
      if ("value" in found) set(found.value);
      else wrong();
    });
    this.slider?.addEventListener("input", () => {
      this.input.value = String(this.#ofSlider());
      this.#speak(this.#ofSlider());
    });
    this.slider?.addEventListener("keydown", (event) => this.#key(event));
    this.slider?.addEventListener("change", () => {
      this.fault("");
      set(this.#ofSlider());
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = ARROWS[event.key];
    if (!by || !this.slider) return;
    event.preventDefault();
    this.slider.value = String(nextPlace(this.field, Number(this.slider.value), by));
    for (const type of ["input", "change"]) this.slider.dispatchEvent(new Event(type));
  }

  #ofSlider() {
    const value = valueAt(this.field, Number(this.slider?.value));
    return Math.min(this.field.most ?? value, Math.max(this.field.least ?? value, value));
  }

  /** @param {number} value */
  #speak(value) {
    this.slider?.setAttribute("aria-valuetext", `${value.toLocaleString("en")} ${this.field.unit ?? ""}`.trim());
  }

  /** @param {Value} value */
  show(value) {
    if (this.input instanceof HTMLInputElement && this.input.type === "checkbox") this.input.checked = value === true;
    else this.input.value = value === null ? "" : String(value);
    if (this.slider && typeof value === "number") {
      this.slider.value = String(placeOf(this.field, value));
      this.#speak(value);
    }
  }

  /** @param {string} words none: all is well */
  fault(words) {
    this.#fault.textContent = words;
    this.#fault.hidden = words === "";
    if (words) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/** @param {Field} field @returns {Record<string, string | number>} */
function inputKind({ kind, least, most }) {
  if (kind === "flag") return { type: "checkbox" };
  return { type: "number", inputmode: kind === "whole" ? "numeric" : "decimal", step: kind === "whole" ? 1 : "any", min: least ?? "", max: most ?? "" };
}

export class Form {
  node = make("form", { class: "play-form", "aria-label": TEXT.form, novalidate: true });
  incidents = make("select", { id: "play-incident" }, make("option", { value: "" }, TEXT.noIncident));
  own = button(TEXT.own);
  #source = make("div", { class: "play-source", hidden: true });
  #sourceWords = make("p");
  /** @type {Map<string, Control>} */
  #controls = new Map();
  /** @type {Record<string, HTMLFieldSetElement>} */
  #groups = {};

  /** @param {(name: string, value: Value) => void} set @param {() => void} wrong */
  constructor(set, wrong) {
    for (const [id, title] of INCIDENTS) this.incidents.append(make("option", { value: id }, title));
    for (const field of FIELDS) this.#controls.set(field.name, new Control(field, "play", (value) => set(field.name, value), wrong));
    const start = make("p", { class: "play-incident" }, make("label", { for: "play-incident" }, TEXT.incident), this.incidents);
    this.#source.append(this.#sourceWords, this.own);
    this.node.append(start, this.#group("traffic"), this.#group("engine"));
    this.#groups.traffic?.before(this.#source);
    this.node.addEventListener("submit", (event) => event.preventDefault());
  }

  /** @param {Field["group"]} group */
  #group(group) {
    const set = make("fieldset", { class: "play-group" }, make("legend", {}, TEXT.groups[group]));
    const controls = [...this.#controls.values()].filter(({ field }) => field.group === group);
    const folded = controls.filter(({ field }) => field.folded).map(({ node }) => node);
    const shown = controls.filter(({ field }) => !field.folded).map(({ node }) => node);
    const more = make("details", { class: "play-more" }, make("summary", {}, TEXT.folded[group]), make("div", { class: "play-folded" }, ...folded));
    set.append(...shown, more);
    this.#groups[group] = set;
    return set;
  }

  /** @param {import("./state.js").State} state */
  show({ values, incident, file }) {
    for (const [name, control] of this.#controls) {
      control.show(values[name] ?? null);
      control.fault("");
    }
    const title = INCIDENTS.find(([id]) => id === incident)?.[1];
    this.incidents.value = incident;
    this.#sourceWords.textContent = file ? TEXT.fromFile(file) : title ? TEXT.fromIncident(title) : "";
    this.#source.hidden = !file && !title;
    const traffic = this.#groups.traffic;
    if (traffic) traffic.disabled = !this.#source.hidden;
  }

  /** Say what is wrong at its field, where it has one. @param {string} name @param {string} words */
  fault(name, words) {
    const control = this.#controls.get(name);
    control?.fault(words);
    const more = control?.node.closest("details");
    if (more) more.open = true;
  }

  clearFaults() {
    for (const control of this.#controls.values()) control.fault("");
  }
}
