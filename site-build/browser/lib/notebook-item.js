/**
 * One note, answer or bookmark as *My notebook* shows it: to read, to change, or just deleted.
 */
import { button, make } from "./dom.js";
import { courseUrl } from "./page.js";
import { WORDS } from "./transfer.js";

const TEXT = {
  edit: "Edit",
  remove: "Delete",
  undo: "Undo",
  save: "Save",
  cancel: "Cancel",
  deleted: "Deleted: ",
  words: (/** @type {string} */ title) => `Your words on “${title}”`,
  other: "Another tab or a file had other words here. They are kept:",
  use: "Use these",
  drop: "Delete these",
  code: (/** @type {string} */ title) => `Your code: ${title}`,
};

/** @typedef {import("./notebook-entries.js").Item} Item */
/** @typedef {"edit" | "remove" | "undo" | "save" | "cancel" | "use" | "drop"} Deed */
/** @typedef {(deed: Deed, item: Item, text: string) => void} Act */

/** @param {import("./records.js").StoredRecord} record */
export const keyOf = ({ kind, id }) => `${kind}/${id}`;

/** What the student wrote there, and what another tab or a file had. @param {Pick<import("./records.js").StoredRecord, "kind" | "data" | "was">} record */
export function wordsOf({ kind, data, was }) {
  const field = WORDS[kind] ?? "";
  return { field, words: String(data[field] ?? ""), other: was?.[0]?.data[field] };
}

/** What is being written in place of an item's words. @typedef {{ item: Item, text: string }} Draft */

/** A button that can be found again after the list was drawn anew. @param {Item} item @param {Deed} deed @param {Act} act @param {() => string} [text] */
function deedButton(item, deed, act, text = () => "") {
  const node = button(TEXT[deed], deed === "save" ? "primary" : "quiet");
  node.dataset.deed = `${keyOf(item.record)} ${deed}`;
  node.setAttribute("aria-label", `${TEXT[deed]}: ${item.title}`);
  node.addEventListener("click", () => act(deed, item, text()));
  return node;
}

/** @param {Item} item @returns {HTMLElement} */
function place(item) {
  return item.url === null ? make("span", {}, item.title) : make("a", { href: courseUrl(item.url) }, item.title);
}

/** @param {Item} item @param {Act} act */
export function deletedItem(item, act) {
  return make("li", { class: "notebook-item notebook-item--deleted" }, make("p", {}, TEXT.deleted, item.title), deedButton(item, "undo", act));
}

/** @param {Item} item @param {Act} act */
export function bookmarkItem(item, act) {
  return make("li", { class: "notebook-item notebook-item--bookmark" }, place(item), deedButton(item, "remove", act));
}

/** @param {Item} item @param {Act} act */
export function codeItem(item, act) {
  const title = TEXT.code(item.title);
  const code = make("pre", { class: "notebook-code", tabindex: 0, role: "group", "aria-label": title }, wordsOf(item.record).words);
  const deeds = make("div", { class: "notebook-deeds" }, deedButton(item, "remove", act));
  return make("li", { class: "notebook-item" }, make("p", { class: "notebook-place" }, place(item)), code, deeds, ...otherWords(item, act));
}

/** @param {Item} item @param {Act} act */
function otherWords(item, act) {
  const { other } = wordsOf(item.record);
  if (other === undefined) return [];
  const deeds = [deedButton(item, "use", act, () => String(other)), deedButton(item, "drop", act)];
  return [make("div", { class: "notes-conflict" }, make("p", {}, TEXT.other), make("p", { class: "course-words" }, String(other)), ...deeds)];
}

/** @param {Item} item @param {Act} act @param {boolean} titled whether the place it belongs to is named */
export function wordsItem(item, act, titled) {
  const words = make("p", { class: "course-words" }, wordsOf(item.record).words);
  const deeds = make("div", { class: "notebook-deeds" }, deedButton(item, "edit", act), deedButton(item, "remove", act));
  const head = titled ? [make("p", { class: "notebook-place" }, place(item))] : [];
  return make("li", { class: "notebook-item" }, ...head, words, deeds, ...otherWords(item, act));
}

/** @param {Item} item @param {Draft} draft follows what is written, and outlives the field @param {Act} act */
export function editedItem(item, draft, act) {
  const field = make("textarea", { class: "course-field", rows: 6, "aria-label": TEXT.words(item.title) });
  field.value = draft.text;
  field.addEventListener("input", () => (draft.text = field.value));
  field.dataset.deed = `${keyOf(item.record)} field`;
  const deeds = make("div", { class: "notebook-deeds" }, deedButton(item, "save", act, () => draft.text), deedButton(item, "cancel", act));
  return make("li", { class: "notebook-item notebook-item--open" }, field, deeds);
}
