/** Where each item of the course stands: the generated map, fetched once a page. */
import { courseUrl } from "./page.js";

/** @typedef {{ id: string, title: string }} Titled */
/** @typedef {{ id: string, title: string, url: string, headings: { id: string, text: string }[], checks: (Titled & { kind?: string, alias?: string })[], pauses: Titled[], snippets: Titled[], labs: string[] }} Lesson */
/** @typedef {{ id: string, title: string, url: string, version: string, tasks: Titled[] }} Lab */
/** @typedef {{ course: string, lessons: Lesson[], labs: Lab[] }} CourseMap */

/** @type {Promise<CourseMap> | null} */
let asked = null;

/** @returns {Promise<CourseMap>} */
async function fetchMap() {
  const answer = await fetch(courseUrl("assets/course/course-map.json"));
  if (!answer.ok) throw new Error(`The course map didn't arrive: ${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** @returns {Promise<CourseMap>} */
export function courseMap() {
  asked ??= fetchMap();
  asked.catch(() => (asked = null));
  return asked;
}
