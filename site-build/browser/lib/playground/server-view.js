/** What was read of a server: its settings with their sources, what isn't known, what isn't reproduced. */
import { make } from "../dom.js";
import { courseUrl } from "../page.js";
import { BY_NAME } from "./fields.js";
import { MACHINES, TEXT } from "./server-words.js";
import { fragmentOf, parse, startState } from "./state.js";

/** @typedef {Record<string, any>} Told as `engine.pages.server` says it */
/** @typedef {import("./server-reader.js").Answers} Answers */

/** The playground's address with these settings; what isn't known is as it starts there. @param {Told} told */
export function playgroundAddress(told) {
  const state = startState();
  for (const [name, { value }] of Object.entries(told.settings)) if (BY_NAME.has(name)) state.values[name] = value;
  return courseUrl(`playground/${fragmentOf(state)}`);
}

export class ServerView {
  node = make("div", { class: "server-view", hidden: true });
  #again;
  /** @type {Answers} */
  #answers = {};

  /** @param {(answers: Answers) => void} again asked when the student says more */
  constructor(again) {
    this.#again = again;
  }

  clear() {
    this.#answers = {};
    this.node.hidden = true;
    this.node.replaceChildren();
  }

  /** @param {Told} told @param {Answers} answers */
  show(told, answers) {
    this.#answers = answers;
    const focused = document.activeElement?.id;
    const parts = [this.#settings(told), this.#unknown(told), lacks(told), ...lists(told)];
    this.node.replaceChildren(...parts.filter((part) => part !== null));
    this.node.hidden = false;
    if (focused && this.node.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused)?.focus();
  }

  /** @param {Told} told */
  #settings(told) {
    const rows = Object.entries(told.settings).map(([name, { value, source }]) =>
      make("tr", {}, make("th", { scope: "row" }, make("code", {}, name)), make("td", {}, shown(value)), make("td", {}, source)),
    );
    const head = make("tr", {}, ...TEXT.heads.map((text) => make("th", { scope: "col" }, text)));
    const table = make("table", { class: "play-table server-table" }, make("thead", {}, head), make("tbody", {}, ...rows));
    const said = [TEXT.about(told)];
    if (told.kv_tokens !== null) said.push(TEXT.tokens(told.kv_tokens));
    if (told.concurrency !== null) said.push(TEXT.concurrency(told.concurrency));
    const problem = told.problem ? [make("p", { class: "play-problems" }, TEXT.problem(told.problem))] : [];
    const link = make("a", { class: "course-button course-button--primary", href: playgroundAddress(told) }, TEXT.playground);
    return part(TEXT.settings, make("p", {}, said.join(" ")), ...problem, make("div", { class: "md-typeset__scrollwrap play-scroll" }, table), make("p", {}, link));
  }

  /** @param {Told} told */
  #unknown(told) {
    const machine = this.#machine(told);
    if (!told.unknown.length && !machine) return null;
    const items = told.unknown.flatMap((/** @type {{ setting: string, how: string }} */ one) => this.#ask(one));
    return part(TEXT.unknown, make("p", {}, TEXT.unknownAbout), make("div", { class: "server-unknown" }, ...(machine ? [machine] : []), ...items));
  }

  /** The seats and the budget follow from it. @param {Told} told */
  #machine(told) {
    const needed = told.unknown.some((/** @type {{ setting: string }} */ { setting }) => setting.startsWith("max_num_"));
    if (!needed && !this.#answers.machine) return null;
    const select = make("select", { id: "server-machine" }, make("option", { value: "" }, TEXT.machineNone));
    for (const [name, words] of MACHINES) select.append(make("option", { value: name }, words));
    select.value = this.#answers.machine ?? "";
    select.addEventListener("change", () => this.#again({ ...this.#answers, machine: select.value || undefined }));
    return make("p", {}, make("label", { for: "server-machine" }, TEXT.machine), " ", select);
  }

  /** @param {{ setting: string, how: string }} one @returns {HTMLElement[]} */
  #ask({ setting, how }) {
    const field = BY_NAME.get(setting);
    if (!field) return [];
    const id = `server-${setting}`;
    const input = make("input", { id, type: "number", inputmode: "numeric", min: field.least ?? "", step: 1, "aria-describedby": `${id}-how` });
    input.addEventListener("change", () => {
      const found = parse(field, input.value);
      if ("value" in found && typeof found.value === "number") this.#again({ ...this.#answers, values: { ...this.#answers.values, [setting]: found.value } });
      else input.setAttribute("aria-invalid", "true");
    });
    const label = make("label", { for: id }, make("code", {}, setting));
    return [make("p", {}, label, " ", input, " ", make("span", { id: `${id}-how`, class: "server-how" }, how))];
  }
}

/** @param {Told} told */
function lacks(told) {
  const items = told.not_reproduced.map((/** @type {{ what: string, why: string }} */ { what, why }) => make("li", {}, make("strong", {}, what), `: ${why}.`));
  return part(TEXT.lacks, items.length ? make("ul", {}, ...items) : make("p", {}, TEXT.noLacks));
}

/** @param {Told} told */
function lists(told) {
  const code = (/** @type {string} */ text) => make("li", {}, make("code", {}, text));
  const plain = (/** @type {string} */ text) => make("li", {}, `${text[0]?.toUpperCase()}${text.slice(1)}.`);
  return /** @type {[string, string[], (text: string) => HTMLElement][]} */ ([
    [TEXT.unrecognised, told.unrecognised, code],
    [TEXT.notes, told.notes, plain],
    [TEXT.noEffect, told.no_effect, code],
  ])
    .filter(([, list]) => list.length)
    .map(([title, list, item]) => part(title, make("ul", { class: item === code ? "server-names" : "" }, ...list.map(item))));
}

/** @param {string} title @param {...HTMLElement} nodes */
function part(title, ...nodes) {
  return make("section", { class: "server-part" }, make("h2", {}, title), ...nodes);
}

/** @param {unknown} value */
function shown(value) {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? value.toLocaleString("en") : String(value);
}
