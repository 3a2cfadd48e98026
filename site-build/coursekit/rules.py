"""The engine's rules: for each its sentence and the line it stands on, which `rules.json` tells the trace player."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coursekit.digest import files_under
from engine.views.why import RULES, marked_rules

PAGE = "reference/source/"
"""The page that shows the modules with rules, seen from the site's root."""


@dataclass(frozen=True)
class Rule:
    """One rule of the engine, told in a sentence that stands on one line of one module."""

    name: str
    sentence: str
    module: str
    line: int

    @property
    def anchor(self) -> str:
        """Where its line stands on the page."""
        return line_anchor(self.module, self.line)


def line_anchor(module: str, line: int) -> str:
    """The id of one line of a module's source."""
    return f"{module}-{line}"


def rules_of(engine: Path) -> list[Rule]:
    """Every rule of the engine in the folder `engine`, by module and line."""
    return sorted(_marked(engine), key=lambda rule: (rule.module, rule.line))


def _marked(engine: Path) -> Iterator[Rule]:
    for file in files_under(engine):
        if file.suffix == ".py":
            module = ".".join(file.relative_to(engine.parent).with_suffix("").parts)
            for name, line in marked_rules(file.read_text(encoding="utf-8")):
                if name in RULES:
                    yield Rule(name, RULES[name], module, line)


def rules_json(engine: Path) -> str:
    """What the player reads beside itself, in `assets/course/`; a rule's `url` is relative to this file."""
    told = {
        rule.name: {
            "sentence": rule.sentence,
            "module": rule.module,
            "line": rule.line,
            "url": f"../../{PAGE}#{rule.anchor}",
        }
        for rule in rules_of(engine)
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
