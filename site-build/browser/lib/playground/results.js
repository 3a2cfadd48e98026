/** What a run came to: a sentence, a table beside the run before, and what changed between the two. */
import { RUNTIME } from "../../runtime.js";
import { make, unseen } from "../dom.js";
import { difference, interval, rowsOf, sentence, shown } from "./report.js";
import { changes } from "./state.js";
import { TEXT } from "./words.js";

/** @typedef {import("./report.js").Report} Report */
/** @typedef {import("./report.js").Row} Row */
/** @typedef {{ report: Report, state: import("./state.js").State }} Run */

const HEADS = ["", "requests", "this run", "the run before", "difference"];

export class Results {
  #words = make("p", { class: "play-words" }, TEXT.nothingYet(RUNTIME.bytes.snippet));
  #changed = make("p", { class: "play-changed", hidden: true });
  #table = make("table", { class: "play-table", hidden: true });
  node = make("section", { class: "play-results", "aria-labelledby": "play-results-title" });

  constructor() {
    const title = make("h2", { id: "play-results-title" }, TEXT.results);
    const wide = make("div", { class: "md-typeset__scrollwrap play-scroll" }, this.#table);
    this.node.append(title, this.#words, this.#changed, wide);
  }

  /** @param {Run} run @param {Run | null} before */
  show(run, before) {
    this.#words.textContent = sentence(run.report);
    const list = before ? changes(before.state, run.state) : [];
    this.#changed.textContent = before ? (list.length ? TEXT.changed(list) : TEXT.same) : "";
    this.#changed.hidden = !before;
    const others = before && before.report.unit === run.report.unit ? rowsOf(before.report) : [];
    this.#fill(rowsOf(run.report), others, before !== null);
    this.node.classList.remove("is-old");
  }

  /** The numbers are those of another setting than the form shows. */
  age() {
    this.node.classList.add("is-old");
  }

  /** @param {Row[]} rows @param {Row[]} others @param {boolean} compared */
  #fill(rows, others, compared) {
    const heads = compared ? HEADS : HEADS.slice(0, 3);
    const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text || unseen("What was measured"))));
    const body = rows.map((row) => {
      const before = others.find(({ label }) => label === row.label);
      const value = make("td", {}, make("strong", {}, shown(row, row.value)), ...(interval(row) ? [make("small", {}, interval(row))] : []));
      const cells = [make("td", {}, row.n.toLocaleString("en")), value];
      if (compared) cells.push(make("td", {}, before ? shown(before, before.value) : ""), make("td", {}, difference(row, before)));
      return make("tr", {}, make("th", { scope: "row" }, row.label), ...cells);
    });
    const caption = make("caption", {}, TEXT.caption);
    this.#table.replaceChildren(caption, make("thead", {}, head), make("tbody", {}, ...body));
    this.#table.hidden = false;
  }
}
