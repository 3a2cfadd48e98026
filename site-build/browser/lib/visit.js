/** Where the student is, so that they can go on from there. */
import { store } from "../store.js";
import { currentLesson } from "./page.js";

const SETTLED_MS = 800;

/** The last heading at or above the reading line, a third down the window. @returns {string} its id, or "" */
function currentHeading() {
  const headings = [...document.querySelectorAll("article h2[id]")];
  return headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3).at(-1)?.id ?? "";
}

/** Note the open lesson, and the heading as it is scrolled. @returns {{ end: () => void }} */
export function recordVisit() {
  const life = new AbortController();
  const lesson = currentLesson();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const note = () => {
    const last = store.get("visit", "last")?.data;
    const heading = currentHeading();
    if (lesson && (last?.lesson !== lesson || last.heading !== heading)) store.put("visit", "last", { lesson, heading });
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(note, SETTLED_MS);
  };
  life.signal.addEventListener("abort", () => clearTimeout(timer));
  if (lesson) {
    later();
    addEventListener("scroll", later, { passive: true, signal: life.signal });
  }
  return { end: () => life.abort() };
}
