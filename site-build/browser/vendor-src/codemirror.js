/**
 * The editor of a snippet: CodeMirror 6 with Python, and no more of it than a page needs. Bundled by the
 * build; loaded after a click. Colours are the page's own, so both themes and any contrast hold here too.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const hue = (/** @type {string} */ name) => ({ color: `var(--md-code-hl-${name}-color, currentcolor)` });

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.moduleKeyword, tags.definitionKeyword], ...hue("keyword") },
  { tag: [tags.bool, tags.null, tags.self], ...hue("constant") },
  { tag: [tags.string, tags.special(tags.string)], ...hue("string") },
  { tag: tags.number, ...hue("number") },
  { tag: tags.comment, ...hue("comment") },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], ...hue("function") },
  { tag: [tags.operator, tags.arithmeticOperator, tags.compareOperator], ...hue("operator") },
  { tag: [tags.punctuation, tags.paren, tags.squareBracket, tags.brace, tags.separator], ...hue("punctuation") },
  { tag: tags.meta, ...hue("special") },
]);

const look = EditorView.theme({
  "&": { color: "var(--md-code-fg-color, CanvasText)", backgroundColor: "var(--md-code-bg-color, Canvas)" },
  "&.cm-focused": { outline: "2px solid var(--course-pen, Highlight)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflowX: "auto" },
  ".cm-content": { caretColor: "var(--course-ink, CanvasText)", padding: "0.6rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--course-ink, CanvasText)", borderLeftWidth: "2px" },
  ".cm-gutters": { color: "var(--course-ink-soft, GrayText)", backgroundColor: "transparent", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--course-selection, color-mix(in srgb, var(--course-pen, Highlight) 28%, transparent))",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--course-edge, GrayText)" },
  ".cm-fault": { backgroundColor: "var(--course-bad-soft, transparent)", boxShadow: "inset 3px 0 var(--course-bad, CanvasText)" },
});

/** @type {import("@codemirror/state").StateEffectType<number | null>} */
const setFault = StateEffect.define();
const faultLine = Decoration.line({ class: "cm-fault" });

/** The line that an error points at, until the code changes. */
const fault = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    for (const effect of change.effects) {
      if (!effect.is(setFault)) continue;
      const line = effect.value;
      const shown = line !== null && line >= 1 && line <= change.state.doc.lines;
      return shown ? Decoration.set([faultLine.range(change.state.doc.line(line).from)]) : Decoration.none;
    }
    return change.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * @typedef {object} Wanted
 * @property {HTMLElement} parent
 * @property {string} code
 * @property {string} label what a screen reader calls the editor
 * @property {string} describedBy the id of the words on leaving it
 * @property {() => void} onChange
 * @property {() => void} onRun Ctrl or Cmd and Enter, or Shift and Enter
 */

/** @param {Wanted} wanted */
export function openEditor({ parent, code, label, describedBy, onChange, onRun }) {
  const run = () => (onRun(), true);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: code,
      extensions: [
        keymap.of([{ key: "Mod-Enter", run }, { key: "Shift-Enter", run }, indentWithTab, ...defaultKeymap, ...historyKeymap]),
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        indentUnit.of("    "),
        EditorState.tabSize.of(4),
        new LanguageSupport(pythonLanguage),
        syntaxHighlighting(colours),
        look,
        fault,
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-describedby": describedBy, spellcheck: "false" }),
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
      ],
    }),
  });
  return {
    code: () => view.state.doc.toString(),
    /** @param {string} text */
    setCode(text) {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    /** @param {number | null} line counted from one */
    markLine: (line) => view.dispatch({ effects: setFault.of(line) }),
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
