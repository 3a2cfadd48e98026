/**
 * The live link's page: connect to a bridge, run a workload on a real server, watch it arrive, keep it, and compare it with
 * a simulation. Without a server, recordings take its place.
 *
 * Marks: `data-link="off|asking|on"` and `data-run="none|running|cut|over"` on the element.
 */
import { download } from "./lib/download.js";
import { button, make } from "./lib/dom.js";
import { CourseElement } from "./lib/element.js";
import { spaceOf, tokenIn } from "./lib/live/address.js";
import { askPython } from "./lib/live/asking.js";
import { backendWords } from "./lib/live/backend-panel.js";
import { CarryPanel } from "./lib/live/carry-panel.js";
import { DRAWN, GATHERED, READ } from "./lib/live/codes.js";
import { ComparePanel } from "./lib/live/compare-panel.js";
import { ConnectPanel, DEFAULT } from "./lib/live/connect-panel.js";
import { handOnLink, keptLink } from "./lib/live/handing.js";
import { holdsPrompts, withoutPrompts } from "./lib/live/kept-prompts.js";
import { giveToLab } from "./lib/live/lab-trace.js";
import { makePlayer } from "./lib/live/player.js";
import { problemWords } from "./lib/live/problems.js";
import { RecordingsPanel } from "./lib/live/recordings-panel.js";
import { RunView } from "./lib/live/run-view.js";
import { LiveSession } from "./lib/live/session.js";
import { ShelfPanel } from "./lib/live/shelf-panel.js";
import { WorkloadPanel } from "./lib/live/workload-panel.js";
import { courseUrl } from "./lib/page.js";

/** @typedef {import("./lib/live/shelf-panel.js").Run} Run */
/** @typedef {import("./lib/live/connect-panel.js").Place} Place */

const TEXT = {
  drawing: "Drawing the workload…",
  reading: "Reading the file…",
  sending: "Starting the run…",
  running: "The run goes on. It goes on, too, when you reload this page.",
  stopping: "Stopping…",
  over: "The run is over.",
  part: (/** @type {number} */ taken, /** @type {number} */ whole) => `The file has ${whole.toLocaleString("en")} requests; the first ${taken.toLocaleString("en")} are run, as the bridge takes no more.`,
  cut: (/** @type {number} */ again, /** @type {number} */ of, /** @type {string} */ why) => `The connection was lost (${why}). Trying again, ${again} of ${of}…`,
  left: "you disconnected",
  back: "The connection is back; it goes on after the last event.",
  goOn: "Go on after the last event",
  going: "Connecting again…",
  found: (/** @type {string} */ name) => `The bridge has a run, “${name}”: here it is from its beginning.`,
  shown: (/** @type {string} */ name) => `“${name}”`,
  saved: (/** @type {string} */ file) => `${file} is in your downloads.`,
  plain: "It holds every prompt in plain: whoever gets the file can read them.",
  large: "This trace is too large to be carried to the lab. Save it, and upload the file in the lab.",
  unreadable: (/** @type {string} */ file, /** @type {string} */ why) => `${file} can't be read: ${why}`,
};

/** The lab that a trace is opened in: any has the engine. */
const LAB = "labs/founding/?trace=tab";

class CourseLive extends CourseElement {
  /** @type {RunView | null} */
  #view = null;
  #runs = 0;

  /** @override @param {AbortSignal} signal */
  connect(signal) {
    this.#session = new LiveSession(
      { begun: (run, backend) => this.#begun(run, backend), ended: (why, lost) => this.#ended(why, lost) },
      signal,
    );
    this.#connect = new ConnectPanel({ connect: (place) => void this.#link(place), leave: () => this.#leave() }, signal);
    this.#workload = new WorkloadPanel({ run: (choice) => void this.#start(choice), stop: () => void this.#stop() }, signal);
    this.#compare = new ComparePanel(signal);
    this.#carry = new CarryPanel(signal);
    this.#shelf = new ShelfPanel(
      {
        show: (run) => void this.#show(run),
        save: (run) => this.#save(run),
        bare: (run) => this.#save({ ...run, text: withoutPrompts(run.text) }),
        lab: (run) => void this.#toLab(run),
        file: (file) => void this.#takeIn(file),
        changed: () => this.#compare.show(this.#shelf.runs),
      },
      signal,
    );
    this.#again.addEventListener("click", () => void this.#goOn(), { signal });
    const recordings = new RecordingsPanel((recording, text) => this.#record(recording, text), signal);
    const parts = [this.#connect.node, this.#backend, this.#workload.node, this.#again, this.#place, recordings.node, this.#shelf.node, this.#shown, this.#compare.node, this.#carry.node];
    for (const part of parts) this.append(this.own(part));
    this.onEnd(handOnLink());
    window.addEventListener("hashchange", () => this.#fromFragment(), { signal });
    this.#mark("off", "none");
    if (!this.#fromFragment()) this.#fromTab();
  }

  /** @type {LiveSession} */
  #session = /** @type {any} */ (null);
  /** @type {ConnectPanel} */
  #connect = /** @type {any} */ (null);
  /** @type {WorkloadPanel} */
  #workload = /** @type {any} */ (null);
  /** @type {ShelfPanel} */
  #shelf = /** @type {any} */ (null);
  /** @type {ComparePanel} */
  #compare = /** @type {any} */ (null);
  /** @type {CarryPanel} */
  #carry = /** @type {any} */ (null);
  #backend = make("div", { class: "live-part", hidden: true });
  #again = button(TEXT.goOn, "primary");
  #place = make("div");
  #shown = make("div");

  /** The link that a bridge printed: its token goes into the tab, and out of the address bar. */
  #fromFragment() {
    const token = tokenIn(location.hash);
    if (!token) return false;
    history.replaceState(history.state, "", location.pathname + location.search);
    // A bridge's own pages are on this machine. Anywhere else the token isn't for the host that the page came from.
    const own = spaceOf(location.hostname) === "loopback";
    const place = { address: own ? location.origin : DEFAULT, token };
    this.#connect.fill(place);
    if (own) void this.#link(place, keptLink()?.run ?? null);
    return own;
  }

  /** A page that was reloaded knows its bridge, and finds its run again. */
  #fromTab() {
    const kept = keptLink();
    if (!kept) return;
    this.#connect.fill(kept);
    void this.#link(kept, kept.run);
  }

  /** @param {Place} place @param {string | null} [run] */
  async #link(place, run = null) {
    this.#mark("asking", null);
    this.#connect.connecting(place.address);
    try {
      const backend = await this.#session.connect(place, run);
      if (!backend) return;
      this.#backend.replaceChildren(backendWords(backend));
      this.#backend.hidden = false;
      this.#mark("on", null);
      this.#connect.show(place.address);
      if (place.address === location.origin) this.#carry.offer();
    } catch (error) {
      this.#mark("off", null);
      this.#connect.failed(error);
    }
  }

  #leave() {
    this.#session.leave();
    this.#backend.hidden = true;
    if (this.dataset.run === "running") this.#view?.finish(TEXT.left);
    this.#mark("off", this.dataset.run === "running" || this.dataset.run === "cut" ? "over" : null);
    this.#connect.show(null);
  }

  /** @param {import("./lib/live/workload-panel.js").Choice} choice */
  async #start(choice) {
    this.#mark(null, "running");
    try {
      const workload = await this.#drawn(choice);
      this.#workload.say(TEXT.sending);
      await this.#session.run(workload);
    } catch (error) {
      this.#mark(null, "none");
      this.#workload.say(problemWords(error), true);
    }
  }

  /** @param {import("./lib/live/workload-panel.js").Choice} choice */
  async #drawn(choice) {
    const tell = (/** @type {string} */ words) => this.#workload.say(words);
    if (!("file" in choice)) {
      tell(TEXT.drawing);
      return askPython(DRAWN, choice, tell);
    }
    tell(TEXT.reading);
    const most = this.#session.backend?.limits.max_requests ?? 1000;
    const given = { name: choice.name, text: await choice.file.text(), most, faster: choice.faster };
    const { workload, whole } = await askPython(READ, given, tell);
    if (whole > workload.requests.length) tell(TEXT.part(workload.requests.length, whole));
    return workload;
  }

  /** @type {import("./lib/live/session.js").Told["begun"]} */
  #begun({ name, requests, again }, backend) {
    const view = new RunView(name, requests, backend);
    this.#view = view;
    this.#place.replaceChildren(view.node);
    this.#mark(null, "running");
    this.#workload.say(again ? TEXT.found(name) : TEXT.running);
    return {
      take: (lines) => view.take(lines),
      cut: ({ again: tries, of, why }) => view.say(TEXT.cut(tries, of, why)),
      back: () => view.say(TEXT.back),
    };
  }

  /** @param {string} why @param {boolean} lost */
  async #ended(why, lost) {
    this.#mark(null, lost ? "cut" : "over");
    this.#view?.finish(why);
    this.#workload.say(TEXT.over);
    if (this.#view) await this.#keepRun(this.#view, why);
  }

  async #goOn() {
    this.#mark(null, "running");
    this.#view?.say(TEXT.going);
    await this.#session.goOn();
  }

  async #stop() {
    this.#workload.say(TEXT.stopping);
    try {
      await this.#session.stop();
    } catch (error) {
      this.#workload.say(problemWords(error), true);
    }
  }

  /** What came, whole or not, as traces on the shelf. @param {RunView} view @param {string} why */
  async #keepRun(view, why) {
    const lines = await view.received.lines();
    if (lines.length === 0) return;
    const number = (view.number ||= this.#runs += 1);
    try {
      const parts = view.received.whole && view.lanes.length < 2 ? [{ name: "", text: ownLines(lines) }] : (await askPython(GATHERED, { lines, why })).lanes;
      for (const { name, text } of parts) {
        const title = [`${number}: ${view.name}`, name].filter(Boolean).join(", ");
        this.#shelf.add({ id: `live-${number}-${name}`, name: title, source: "live", about: aboutOf(text), text });
      }
    } catch (error) {
      this.#shelf.say(problemWords(error), true);
    }
  }

  /** @param {import("./lib/live/recordings-panel.js").Recording} recording @param {string} text */
  #record({ file, name, about }, text) {
    const run = { id: file, name, source: /** @type {const} */ ("recorded"), about, text };
    this.#shelf.add(run);
    void this.#show(run);
  }

  /** @param {File} file */
  async #takeIn(file) {
    try {
      const text = await file.text();
      const header = JSON.parse(text.slice(0, text.indexOf("\n") + 1 || undefined));
      if (header.format !== "inside-the-batch.trace") throw new Error("its first line doesn't say that it is a trace file of the course.");
      const run = { id: file.name, name: header.name ?? file.name, source: header.source ?? "recorded", about: aboutOf(text), text };
      await this.#show(run);
      this.#shelf.add(run);
      this.#shelf.say("");
    } catch (error) {
      this.#shelf.say(TEXT.unreadable(file.name, /** @type {Error} */ (error).message), true);
    }
  }

  /** @param {Run} run */
  async #show(run) {
    const player = await makePlayer(TEXT.shown(run.name), "timeline blocks queue meters");
    this.#shown.replaceChildren(make("section", { class: "live-part" }, make("h2", {}, run.name), player));
    await player.open(run.text, { name: run.name });
  }

  /** @param {Run} run */
  #save(run) {
    const file = `${run.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}.trace.jsonl`;
    download(file, run.text);
    this.#shelf.say(holdsPrompts(run.text) ? `${TEXT.saved(file)} ${TEXT.plain}` : TEXT.saved(file));
  }

  /** @param {Run} run */
  async #toLab(run) {
    // A notebook is soon shared, and shows nobody what is packed in it.
    const text = holdsPrompts(run.text) ? withoutPrompts(run.text) : run.text;
    if (await giveToLab({ ...run, text })) location.assign(courseUrl(LAB));
    else this.#shelf.say(TEXT.large, true);
  }

  /** @param {"off" | "asking" | "on" | null} link @param {"none" | "running" | "cut" | "over" | null} run null: as before */
  #mark(link, run) {
    if (link) this.dataset.link = link;
    if (run) this.dataset.run = run;
    const running = this.dataset.run === "running";
    this.#again.hidden = this.dataset.run !== "cut";
    const keeps = this.#session.backend?.keeps_prompts ?? false;
    this.#workload.show({ connected: this.dataset.link === "on" || running, running, keeps });
  }
}

/** The lines of the trace itself, without what the link tells besides. @param {string[]} lines */
function ownLines(lines) {
  return lines.filter((line) => !/^\{"event":\s*"(gap|end|metrics|lateness|kv)"/.test(line)).join("\n") + "\n";
}

/** What a trace's header says about it. @param {string} text */
function aboutOf(text) {
  try {
    return String(JSON.parse(text.slice(0, text.indexOf("\n"))).about ?? "");
  } catch {
    return "";
  }
}

customElements.define("course-live", CourseLive);
