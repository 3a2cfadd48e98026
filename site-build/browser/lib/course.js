/** The id of this course, which stands in the name of everything that is stored: courses on one host share nothing. */

/** @type {string} */
export const COURSE = globalThis.document?.querySelector('meta[name="course-id"]')?.getAttribute("content") ?? "inside-the-batch";
