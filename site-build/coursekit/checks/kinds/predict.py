"""Predict, then run: an answer and how sure one is; then the code opens, with what it printed.

The answers are written as for a choice, or, with `answer: number` or `answer: text`, as for those. The code stands
under a heading Run, in a fence.
"""

from __future__ import annotations

from coursekit.checks.draft import Draft
from coursekit.checks.keys import Keys, text
from coursekit.checks.kinds import choice, number
from coursekit.checks.kinds import text as words
from coursekit.checks.kinds.base import Answers, Bench, Kind, attributes
from coursekit.problems import Fault, Spot
from coursekit.snippets.compile import compile_snippet

RUN = "run"
ANSWERS = {"choice": choice.KIND, "number": number.KIND, "text": words.KIND}
KEYS: Keys = {
    "answer": text("How the prediction is given: choice, number or text; without it, choice.", enum=list(ANSWERS)),
    **choice.SHUFFLE,
    **number.KEYS,
}


def compile_predict(draft: Draft, bench: Bench) -> Answers:
    """The prediction's own answers, and a snippet that they open. Faults: no code, a key that isn't printed."""
    name = draft.header.text("answer", "choice")
    if name not in ANSWERS:
        mend = f"write one of {', '.join(ANSWERS)}"
        bench.fault(draft.header.spot("answer"), f'no prediction is given as "{name}"', mend)
        return Answers("", "")
    answers = ANSWERS[name].compile(draft, bench)
    code = next((t for part in draft.section(RUN) for t in part.tokens if t.type == "fence"), None)
    if code is None:
        bench.fault(Spot(1), "there is no code to run", "add a heading Run and a fenced block of Python below it")
        return answers
    first = (code.map[0] if code.map else 0) + draft.above + 1
    title = draft.header.text("title") or "What you predicted"
    ran = bench.run(code.content)
    snippet = compile_snippet({"id": bench.id or "predict", "title": title}, code.content, lambda _: ran)
    bench.faults += [Fault(Spot(f.spot.line + first), f.what, f.mend) for f in snippet.faults]
    _require_printed(draft, ran.output, bench)
    kind = attributes(answer=name).strip()
    after = f'<div class="check-run" {kind} hidden>\n{snippet.html}\n</div>'
    return Answers(answers.html, f"{answers.seen}|{code.content}", after=after, facts=answers.facts)


def _require_printed(draft: Draft, output: str, bench: Bench) -> None:
    """A right option that is nothing but code states what the code prints."""
    for option in draft.options:
        leaves = option.label.tokens[0].children or []
        codes = [leaf.content for leaf in leaves if leaf.type == "code_inline"]
        others = "".join(leaf.content for leaf in leaves if leaf.type != "code_inline").strip()
        if option.ticked and len(codes) == 1 and not others and not codes[0].startswith("/") and codes[0] not in output:
            bench.fault(option.spot, f"the code doesn't print {codes[0]}", f"it prints {output.strip()!r}")


KIND = Kind(KEYS, compile_predict, frozenset({RUN}))
