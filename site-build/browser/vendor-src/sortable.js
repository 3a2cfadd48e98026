/**
 * Dragging in a list, by mouse, pen or finger: SortableJS, with words of its own for what a drag counts as. Bundled by
 * the build; loaded when such a list is near. Each item gets a handle: a finger anywhere else still scrolls the page.
 */
import Sortable from "sortablejs";
import { focusStill, make } from "../lib/dom.js";

const GLIDE_MS = 120;

/** Whether the pointer was let go, and there. @param {Event} event @param {Element} home */
function endsIn(event, home) {
  if (!(event instanceof MouseEvent) || !event.type.endsWith("up")) return false;
  const { left, right, top, bottom } = home.getBoundingClientRect();
  return event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
}

/** The library can't be told to stop. It does where the pointer is lost, in either kind of event that it listens to. */
function losePointer() {
  for (const type of ["pointercancel", "touchcancel"]) document.dispatchEvent(new Event(type));
}

/** @param {KeyboardEvent} event */
function escape(event) {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  losePointer();
}

/**
 * @param {HTMLElement} list its children are dragged
 * @param {Element} home whatever is let go outside of it goes back to where it was
 * @param {(item: HTMLElement) => void} moved told of an item that now has another place
 * @returns {() => void} gives up a drag that goes on
 */
export function letDrag(list, home, moved) {
  Sortable.get(list)?.destroy();
  for (const item of list.children) item.append(make("span", { class: "check-handle", "aria-hidden": "true" }));
  /** @type {Element[]} */
  let before = [];
  let focused = document.activeElement;
  let life = new AbortController();
  const sortable = Sortable.create(list, {
    handle: ".check-handle",
    // The browser's own dragging knows neither a finger nor the page's colours.
    forceFallback: true,
    fallbackTolerance: 3,
    fallbackClass: "check-carried",
    ghostClass: "check-gap",
    direction: "vertical",
    onChoose() {
      before = [...list.children];
      focused = document.activeElement;
    },
    onStart() {
      life = new AbortController();
      sortable.option("animation", matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : GLIDE_MS);
      addEventListener("keydown", escape, { capture: true, signal: life.signal });
      addEventListener("blur", losePointer, { signal: life.signal });
    },
    onEnd(event) {
      life.abort();
      const { item, originalEvent } = /** @type {typeof event & { originalEvent: Event }} */ (event);
      if (!endsIn(originalEvent, home)) list.append(...before);
      if (focused instanceof HTMLElement && list.contains(focused)) focusStill(focused);
      if ([...list.children].some((child, at) => child !== before[at])) moved(item);
    },
  });
  return () => {
    if (list.contains(Sortable.dragged)) losePointer();
  };
}
