/** A question that must be answered before anything is lost. */

/**
 * @param {{ title: string, text: string, yes: string, no?: string }} words
 * @param {Document} host where to ask: the lab's own document, or that of the page around it
 * @returns {Promise<boolean>} true for `yes`; false for `no`, for Escape, and where a question is open already
 */
export function ask({ title, text, yes, no = "Cancel" }, host) {
  if (host.querySelector(".course-dialog")) return Promise.resolve(false);
  const dialog = host.createElement("dialog");
  dialog.className = "course-dialog";
  const heading = host.createElement("h2");
  heading.id = "course-dialog-title";
  heading.textContent = title;
  dialog.setAttribute("aria-labelledby", heading.id);
  const words = host.createElement("p");
  words.textContent = text;
  dialog.append(heading, words, answers(host, { "": no, yes }));
  const before = /** @type {HTMLElement | null} */ (host.activeElement);
  host.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus({ preventScroll: true });
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
  });
}

/** The harmless answer comes first, so that it has the focus when the dialog opens. @param {Document} host @param {Record<string, string>} labels */
function answers(host, labels) {
  const form = host.createElement("form");
  form.method = "dialog";
  for (const [value, label] of Object.entries(labels)) {
    const button = host.createElement("button");
    button.value = value;
    button.textContent = label;
    button.className = "course-button";
    form.append(button);
  }
  return form;
}
