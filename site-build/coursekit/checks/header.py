"""The head of a block: `key: value` lines, a line of three dashes, then Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from coursekit.checks.keys import ID_PATTERN
from coursekit.problems import Fault, Spot

_LINE = re.compile(r"^(?P<key>[A-Za-z][\w-]*)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$")
ID = re.compile(ID_PATTERN)
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class Entry:
    """One value of a header, and where it stands."""

    text: str
    spot: Spot


@dataclass
class Header:
    """The values of a header by key. A value that makes no sense adds a fault and counts as the default."""

    entries: dict[str, Entry]
    faults: list[Fault] = field(default_factory=list)

    def text(self, key: str, default: str = "") -> str:
        """The value as it was written."""
        return self.entries[key].text if key in self.entries else default

    def flag(self, key: str, default: bool) -> bool:
        """A `yes` or `no`."""
        word = self.text(key, "yes" if default else "no").lower()
        if word not in _YES_NO:
            self.faults.append(Fault(self.spot(key), f'{key} is "{word}"', "write yes or no"))
        return _YES_NO.get(word, default)

    def spot(self, key: str) -> Spot:
        """Where a key stands; the block's first line if it doesn't."""
        return self.entries[key].spot if key in self.entries else Spot(1)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Add a fault for every key that nobody reads."""
        mend = f"the keys are {', '.join(sorted(known))}"
        self.faults += [
            Fault(entry.spot, f'unknown key "{key}"', mend) for key, entry in self.entries.items() if key not in known
        ]

    def id(self, what: str) -> str:
        """The author's id, checked for its shape. Empty where there is none."""
        name = self.text("id")
        if not name:
            mend = f"add a line like `id: my-{what}`; what students answer is stored under it"
            self.faults.append(Fault(Spot(1), f"the {what} has no id", mend))
        elif not ID.fullmatch(name):
            mend = "use small letters, digits and single hyphens, a letter first"
            self.faults.append(Fault(self.spot("id"), f'the id "{name}" can\'t be stored', mend))
        return name

    def whole(self, key: str, default: int) -> int:
        """A whole number."""
        written = self.text(key, str(default))
        if not written.isdigit():
            self.faults.append(Fault(self.spot(key), f'{key} is "{written}"', "write a whole number"))
            return default
        return int(written)


def split_header(text: str) -> tuple[Header, str, int]:
    """The header of a block, the Markdown after it, and the number of lines before that Markdown."""
    lines = text.split("\n")
    end = next((n for n, line in enumerate(lines) if line.strip() == "---"), None)
    if end is None:
        mend = "put `id: …` first, then a line with ---, then the question"
        return Header({}, [Fault(Spot(1), "no line of three dashes ends the header", mend)]), text, 0
    header = Header({})
    for number, line in enumerate(lines[:end], start=1):
        _read_line(header, line, number)
    return header, "\n".join(lines[end + 1 :]), end + 1


def _read_line(header: Header, line: str, number: int) -> None:
    if not line.strip():
        return
    if line[0].isspace() and header.entries:
        # An indented line goes on with the value above it.
        last = next(reversed(header.entries))
        before = header.entries[last]
        header.entries[last] = Entry(f"{before.text} {line.strip()}".strip(), before.spot)
        return
    match = _LINE.match(line)
    if match is None:
        what = f'"{line.strip()}" is no header line'
        header.faults.append(Fault(Spot(number), what, "write `key: value`"))
    elif match["key"] in header.entries:
        what = f'the key "{match["key"]}" stands twice'
        header.faults.append(Fault(Spot(number), what, "keep one of them"))
    else:
        spot = Spot(number, match.start("value") + 1)
        header.entries[match["key"]] = Entry(match["value"], spot)
