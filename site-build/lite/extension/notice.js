/**
 * Words above the notebook that don't stand in its way: something happened or has to be decided. One at a time for
 * each subject; a new one on the same subject takes the old one's place.
 */

/** @type {Map<string, HTMLElement>} */
const shown = new Map();

/** @returns {HTMLElement} */
function place() {
  const found = document.getElementById("course-notices");
  if (found) return found;
  const made = document.createElement("div");
  made.id = "course-notices";
  made.setAttribute("role", "status");
  document.body.prepend(made);
  return made;
}

/** The notices take room from the notebook, which is laid out by the window's size. */
function settle() {
  document.documentElement.style.setProperty("--course-notices", `${place().offsetHeight}px`);
  window.dispatchEvent(new Event("resize"));
}

/**
 * @param {string} subject
 * @param {string} text
 * @param {Record<string, () => unknown>} [choices] label to deed; each closes the notice first
 */
export function notice(subject, text, choices = {}) {
  withdraw(subject);
  const box = document.createElement("section");
  box.className = "course-notice";
  const words = document.createElement("p");
  words.textContent = text;
  box.append(words);
  for (const [label, deed] of Object.entries(choices)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      withdraw(subject);
      void deed();
    });
    box.append(button);
  }
  shown.set(subject, box);
  place().append(box);
  settle();
}

/** @param {string} subject */
export function withdraw(subject) {
  if (!shown.has(subject)) return;
  shown.get(subject)?.remove();
  shown.delete(subject);
  settle();
}
