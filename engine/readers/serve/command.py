"""A command line that starts a server: what it says outright.

Of options that aren't needed only the names are kept, so that no key that stands there goes anywhere.
"""

from bisect import bisect_left
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import takewhile
from typing import Any, Final, NamedTuple

from engine.readers.serve import lacks, settings
from engine.readers.serve.options import ONE, SHORT, SOME, WISHES
from engine.readers.serve.server import Given, Told
from engine.readers.serve.words import Words, words_of

KNOWN: Final = WISHES | ONE | SOME
"""Every option of the release."""

KEPT: Final = frozenset(settings.OPTIONS) | frozenset(lacks.WHEN)
"""Options whose values are looked at."""

MOST_NAMED: Final = 100
"""So many options that the release doesn't have are named, and others like them suggested; the rest is counted."""

_SPELLINGS: Final = sorted(KNOWN | {f"no_{name}" for name in WISHES})


class _Option(NamedTuple):
    name: str
    written: str
    value: Any
    is_known: bool


def told(text: str) -> Told:
    """What the command line says. Raises `ReadError` for what is none."""
    words = words_of(text)
    given: dict[str, Given] = {}
    strangers: dict[str, _Option] = {}
    notes: dict[str, None] = {}
    model = None
    for option in _options(words):
        if not option.name:
            model = model or option.value
        elif not option.is_known:
            strangers.setdefault(option.written, option)
        else:
            if option.name in given and option.name in KEPT:
                notes[f"{option.written} stands there more than once: the last one counts, as for vLLM"] = None
            kept = option.value if option.name in KEPT else None
            given[option.name] = Given(kept, option.written)
            model = option.value if option.name == "model" and isinstance(option.value, str) else model
    notes.update(dict.fromkeys([*_remarks(given), *_unnamed(len(strangers) - MOST_NAMED)]))
    unrecognised = tuple(map(_suggestion, list(strangers.values())[:MOST_NAMED]))
    return Told("command", given, unrecognised, tuple(notes), words.version, model)


def _options(words: Words) -> Iterator[_Option]:
    """Options with their values; a word that belongs to none is the model, or is dropped."""
    left = words.arguments[::-1]
    model_may_come = words.has_model
    while left:
        word = left.pop()
        if not word.startswith("-") or word == "-":
            if model_may_come:
                yield _Option("", "", word, True)
            model_may_come = False
            continue
        name, written, value = _named(word)
        path = name.split(".")
        name = path[0]
        if value is None:
            value = _value_of(name, left, is_path=len(path) > 1)
        if len(path) > 1 and name in KNOWN:
            value = value if value is not None else True
        yield _Option(name, written, value, name in KNOWN)


def _named(word: str) -> tuple[str, str, Any]:
    """The option's name, how it was written, and the value that stands in the same word."""
    head, equals, tail = word.partition("=")
    value: Any = tail if equals else None
    if not head.startswith("--"):
        if head.startswith("-O") and len(head) > 2:
            return "optimization_level", "-O", head[2:]
        return SHORT.get(head, "optimization_level" if head == "-O" else head), head, value
    name = head[2:].rstrip("+").replace("-", "_")
    if head in SHORT:
        return SHORT[head], head, value
    name = _whole_name(name)
    if name not in KNOWN and name.removeprefix("no_") in WISHES:
        return name.removeprefix("no_"), head, False
    return name, head, True if name in WISHES and value is None else _plain(name, value)


def _whole_name(name: str) -> str:
    """The option that a beginning stands for, where only one begins so, as Python's argument parser has it."""
    if "." in name:
        return name
    behind = _SPELLINGS[bisect_left(_SPELLINGS, name) :]
    fits = list(takewhile(lambda spelling: spelling.startswith(name), behind))
    return fits[0] if len(fits) == 1 and name not in fits else name


def _plain(name: str, value: Any) -> Any:
    return value if name not in WISHES or value is None else str(value).lower() not in ("false", "0", "no")


def _value_of(name: str, left: list[str], *, is_path: bool) -> Any:
    """Take the values of `name` from the words that are left, which stand in reverse."""
    if name in WISHES and not is_path:
        return True
    taken = []
    # A negative number is a value: --max-model-len -1.
    while left and (not left[-1].startswith("-") or left[-1][1:2].isdigit()):
        taken.append(left.pop())
        if name not in SOME:
            break
    if name in SOME:
        return taken
    return taken[0] if taken else None


def _suggestion(option: _Option) -> str:
    short = SHORT.get(f"-{option.name}")
    close = [short] if short else get_close_matches(option.name, KNOWN, n=1, cutoff=0.8)
    return f"{option.written} (did you mean --{close[0].replace('_', '-')}?)" if close else option.written


def _unnamed(count: int) -> Iterator[str]:
    if count > 0:
        yield f"{count:,} more options that vLLM {settings.RELEASE} doesn't have stand there, and aren't named here"


def _remarks(given: dict[str, Given]) -> Iterator[str]:
    if "config" in given:
        yield "--config names a file that isn't here: what it sets counts for the server, and not in this reading"
    if "headless" in given:
        yield "--headless starts an engine for another process to use: its settings are the same"
