/** Where the page stands in the site. */

/** @param {string} name @returns {string | null} */
function meta(name) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? null;
}

/** The site's root. Read once: it stays right when pages are swapped in place. */
export const ROOT = new URL((meta("course-root") ?? ".").replace(/\/?$/, "/"), document.baseURI);

/** @param {string} path relative to the root @returns {string} */
export function courseUrl(path) {
  return new URL(path, ROOT).href;
}

/** The id of the lesson that is open, or null elsewhere. */
export function currentLesson() {
  return meta("course-lesson");
}
