/** Things to put in their order, by two buttons each or by dragging: the list stays a list, and focus stays on the button. */
import { button, isOff, make, setOff } from "../dom.js";
import { whenNear } from "../near.js";
import { courseUrl } from "../page.js";
import { shuffled } from "../shuffle.js";

const TEXT = {
  up: "Up",
  down: "Down",
  move: { up: (/** @type {string} */ name) => `Move up: ${name}`, down: (/** @type {string} */ name) => `Move down: ${name}` },
  moved: (/** @type {string} */ name, /** @type {number} */ place, /** @type {number} */ all) => `${name}: now ${place} of ${all}.`,
  summary: (/** @type {number} */ right, /** @type {number} */ all) =>
    `Not yet: ${right} of ${all} stand where they belong. Read why, then try again.`,
};

/** @implements {Check} @typedef {import("./kinds.js").Check} Check */
export class OrderCheck {
  #list;
  #id;
  #seed = 0;
  /** Ends a drag that goes on. */
  #drop = () => {};
  #status = make("p", { class: "check-moved course-unseen", role: "status" });

  /** @param {HTMLElement} element @param {string} id */
  constructor(element, id) {
    this.#id = id;
    this.#list = /** @type {HTMLElement} */ (element.querySelector(".check-order"));
    for (const old of element.querySelectorAll(".check-moves, .check-moved, .check-handle")) old.remove();
    for (const item of this.#items()) item.append(this.#movesOf(item));
    this.#list.after(this.#status);
    this.#setEnds();
    whenNear(this.#list, () => this.#letDrag(element));
  }

  /** The buttons do all of it: where this doesn't arrive, there is no handle, and nothing is missed. @param {HTMLElement} element */
  async #letDrag(element) {
    const { letDrag } = await import(courseUrl("assets/course/vendor/sortable.js"));
    this.#drop = letDrag(this.#list, element, (/** @type {HTMLElement} */ item) => this.#moved(item));
  }

  /** @param {number} seed */
  arrange(seed) {
    this.#seed = seed;
    if (!this.#list.contains(document.activeElement)) this.clear();
  }

  /** The letters in the order that they stand in. @returns {import("./kinds.js").Reading} */
  read() {
    this.#drop();
    const items = this.#items();
    return { answer: items.map((item) => item.dataset.value).join(","), shown: items.map((item) => item.dataset.name).join(" → ").slice(0, 200) };
  }

  /** @param {string} answer @returns {import("./kinds.js").Verdict | null} */
  judge(answer) {
    const right = this.#items().map((item) => item.dataset.value ?? "").sort();
    const given = answer.split(",");
    if (given.length !== right.length || [...given].sort().join() !== right.join()) return null;
    const byLetter = new Map(this.#items().map((item) => [item.dataset.value ?? "", item]));
    const marks = given.map((letter, at) => ({
      place: /** @type {HTMLElement} */ (byLetter.get(letter)),
      state: /** @type {import("./kinds.js").State} */ (letter === right[at] ? "right" : "wrong"),
    }));
    const wrong = marks.filter(({ state }) => state === "wrong").map(({ place }) => place);
    const words = wrong.map((item) => item.querySelector(".check-feedback")).find((node) => node instanceof HTMLElement);
    return {
      correct: wrong.length === 0,
      marks,
      said: words ? [{ words: /** @type {HTMLElement} */ (words), field: null }] : [],
      summary: wrong.length ? TEXT.summary(marks.length - wrong.length, marks.length) : undefined,
    };
  }

  /** @param {string} answer */
  fill(answer) {
    const byLetter = new Map(this.#items().map((item) => [item.dataset.value ?? "", item]));
    this.#place(answer.split(",").flatMap((letter) => byLetter.get(letter) ?? []));
  }

  /** An order of the student's own, that isn't the right one. */
  clear() {
    this.#drop();
    const right = this.#items().sort((a, b) => ((a.dataset.value ?? "") < (b.dataset.value ?? "") ? -1 : 1));
    const mixed = shuffled(right, this.#seed, this.#id);
    this.#place(mixed.every((item, at) => item === right[at]) ? mixed.reverse() : mixed);
    this.#status.textContent = "";
  }

  /** @returns {HTMLElement[]} */
  #items() {
    return /** @type {HTMLElement[]} */ ([...this.#list.querySelectorAll(".check-item")]);
  }

  /** @param {HTMLElement[]} items */
  #place(items) {
    this.#list.append(...items);
    this.#setEnds();
  }

  /** @param {HTMLElement} item */
  #movesOf(item) {
    const name = item.dataset.name ?? "";
    const [up, down] = /** @type {const} */ (["up", "down"]).map((way) => {
      const node = button(TEXT[way], "quiet");
      node.dataset.way = way;
      node.setAttribute("aria-label", TEXT.move[way](name));
      node.addEventListener("click", () => isOff(node) || this.#move(item, way));
      return node;
    });
    return make("span", { class: "check-moves" }, /** @type {Node} */ (up), /** @type {Node} */ (down));
  }

  /** The neighbour moves, not the item: so the focus in the item isn't lost. @param {HTMLElement} item @param {"up" | "down"} way */
  #move(item, way) {
    const neighbour = way === "up" ? item.previousElementSibling : item.nextElementSibling;
    if (!neighbour) return;
    if (way === "up") item.after(neighbour);
    else item.before(neighbour);
    this.#moved(item);
  }

  /** @param {HTMLElement} item */
  #moved(item) {
    this.#setEnds();
    item.dispatchEvent(new Event("input", { bubbles: true }));
    this.#status.textContent = TEXT.moved(item.dataset.name ?? "", this.#items().indexOf(item) + 1, this.#items().length);
  }

  #setEnds() {
    for (const item of this.#items()) {
      for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (item.querySelectorAll(".check-moves button"))) {
        setOff(node, node.dataset.way === "up" ? !item.previousElementSibling : !item.nextElementSibling);
      }
    }
  }
}
