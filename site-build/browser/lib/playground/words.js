/** What the playground says. */

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0);
/** @param {number} number */
const count = (number) => number.toLocaleString("en");

export const TEXT = {
  form: "What arrives, and the engine that serves it",
  groups: { traffic: "What arrives", engine: "The engine" },
  folded: { traffic: "More about what arrives", engine: "More settings of the engine" },
  slider: (/** @type {string} */ label) => `${label}, slider`,
  incident: "Begin with an incident",
  noIncident: "none: the fields below",
  fromIncident: (/** @type {string} */ title) => `The requests come from the incident “${title}”, so the fields of what arrives say nothing now.`,
  fromFile: (/** @type {string} */ name) => `The requests come from ${name}, so the fields of what arrives say nothing now.`,
  own: "Draw the requests from the fields instead",
  run: "Run",
  stop: "Stop",
  reset: "Reset",
  open: "Open a file…",
  lab: "Open in the lab",
  save: "Save the trace",
  saveScenario: "Save the scenario",
  copy: "Copy the command",
  draw: "Draw the trace",
  drop: "Drop the file: it stays in this page",
  privacy:
    "Open a trace, a recording or a benchmark's result with the button, or drop it here. It is read by this page alone: no file and " +
    "no setting is sent anywhere.",
  formats: "Which files can be read?",
  starting: "Starting Python…",
  progress: (/** @type {number} */ loaded, /** @type {number} */ total) => `Starting Python… ${megabytes(loaded)} of ${megabytes(total)} MB`,
  missing: "Python could not be loaded: a file is missing or didn't arrive. Check the connection, then press Run again.",
  failed: (/** @type {string} */ why) => `Python could not be started in this browser. ${why}`,
  simulating: "Simulating…",
  done: (/** @type {number} */ number, /** @type {string} */ took, /** @type {string} */ first) =>
    `${count(number)} requests simulated in ${took}${first ? `: half saw their first token within ${first}` : ""}.`,
  bar: "The simulation",
  drawing: "Drawing the trace…",
  drawn: "The trace is drawn below.",
  tooMany: (/** @type {number} */ number) => `A trace of ${count(number)} requests takes a while to write; it is drawn when you ask.`,
  noPlayer: "The trace player could not be loaded. The numbers above are right; the trace can be saved.",
  stopped: "Stopped.",
  problem: (/** @type {string} */ words) => `This can't be simulated: ${words}`,
  broken: (/** @type {string} */ words) => `The engine failed, which it shouldn't: ${words}`,
  reading: (/** @type {string} */ name, /** @type {number} */ share) => `Reading ${name}… ${Math.round(share * 100)} %`,
  unreadable: (/** @type {string} */ words) => `This file can't be read. ${words}`,
  tooLarge: (/** @type {string} */ name, /** @type {number} */ bytes) =>
    `${name} is packed and has ${megabytes(bytes)} MB. Unpack it, or take a part of it; this page reads up to ${megabytes(MOST_BYTES)} MB at once.`,
  opened: (/** @type {string} */ name, /** @type {string} */ format, /** @type {number} */ number, /** @type {boolean} */ more) =>
    `${name}: ${format}, ${count(number)} requests${more ? ": the beginning of the file, which holds more" : ""}.`,
  recorded: "This file says what a server did. You see that; Run replays its requests on the engine.",
  recordedOnly: "This file says what happened and not when in seconds, so it is shown and can't be replayed.",
  cut: (/** @type {number} */ bytes) => `Only the first ${megabytes(bytes)} MB of the file were read.`,
  lost: (/** @type {string} */ name) => `This link was made with the file ${name}, which isn't part of the link. Open it here to see the same.`,
  writing: "Simulating what the trace says, to save it…",
  traceSaved: "The trace is in your downloads.",
  copied: "The command is copied.",
  notCopied: "The browser didn't allow copying; the command stands below.",
  command: "The same on the command line",
  savedFirst: "Save the scenario first: the file's beginning alone was taken, and the command reads it from there.",
  noLab: "There is no lab to open this in.",
  heavy: (/** @type {number} */ number) => `${count(number)} requests are too many to carry to the lab. Save the scenario and upload it there.`,
  unsaved: "The lab reads what this browser keeps, and that is switched off or full: save the scenario and upload it there.",
  results: "Results",
  nothingYet: (/** @type {number} */ bytes) => `Press Run, or change something. The first time, Python is loaded: ${megabytes(bytes)} MB, then your browser has it.`,
  caption: "Small print: where the true value lies, 19 times in 20; “?” where there are too few requests to tell.",
  same: "The same settings as before.",
  changed: (/** @type {string[]} */ list) => `Changed: ${list.join("; ")}.`,
  problems: "Not everything in the address could be taken:",
};

/** Of a file at once; what is larger is read from its beginning. */
export const MOST_BYTES = 200_000_000;
/** Requests that are taken from a file. */
export const MOST_REQUESTS = 20_000;
/** Up to so many requests the trace is drawn by itself. */
export const DRAWN_UP_TO = 1500;
/** Up to so many requests of a file go to the lab. */
export const CARRIED_UP_TO = 2000;
