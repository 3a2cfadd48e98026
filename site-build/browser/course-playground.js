/**
 * The playground: a form whose state is the address's fragment, an engine in the page's Python worker, and what a run
 * came to, in numbers and as a trace.
 *
 * Marks: `data-phase="idle|starting|running"` on the element.
 */
import { button, isOff, make, setOff, statusLine } from "./lib/dom.js";
import { download } from "./lib/download.js";
import { CourseElement } from "./lib/element.js";
import { courseUrl } from "./lib/page.js";
import { Desk } from "./lib/playground/desk.js";
import { openFiles, onDrop } from "./lib/playground/files.js";
import { Form } from "./lib/playground/form.js";
import { WITH_REQUESTS } from "./lib/playground/incidents.js";
import { carry } from "./lib/playground/lab.js";
import { Player } from "./lib/playground/player.js";
import { shown } from "./lib/playground/report.js";
import { Results } from "./lib/playground/results.js";
import { commandOf, scenarioOf, stateOfIncident } from "./lib/playground/scenario.js";
import { fragmentOf, isSame, startState, stateOf } from "./lib/playground/state.js";
import { DRAWN_UP_TO, MOST_BYTES, MOST_REQUESTS, TEXT } from "./lib/playground/words.js";
import { STUCK_AFTER_MS } from "./lib/python-runner.js";
import { store } from "./store.js";

/** @typedef {import("./lib/playground/state.js").State} State */
/** @typedef {import("./lib/playground/results.js").Run} Run */
/** @typedef {import("./lib/playground/files.js").Opened} Opened */

/** How long a pointer rests on the form before Python is started for it. */
const REST_MS = 120;

class CoursePlayground extends CourseElement {
  #state = startState();
  #desk = new Desk();
  #form = new Form((name, value) => this.#set({ ...this.#state, values: { ...this.#state.values, [name]: value } }), () => this.#results.age());
  #results = new Results();
  #player = new Player();
  #buttons = {
    run: button(TEXT.run, "primary"),
    stop: button(TEXT.stop),
    reset: button(TEXT.reset),
    open: button(TEXT.open),
  };
  #after = {
    lab: button(TEXT.lab, "quiet"),
    save: button(TEXT.save, "quiet"),
    scenario: button(TEXT.saveScenario, "quiet"),
    copy: button(TEXT.copy, "quiet"),
    draw: button(TEXT.draw, "quiet"),
  };
  #picker = make("input", { type: "file", multiple: true, class: "course-unseen", tabindex: -1, "aria-hidden": "true" });
  #status = statusLine("play-status");
  #bar = make("progress", { max: 1, value: 0, "aria-label": TEXT.starting });
  #loading = make("p", { class: "play-progress", hidden: true }, this.#bar);
  #problems = make("div", { class: "play-problems", role: "alert", hidden: true });
  #fileWords = make("div", { class: "play-file", hidden: true });
  #command = make("pre", { class: "play-command", tabindex: 0, role: "group", "aria-label": TEXT.command });
  /** The last run that was completed, for the next one to be held against. @type {Run | null} */
  #last = null;
  /** The scenario's file where an incident brings its own requests. @type {Record<string, any> | null} */
  #incident = null;
  /** @type {Opened | null} */
  #file = null;
  #isCut = false;
  #turn = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#build();
    this.#listen(signal);
    this.#read();
    this.#phase("idle");
    this.onEnd(() => this.#desk.cancel());
  }

  #build() {
    const privacy = make("p", { class: "play-privacy" }, TEXT.privacy, " ", make("a", { href: courseUrl("reference/readers/") }, TEXT.formats));
    const bar = make("div", { class: "play-bar" }, ...Object.values(this.#buttons));
    const after = make("div", { class: "play-after" }, ...Object.values(this.#after));
    const right = make("div", { class: "play-right" }, bar, this.#status, this.#loading, this.#problems, this.#fileWords, this.#results.node);
    const desk = make("div", { class: "play-desk" }, this.#form.node, right);
    const drop = make("p", { class: "play-drop", "aria-hidden": "true" }, TEXT.drop);
    const command = make("details", { class: "play-more" }, make("summary", {}, TEXT.command), this.#command);
    for (const node of [desk, after, this.#player.node, command, privacy, this.#picker, drop]) this.append(this.own(node));
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { run, stop, reset, open } = this.#buttons;
    const { lab, save, scenario, copy, draw } = this.#after;
    /** @type {[HTMLButtonElement, () => unknown][]} */
    const deeds = [
      [run, () => this.#run()],
      [stop, () => this.#stop()],
      [reset, () => this.#set(startState())],
      [open, () => this.#picker.click()],
      [lab, () => this.#openLab()],
      [save, () => this.#save()],
      [scenario, () => this.#saveScenario()],
      [copy, () => this.#copy()],
      [draw, () => this.#draw()],
      [this.#form.own, () => this.#set({ ...this.#state, incident: "", file: "" })],
    ];
    for (const [node, deed] of deeds) node.addEventListener("click", () => isOff(node) || deed(), { signal });
    this.#form.incidents.addEventListener("change", () => void this.#choose(this.#form.incidents.value), { signal });
    this.#picker.addEventListener("change", () => void this.#open([...(this.#picker.files ?? [])]), { signal });
    onDrop(this, (files) => void this.#open(files), signal);
    window.addEventListener("popstate", () => this.#read(true), { signal });
    this.#warm(signal);
  }

  /** Python comes up while the student is still on the way to the first button. @param {AbortSignal} signal */
  #warm(signal) {
    const thrifty = /** @type {any} */ (navigator).connection?.saveData === true;
    const start = () => void this.#desk.start().catch(() => {});
    let rest = 0;
    this.addEventListener("pointerenter", () => (rest = thrifty ? 0 : setTimeout(start, REST_MS)), { signal });
    this.addEventListener("pointerleave", () => clearTimeout(rest), { signal });
    this.addEventListener("focusin", () => thrifty || start(), { signal, once: true });
  }

  /** Take the state from the address. @param {boolean} [again] whether the student went back or forth */
  #read(again = false) {
    const { state, problems } = stateOf(location.hash, WITH_REQUESTS);
    if (again && isSame(state, this.#state)) return;
    if (state.file && state.file !== this.#file?.name) {
      problems.push(TEXT.lost(state.file));
      state.file = "";
    }
    this.#tell(problems);
    this.#state = state;
    this.#show();
    if (again) void this.#run();
  }

  /** @param {readonly string[]} problems */
  #tell(problems) {
    this.#problems.hidden = problems.length === 0;
    const list = make("ul", {}, ...problems.map((words) => make("li", {}, words)));
    this.#problems.replaceChildren(...(problems.length ? [make("p", {}, TEXT.problems), list] : []));
  }

  /** @param {State} state */
  #set(state) {
    if (state.file === "") this.#fileWords.hidden = true;
    if (!isSame(state, this.#state)) history.pushState(null, "", fragmentOf(state));
    this.#tell([]);
    this.#state = state;
    this.#show();
    void this.#run();
  }

  #show() {
    // Moving the slider to a shape other than Poisson's means bursts; the form says so at once.
    this.#form.show(this.#state);
    this.#results.age();
    void this.#showCommand();
  }

  async #showCommand() {
    const state = this.#state;
    const incident = await this.#incidentOf(state).catch(() => null);
    if (state === this.#state) this.#command.textContent = commandOf(state, incident, this.#isCut && state.file ? "playground.scenario.json" : "");
  }

  /** The file of an incident that brings its own requests. @param {State} state */
  async #incidentOf({ incident }) {
    if (!incident) return null;
    if (this.#incident?.id !== incident) this.#incident = { id: incident, ...(await fetchIncident(incident)) };
    const { id: _, ...found } = this.#incident ?? {};
    return found;
  }

  /** @param {string} id */
  async #choose(id) {
    if (!id) return this.#set({ ...this.#state, incident: "" });
    try {
      this.#set(stateOfIncident(startState(), id, await fetchIncident(id)));
    } catch {
      this.#say(TEXT.missing);
    }
  }

  async #run() {
    const turn = (this.#turn += 1);
    this.#desk.cancel();
    this.#form.clearFaults();
    try {
      await this.#start(turn);
      const scenario = scenarioOf(this.#state, await this.#incidentOf(this.#state));
      if (turn !== this.#turn) return;
      await this.#simulate(turn, scenario);
    } catch (error) {
      if (turn === this.#turn) this.#fail(/** @type {Error & { reason?: string }} */ (error));
    } finally {
      if (turn === this.#turn) this.#phase("idle");
    }
  }

  /** @param {number} turn */
  async #start(turn) {
    this.#phase("starting");
    this.#say(TEXT.starting);
    await this.#desk.start(({ loaded, total }) => {
      if (turn !== this.#turn) return;
      this.#loading.hidden = loaded >= total;
      this.#bar.max = total;
      this.#bar.value = loaded;
      this.#say(TEXT.progress(loaded, total));
    });
  }

  /** @param {number} turn @param {object} scenario */
  async #simulate(turn, scenario) {
    const { state } = { state: this.#state };
    this.#phase("running");
    this.#say(TEXT.simulating);
    const began = performance.now();
    const report = await this.#metrics(scenario);
    const took = performance.now() - began;
    if (turn !== this.#turn || report === null) return;
    if (report.problem) return this.#refuse(report);
    this.#results.show({ report, state }, this.#last);
    this.#last = { report, state };
    const done = TEXT.done(report.num_requests, shown({ kind: "time" }, took / 1000));
    this.dataset.took = String(Math.round(took));
    if (report.num_requests > DRAWN_UP_TO) {
      this.#player.empty();
      this.#say(`${done} ${TEXT.tooMany(report.num_requests)}`);
    } else await this.#drawNow(turn, scenario, done);
  }

  /** A worker that was started anew has an empty desk. @param {object} scenario */
  async #metrics(scenario) {
    const report = await this.#desk.metrics(scenario);
    if (!report?.problem?.startsWith("traffic is missing") || !this.#file) return report;
    await this.#desk.open(this.#file.bytes, { ...this.#file, most: MOST_REQUESTS }, () => {});
    return this.#desk.metrics(scenario);
  }

  /** @param {number} turn @param {object} scenario @param {string} done */
  async #drawNow(turn, scenario, done) {
    this.#say(`${done} ${TEXT.drawing}`);
    const text = await this.#desk.trace(scenario);
    if (turn !== this.#turn || text === null) return;
    const drawn = await this.#player.show(text, this.#state.file || "playground");
    if (turn === this.#turn) this.#say(`${done} ${drawn ? TEXT.drawn : TEXT.noPlayer}`);
  }

  async #draw() {
    const turn = (this.#turn += 1);
    this.#desk.cancel();
    this.#phase("running");
    try {
      await this.#drawNow(turn, scenarioOf(this.#state, await this.#incidentOf(this.#state)), "");
    } catch (error) {
      if (turn === this.#turn) this.#fail(/** @type {Error} */ (error));
    } finally {
      if (turn === this.#turn) this.#phase("idle");
    }
  }

  /** @param {Record<string, any>} report */
  #refuse({ problem, setting }) {
    this.#say(TEXT.problem(problem));
    if (setting) this.#form.fault(setting, problem);
  }

  /** @param {Error & { reason?: string }} error */
  #fail({ reason, message }) {
    this.#say(reason === "missing" ? TEXT.missing : reason === "failed" ? TEXT.failed(message) : TEXT.broken(message));
  }

  #stop() {
    const turn = (this.#turn += 1);
    this.#desk.cancel();
    this.#phase("idle");
    this.#say(TEXT.stopped);
    setTimeout(() => turn === this.#turn && this.#desk.busy && void this.#desk.restart().catch(() => {}), STUCK_AFTER_MS);
  }

  /** @param {readonly File[]} files */
  async #open(files) {
    this.#picker.value = "";
    if (!files.length) return;
    const turn = (this.#turn += 1);
    this.#desk.cancel();
    try {
      const file = await openFiles(files);
      await this.#start(turn);
      if (turn === this.#turn) await this.#take(turn, file);
    } catch (error) {
      const fault = /** @type {Error & { reason?: string }} */ (error);
      if (turn === this.#turn && fault.reason) this.#fail(fault);
      else if (turn === this.#turn) this.#say(TEXT.unreadable(fault.message));
    } finally {
      if (turn === this.#turn) this.#phase("idle");
    }
  }

  /** @param {number} turn @param {Opened} file */
  async #take(turn, file) {
    this.#phase("running");
    this.#say(TEXT.reading(file.name, 0));
    const told = await this.#desk.open(file.bytes, { ...file, most: MOST_REQUESTS }, (share) => this.#say(TEXT.reading(file.name, share)));
    if (turn !== this.#turn || told === null) return;
    if (told.problem) return this.#say(TEXT.unreadable(told.problem));
    this.#file = file;
    this.#isCut = told.more || file.isCut;
    this.#describe(file, told);
    if (told.holds_trace) await this.#showRecorded(turn, file, told);
    else this.#set({ ...this.#state, incident: "", file: file.name });
  }

  /** @param {Opened} file @param {Record<string, any>} told */
  #describe(file, told) {
    const words = [TEXT.opened(file.name, told.format, told.requests, told.more)];
    if (file.isCut) words.push(TEXT.cut(MOST_BYTES));
    if (told.holds_trace) words.push(told.can_replay ? TEXT.recorded : TEXT.recordedOnly);
    const notes = make("ul", {}, ...told.notes.map((/** @type {string} */ note) => make("li", {}, note)));
    this.#fileWords.replaceChildren(...words.map((text) => make("p", {}, text)), ...(told.notes.length ? [notes] : []));
    this.#fileWords.hidden = false;
  }

  /** @param {number} turn @param {Opened} file @param {Record<string, any>} told */
  async #showRecorded(turn, file, told) {
    const found = await this.#desk.opened();
    if (turn !== this.#turn || !found) return;
    const state = { ...this.#state, incident: "", file: told.can_replay ? file.name : "" };
    if (!isSame(state, this.#state)) history.pushState(null, "", fragmentOf(state));
    this.#state = state;
    this.#show();
    this.#results.show({ report: found.report, state }, this.#last);
    this.#last = { report: found.report, state };
    const drawn = await this.#player.show(found.text, file.name);
    if (turn === this.#turn) this.#say(drawn ? TEXT.drawn : TEXT.noPlayer);
  }

  /** The scenario with every request in it, where it can't say them in numbers. */
  async #whole() {
    const scenario = scenarioOf(this.#state, await this.#incidentOf(this.#state));
    if (!this.#state.file) return scenario;
    await this.#desk.start();
    return this.#desk.spelledOut(scenario);
  }

  async #saveScenario() {
    const scenario = await this.#attempt(() => this.#whole());
    if (scenario) download("playground.scenario.json", `${JSON.stringify(scenario, null, 1)}\n`);
  }

  async #save() {
    const text = this.#player.text || (await this.#attempt(async () => {
      await this.#desk.start();
      return this.#desk.trace(scenarioOf(this.#state, await this.#incidentOf(this.#state)));
    }));
    if (text) download(`${this.#state.incident || "playground"}.trace.jsonl`, text);
  }

  async #openLab() {
    const scenario = await this.#attempt(() => this.#whole());
    if (!scenario) return;
    const way = await carry(scenario, store);
    if ("url" in way) location.assign(way.url);
    else this.#say(way.wrong);
  }

  async #copy() {
    await this.#showCommand();
    const hint = this.#isCut && this.#state.file ? ` ${TEXT.savedFirst}` : "";
    try {
      await navigator.clipboard.writeText(this.#command.textContent ?? "");
      this.#say(TEXT.copied + hint);
    } catch {
      const details = this.#command.closest("details");
      if (details) details.open = true;
      this.#say(TEXT.notCopied + hint);
    }
  }

  /** @template T @param {() => Promise<T>} deed @returns {Promise<T | null>} null where it failed, which is said */
  async #attempt(deed) {
    try {
      return await deed();
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      return null;
    }
  }

  /** @param {"idle" | "starting" | "running"} phase */
  #phase(phase) {
    this.dataset.phase = phase;
    setOff(this.#buttons.stop, phase === "idle");
    this.#loading.hidden = this.#loading.hidden || phase !== "starting";
  }

  /** @param {string} words */
  #say(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }
}

/** @param {string} id @returns {Promise<Record<string, any>>} */
async function fetchIncident(id) {
  const answer = await fetch(courseUrl(`incidents/${id}.json`));
  if (!answer.ok) throw new Error(`incidents/${id}.json did not arrive`);
  return answer.json();
}

customElements.define("course-playground", CoursePlayground);
