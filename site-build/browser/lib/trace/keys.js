/** What the keys do, wherever the focus stands within the player; and the help that says so. */
import { make } from "../dom.js";

/** @typedef {"toggle" | "back" | "step" | "previous" | "next" | "first" | "last" | "link" | "help" | "clear"} Command */

/** Each key with its command and what it does, in words. @type {readonly (readonly [string, Command, string])[]} */
export const KEYS = [
  [" ", "toggle", "Play or pause"],
  [",", "back", "One step back"],
  [".", "step", "One step on"],
  ["p", "previous", "Previous event of the chosen kind"],
  ["n", "next", "Next event of the chosen kind"],
  ["<", "first", "To the start"],
  [">", "last", "To the end"],
  ["l", "link", "Copy a link to this moment"],
  ["Escape", "clear", "Choose nothing"],
  ["?", "help", "This help"],
];

const IN_TIMELINE = [
  ["↑ ↓", "From request to request"],
  ["← →", "From stretch to stretch of a request"],
  ["Enter", "Go to where the stretch begins"],
  ["Page Up, Page Down", "Ten requests on"],
  ["Home, End", "First and last request"],
  ["+ −", "Zoom"],
  ["Shift ← →", "Pan"],
  ["0", "The whole trace"],
  ["Ctrl + wheel, pinch", "Zoom"],
  ["Drag, Shift + wheel", "Pan"],
  ["Press on the ruler", "Go to that moment"],
];

const IN_OTHER_VIEWS = [
  ["← → ↑ ↓", "From block to block, from request to request, from branch to branch"],
  ["Home, End", "The first and the last of them"],
  ["Enter", "Light up, in every view, who holds it"],
];

const NAMES = /** @type {Record<string, string>} */ ({ " ": "Space", Escape: "Esc" });

/** The command of a key, unless what has the focus needs that key itself. @param {KeyboardEvent} event @returns {Command | null} */
export function commandOf(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement) || target.matches("input[type=text], textarea, [contenteditable]")) return null;
  const wantsSpace = target.matches("button, summary, select, a, input");
  if (event.key === " " && wantsSpace) return null;
  if (event.key.length === 1 && event.key !== "?" && target.matches("select")) return null;
  return KEYS.find(([key]) => key === event.key)?.[1] ?? null;
}

/** @param {AbortSignal} signal @returns {HTMLDialogElement} */
export function helpDialog(signal) {
  const close = make("button", { type: "button", class: "button" }, "Close");
  const rows = (/** @type {readonly (readonly string[])[]} */ list) => list.map(([key, what]) => make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)));
  const dialog = make("dialog", { class: "help", "aria-labelledby": "help-title" },
    make("div", { class: "top" }, make("p", { class: "help-title", id: "help-title" }, "Keys"), close),
    make("p", { class: "quiet" }, "They work while the focus is in the player."),
    make("dl", {}, ...rows(KEYS.map(([key, , what]) => [NAMES[key] ?? key, what]))),
    make("p", { class: "help-part" }, "In the timeline"),
    make("dl", {}, ...rows(IN_TIMELINE)),
    make("p", { class: "help-part" }, "Among blocks, requests and prefixes"),
    make("dl", {}, ...rows(IN_OTHER_VIEWS)));
  close.addEventListener("click", () => dialog.close(), { signal });
  return dialog;
}
