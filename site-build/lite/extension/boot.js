/**
 * The first script of the lab's page. JupyterLite's own start-up fetches six files one after the other to learn
 * its settings; here they stand in the page. The kernel's worker starts at once, beside the interface.
 */
import { keepStillUntilVisited } from "./focus.js";
import { fail } from "./kernel.js";
import { canStore, useMemory } from "./storage.js";
import { showScheme, themeName, wantsDark } from "./theme.js";
import { startSpare, watchWorkers } from "./workers.js";

/** @typedef {{ python: string, wheel: string, kernel: string }} Places addresses, seen from the lab's root */

const BUNDLE = "jupyter-lite-main";
const SETTINGS = "jupyter-config-data";
const KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel";

/** JupyterLab joins these with the base address itself. */
const JOINED_LATER = ["licensesUrl", "themesUrl"];

/** @param {Record<string, any>} settings @param {URL} root */
function withWholeAddresses(settings, root) {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const relative = key.endsWith("Url") && !JOINED_LATER.includes(key) && String(value).startsWith("./");
      return [key, relative ? new URL(value, root).pathname : value];
    }),
  );
}

/** Tell JupyterLite's kernel where Python is. @param {any} kernel its settings @param {Places} places @param {URL} root */
function placePython(kernel, places, root) {
  kernel.pyodideUrl = new URL(`${places.python}notebook.mjs`, root).href;
  kernel.loadPyodideOptions.courseWheel = new URL(places.wheel, root).href;
}

const script = /** @type {HTMLScriptElement} */ (document.getElementById(SETTINGS));
const root = new URL(`${script.dataset.jupyterLiteRoot}/`, location.href);
const settings = withWholeAddresses(JSON.parse(script.textContent ?? "{}"), root);
keepStillUntilVisited();
watchWorkers(settings.course, root);
startSpare();

settings.settingsOverrides["@jupyterlab/apputils-extension:themes"] = { theme: themeName(wantsDark()) };
placePython(settings.litePluginSettings[KERNEL], settings.course, root);
if (!(await canStore())) useMemory(settings);
script.textContent = JSON.stringify(settings);
showScheme(wantsDark());

const preload = /** @type {HTMLLinkElement} */ (document.getElementById(BUNDLE));
const bundle = document.createElement("script");
bundle.src = preload.href;
bundle.addEventListener("error", () => fail("missing", bundle.src));
document.head.append(bundle);
