/**
 * The playground: a form whose state is the address's fragment, an engine in the page's Python worker, and what a run
 * came to, in numbers and as a trace.
 *
 * Marks: `data-phase="idle|starting|running"` on the element; `data-took`: the milliseconds of the last simulation.
 */
import { isOff } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { Desk } from "./lib/playground/desk.js";
import { onDrop, openFiles } from "./lib/playground/files.js";
import { Form } from "./lib/playground/form.js";
import { incident } from "./lib/playground/incident-files.js";
import { WITH_REQUESTS } from "./lib/playground/incidents.js";
import { copyCommand, openLab, saveScenario, saveTrace } from "./lib/playground/outcomes.js";
import { Panel } from "./lib/playground/panel.js";
import { Player } from "./lib/playground/player.js";
import { shown } from "./lib/playground/report.js";
import { commandOf, scenarioOf, stateOfIncident } from "./lib/playground/scenario.js";
import { fragmentOf, isAnchor, isSame, startState, stateOf, withValue } from "./lib/playground/state.js";
import { DRAWN_UP_TO, MOST_REQUESTS, TEXT } from "./lib/playground/words.js";
import { STUCK_AFTER_MS } from "./lib/python-runner.js";

/** @typedef {import("./lib/playground/state.js").State} State */
/** @typedef {import("./lib/playground/files.js").Opened} Opened */
/** @typedef {Error & { reason?: string }} Fault */

/** How long a pointer rests on the form before Python is started for it. */
const REST_MS = 120;

class CoursePlayground extends CourseElement {
  state = startState();
  desk = new Desk();
  panel = new Panel(this);
  player = new Player();
  /** The file whose requests are on the desk. @type {Opened | null} */
  #file = null;
  /** Whether the file holds more requests than were taken. */
  isCut = false;
  /** The last run that was completed, for the next one to be held against. @type {import("./lib/playground/results.js").Run | null} */
  #last = null;
  /** What is asked later makes what was asked earlier void. */
  #turn = 0;
  #form = new Form(
    (name, value) => this.#set(withValue(this.state, name, value)),
    () => this.panel.results.age(),
  );

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    for (const node of this.panel.nodes(this.#form.node, this.player.node)) this.append(this.own(node));
    this.#listen(signal);
    this.#warm(signal);
    this.#read();
    // What the browser went to has moved down.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
    this.panel.phase = "idle";
    this.onEnd(() => this.desk.cancel());
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { buttons, after, picker } = this.panel;
    /** @type {[HTMLButtonElement, () => unknown][]} */
    const deeds = [
      [buttons.run, () => this.#run()],
      [buttons.stop, () => this.#stop()],
      [buttons.reset, () => this.#set(startState())],
      [buttons.open, () => picker.click()],
      [after.draw, () => this.#attempt((turn) => this.#draw(turn, ""))],
      [after.lab, () => this.#try(() => openLab(this))],
      [after.save, () => this.#try(() => saveTrace(this))],
      [after.scenario, () => this.#try(() => saveScenario(this))],
      [after.copy, () => this.#try(() => copyCommand(this))],
      [this.#form.own, () => this.#set({ ...this.state, incident: "", file: "" })],
    ];
    for (const [node, deed] of deeds) node.addEventListener("click", () => isOff(node) || deed(), { signal });
    this.#form.incidents.addEventListener("change", () => this.#try(() => this.#choose(this.#form.incidents.value)), { signal });
    picker.addEventListener("change", () => this.#open([...(picker.files ?? [])]), { signal });
    onDrop(this, (files) => this.#open(files), signal);
    window.addEventListener("popstate", () => this.#read(true), { signal });
  }

  /** Python comes up while the student is still on the way to the first button. @param {AbortSignal} signal */
  #warm(signal) {
    if (/** @type {any} */ (navigator).connection?.saveData === true) return;
    const start = () => void this.desk.start().catch(() => {});
    let rest = 0;
    this.addEventListener("pointerenter", () => (rest = setTimeout(start, REST_MS)), { signal });
    this.addEventListener("pointerleave", () => clearTimeout(rest), { signal });
    this.addEventListener("focusin", start, { signal, once: true });
  }

  /** Take the state from the address. @param {boolean} [again] whether the student went back or forth */
  #read(again = false) {
    if (again && isAnchor(location.hash)) return;
    const { state, problems } = stateOf(location.hash, WITH_REQUESTS);
    if (state.file && state.file !== this.#file?.name) {
      problems.push(TEXT.lost(state.file));
      state.file = "";
    }
    this.panel.tell(problems);
    if (again && isSame(state, this.state)) return;
    this.#take(state);
    if (again) void this.#run();
  }

  /** A setting of the student's: it goes into the address and is run. @param {State} state */
  #set(state) {
    if (!isSame(state, this.state)) history.pushState(null, "", fragmentOf(state));
    this.panel.tell([]);
    this.#take(state);
    void this.#run();
  }

  /** @param {State} state */
  #take(state) {
    this.state = state;
    if (!state.file) this.panel.forgetFile();
    this.#form.show(state);
    this.panel.results.age();
    void this.command().then((words) => state === this.state && (this.panel.command = words), () => {});
  }

  /** @param {string} id */
  async #choose(id) {
    this.#set(id ? stateOfIncident(startState(), id, await incident(id)) : { ...this.state, incident: "" });
  }

  /** The scenario of the state; of a file's requests it says nothing. */
  async scenario() {
    return scenarioOf(this.state, this.state.incident ? await incident(this.state.incident) : null);
  }

  /** The command that gives the same numbers. */
  async command() {
    const saved = this.isCut && this.state.file ? "playground.scenario.json" : "";
    return commandOf(this.state, this.state.incident ? await incident(this.state.incident) : null, saved);
  }

  #run() {
    this.#form.clearFaults();
    return this.#attempt((turn) => this.#simulate(turn));
  }

  /** Whether what was asked in that turn is still wanted. @param {number} turn */
  #isNow(turn) {
    return turn === this.#turn && this.isConnected;
  }

  /** Cancel what runs, start Python, and do it. What fails is said. @param {(turn: number) => Promise<void>} deed */
  async #attempt(deed) {
    const turn = (this.#turn += 1);
    this.desk.cancel();
    try {
      this.panel.phase = "starting";
      this.panel.say(TEXT.starting);
      await this.desk.start((progress) => this.#isNow(turn) && this.panel.loading(progress));
      if (!this.#isNow(turn)) return;
      this.panel.phase = "running";
      await deed(turn);
    } catch (error) {
      if (this.#isNow(turn)) this.#fail(/** @type {Fault} */ (error));
    } finally {
      if (this.#isNow(turn)) this.panel.phase = "idle";
    }
  }

  /** What needs no turn: what fails is said. @param {() => Promise<unknown>} deed */
  #try(deed) {
    deed().catch((error) => this.#fail(error));
  }

  /** @param {number} turn */
  async #simulate(turn) {
    const { state } = this;
    const scenario = await this.scenario();
    this.panel.say(TEXT.simulating);
    const began = performance.now();
    const report = await this.#metrics(scenario);
    if (!this.#isNow(turn) || report === null) return;
    if (report.problem) return this.#refuse(report);
    this.dataset.took = String(Math.round(performance.now() - began));
    this.#show({ report, state });
    const seconds = (/** @type {number} */ value) => shown({ kind: "time" }, value);
    const first = report.ttft.n ? seconds(report.ttft.p50.value) : "";
    const done = TEXT.done(report.num_requests, seconds(Number(this.dataset.took) / 1000), first);
    this.panel.after.draw.hidden = report.num_requests <= DRAWN_UP_TO;
    if (report.num_requests <= DRAWN_UP_TO) return this.#draw(turn, done);
    this.player.empty();
    this.panel.say(`${done} ${TEXT.tooMany(report.num_requests)}`);
  }

  /** @param {import("./lib/playground/results.js").Run} run */
  #show(run) {
    this.panel.results.show(run, this.#last);
    this.#last = run;
  }

  /** A worker that was started anew has an empty desk. @param {object} scenario */
  async #metrics(scenario) {
    const report = await this.desk.metrics(scenario);
    if (!report?.problem?.startsWith("traffic is missing") || !this.#file) return report;
    await this.desk.open(this.#file.bytes, { ...this.#file, most: MOST_REQUESTS }, () => {});
    return this.desk.metrics(scenario);
  }

  /** @param {number} turn @param {string} done */
  async #draw(turn, done) {
    this.panel.say(`${done} ${TEXT.drawing}`.trim());
    const text = await this.desk.trace(await this.scenario());
    if (this.#isNow(turn) && text !== null) await this.#play(turn, text, this.state.file || this.state.incident || "playground", done);
  }

  /** @param {number} turn @param {string} text @param {string} name @param {string} done */
  async #play(turn, text, name, done) {
    const drawn = await this.player.show(text, name);
    if (this.#isNow(turn)) this.panel.say(`${done} ${drawn ? TEXT.drawn : TEXT.noPlayer}`.trim());
  }

  /** @param {Record<string, any>} report */
  #refuse({ problem, setting }) {
    this.panel.say(TEXT.problem(problem));
    if (setting) this.#form.fault(setting, problem);
  }

  /** @param {Fault} fault */
  #fail({ reason, message }) {
    const words = { missing: TEXT.missing, failed: TEXT.failed(message), file: TEXT.unreadable(message) };
    this.panel.say(words[/** @type {keyof typeof words} */ (reason)] ?? TEXT.broken(message));
  }

  #stop() {
    const turn = (this.#turn += 1);
    this.desk.cancel();
    this.panel.phase = "idle";
    this.panel.say(TEXT.stopped);
    setTimeout(() => this.#isNow(turn) && this.desk.busy && void this.desk.restart().catch(() => {}), STUCK_AFTER_MS);
  }

  /** @param {readonly File[]} files */
  async #open(files) {
    this.panel.picker.value = "";
    if (files.length) await this.#attempt((turn) => this.#openFiles(turn, files));
  }

  /** @param {number} turn @param {readonly File[]} files */
  async #openFiles(turn, files) {
    const file = await openFiles(files);
    this.panel.say(TEXT.reading(file.name, 0));
    const told = await this.desk.open(file.bytes, { ...file, most: MOST_REQUESTS }, (share) => this.panel.say(TEXT.reading(file.name, share)));
    if (!this.#isNow(turn) || told === null) return;
    if (told.problem) return this.panel.say(TEXT.unreadable(told.problem));
    this.#file = file;
    this.isCut = told.more || file.isCut;
    if (told.holds_trace) await this.#showRecorded(turn, file, told);
    else this.#set({ ...this.state, incident: "", file: file.name });
    this.panel.describe(file, told);
  }

  /** What a server did, as its file says; its requests can be replayed where their times are known. @param {number} turn @param {Opened} file @param {Record<string, any>} told */
  async #showRecorded(turn, file, told) {
    const found = await this.desk.opened();
    if (!this.#isNow(turn) || !found) return;
    const state = { ...this.state, incident: "", file: told.can_replay ? file.name : "" };
    if (!isSame(state, this.state)) history.pushState(null, "", fragmentOf(state));
    this.#take(state);
    this.#show({ report: found.report, state });
    await this.#play(turn, found.text, file.name, "");
  }
}

customElements.define("course-playground", CoursePlayground);
