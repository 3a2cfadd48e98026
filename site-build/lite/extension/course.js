/** The id of the course that this lab belongs to: it stands in the name of everything that the lab keeps. */

const settings = document.getElementById("jupyter-config-data")?.textContent ?? "{}";

/** @type {string} */
export const COURSE = JSON.parse(settings).course.id;
