"""A result in words and as HTML: what a student sees below the cell that grades."""

import re
from dataclasses import dataclass
from html import escape
from typing import Any

from engine.views.notebook import MIME, player
from labs.kit.picture import Picture, to_svg, to_text, width
from labs.kit.replay import Replay
from labs.kit.result import Finding, Result


@dataclass(frozen=True, slots=True)
class Report:
    """A result that a notebook shows with its picture, and a terminal in letters."""

    result: Result

    def __repr__(self) -> str:
        return in_words(self.result)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        plain = {"text/html": in_html(self.result), "text/plain": in_words(self.result)}
        replay = self.result.finding and self.result.finding.replay
        return ({MIME: in_player(replay)} if replay else {}) | plain


def in_player(replay: Replay) -> dict[str, str]:
    """The failing run in the trace player, below the report, at the step that broke; other Jupyters show the report."""
    shown = player(replay.trace, compare=replay.compare, moment=replay.moment, choice=replay.choice, views=replay.views)
    return shown | {"beside": replay.words}


def in_words(result: Result) -> str:
    """The result as plain text."""
    if result.finding is None:
        held = [f"  + {rule}" for rule in result.held]
        picture = [to_text(result.picture)] if result.picture else []
        return "\n".join([_headline(result), *held, *picture, _record(result)])
    finding = result.finding
    parts = [
        _headline(result),
        *([f"Workload: {finding.workload}"] if finding.workload else []),
        f"What has to hold: {finding.violation.holds}",
        f"What happened: {finding.violation.words}",
        *([to_text(finding.picture)] if finding.picture else []),
        *([f"Your code printed:\n{finding.printed.rstrip()}"] if finding.printed else []),
        *([f"Hint: {finding.hint}"] if finding.hint else []),
        _record(result),
    ]
    return "\n\n".join(parts)


def in_html(result: Result) -> str:
    """The result as HTML, without scripts or styles of its own beyond attributes."""
    body = _finding_html(result.finding) if result.finding else _pass_html(result)
    colour = "good" if result.passed else "bad"
    edge = f"border-left:4px solid var(--course-{colour},var(--jp-{_JUPYTER[colour]}-color1,currentColor))"
    return (
        f'<div class="lab-report" style="{edge};padding:2px 0 2px 14px;max-width:46em">'
        f"<p><strong>{escape(_headline(result))}</strong></p>{body}"
        f"<p><small>{escape(_record(result))}</small></p></div>"
    )


_JUPYTER = {"good": "success", "bad": "error"}


def _pass_html(result: Result) -> str:
    held = "".join(f"<li>{_prose(rule)}</li>" for rule in result.held)
    return f"<ul>{held}</ul>" + (_figure(result.picture) if result.picture else "")


def _finding_html(finding: Finding) -> str:
    picture = _figure(finding.picture) if finding.picture else ""
    output = escape(finding.printed.rstrip())
    printed = f"<p>Your code printed:</p><pre>{output}</pre>" if output else ""
    hint = f"<details><summary>Hint</summary><p>{_prose(finding.hint)}</p></details>" if finding.hint else ""
    said = {
        "Workload.": finding.workload,
        "What has to hold.": finding.violation.holds,
        "What happened.": finding.violation.words,
    }
    paragraphs = (f"<p><strong>{name}</strong> {_prose(words)}</p>" for name, words in said.items() if words)
    return "".join(paragraphs) + picture + printed + hint


def _figure(picture: Picture) -> str:
    """The picture at its full size; where there is no room for it, it scrolls."""
    scrolls = 'style="overflow-x:auto;max-width:100%" tabindex="0" role="group" aria-label="Picture"'
    drawn = f'<div {scrolls}><div style="min-width:{width(picture):g}px">{to_svg(picture)}</div></div>'
    return f'<figure style="margin:1em 0"><figcaption>{escape(picture.title)}</figcaption>{drawn}</figure>'


def _prose(words: str) -> str:
    """Escaped text in which `code` is set as code and *stress* as stress."""
    parts = escape(words).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else _stressed(part) for index, part in enumerate(parts))


def _stressed(words: str) -> str:
    return re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", words)


def _headline(result: Result) -> str:
    if result.passed:
        return f"✓ {result.title}: passed. {result.num_workloads} workloads, nothing to complain about."
    ran = result.finding is not None and result.finding.workload
    return f"✗ {result.title}: not yet." + (" This is the smallest workload that goes wrong." if ran else "")


def _record(result: Result) -> str:
    return f"Lab {result.lab_version}, engine {result.engine_version}, seed {result.seed}."
