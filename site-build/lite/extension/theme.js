/** The lab's theme is that of the page around it. */

const THEMES = { dark: "JupyterLab Dark", light: "JupyterLab Light" };

/** @param {boolean} dark */
export const themeName = (dark) => (dark ? THEMES.dark : THEMES.light);

/** The course's own colours follow the document's scheme. @param {boolean} dark */
export function showScheme(dark) {
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  document.documentElement.classList.toggle("course-dark", dark);
}

/** @param {any} app JupyterLab @param {boolean} dark */
export async function setTheme(app, dark) {
  showScheme(dark);
  const theme = themeName(dark);
  if (document.body.dataset.jpThemeName !== theme) await app.commands.execute("apputils:change-theme", { theme });
}

/** The one that the page asked for in the lab's address, or that the system asks for. */
export function wantsDark() {
  const asked = new URLSearchParams(location.search).get("theme");
  return asked ? asked === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
