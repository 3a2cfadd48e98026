/**
 * The page's one entry: loads the module of each `course-…` element that is on the page, and of those
 * that come later (the trace player only once one is near), notes where the student is, keeps it there, lets the keyboard
 * reach wide tables, closes the menu behind a way taken, and says where the search didn't arrive.
 */
import { keepPlace } from "./lib/anchoring.js";
import { closeMenu } from "./lib/menu.js";
import { watchPlayers } from "./lib/player.js";
import { watchSearch } from "./lib/search-arrival.js";
import { watchTables } from "./lib/tables.js";
import { recordVisit } from "./lib/visit.js";

/** @type {Set<string>} */
const asked = new Set();

/** @param {Element} element */
function load({ localName }) {
  if (!/^course-[a-z-]+$/.test(localName) || asked.has(localName)) return;
  asked.add(localName);
  import(`./${localName}.js`).catch((error) => {
    asked.delete(localName);
    document.documentElement.dataset.missing = "true";
    console.error(`<${localName}> could not be loaded`, error);
  });
}

/** @param {Element | Document} within */
function attend(within) {
  /** @param {string} selector */
  const all = (selector) => [
    ...(within instanceof Element && within.matches(selector) ? [within] : []),
    ...within.querySelectorAll(selector),
  ];
  keepPlace(all("article > *"));
  watchTables(all(".md-typeset__scrollwrap"));
  watchPlayers(all("trace-player:not(:defined)"));
  all(":not(:defined)").forEach(load);
}

let visit = recordVisit();
let path = location.pathname;

/** A page may be swapped in place: look at what comes in, and start a new visit. @param {MutationRecord[]} changes */
function arrive(changes) {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) if (node instanceof Element) attend(node);
  }
  if (location.pathname === path) return;
  path = location.pathname;
  visit.end();
  visit = recordVisit();
}

attend(document);
closeMenu();
watchSearch();
new MutationObserver(arrive).observe(document.body, { childList: true, subtree: true });
