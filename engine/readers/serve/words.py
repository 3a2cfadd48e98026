"""A command line as words, as a shell would make them; and the part of it that is vLLM's."""

import re
import shlex
from itertools import takewhile
from typing import Final, NamedTuple

from engine.readers.text import ReadError

_LOOKS_TYPED = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\xa0": " "})
"""What word processors and web pages make of quotes and spaces."""

_CONTINUED = re.compile(r"[ \t]*[\\`^][ \t]*\r?\n")
_LONG_DASH = re.compile(r"(?<!\S)[–—]{1,2}(?=[A-Za-z])")
_COMMENT = re.compile(r"^[^\S\n]*#(?!.*\bvllm\b).*$", re.MULTILINE)
_PROMPT = re.compile(r"^[^\S\n]*(?:\([\w.-]+\)\s*)?(?:[\w.@~:/-]*[$#>]|PS [^>]*>)\s+(?=\S)", re.MULTILINE)
_ENDS: Final = frozenset({";", "&&", "||", "|", "&", ">", ">>", "<", "2>", ";;", ")"})
_PUNCTUATION = frozenset(";&|<>()")

_SERVERS: Final = ("vllm.entrypoints.openai.api_server", "vllm.entrypoints.launchers.api_server")
_CONTAINERS: Final = frozenset({"docker", "podman", "nerdctl"})
_BARE: Final = frozenset(
    "-d -i -t -it -ti -dit --detach --interactive --tty --rm --init --privileged --no-healthcheck --read-only".split()
)
"""Options of `docker run` that take no value."""

_IMAGE = re.compile(r"(?:[\w.-]+(?::\d+)?/)*[\w.-]*vllm[\w.-]*(?::([\w.-]+))?(?:@sha256:\w+)?", re.ASCII)
_TAG = re.compile(r"v?(\d+\.\d+\.\d+(?:[.\w]*)?)(?:-.*)?")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


LONGEST_WORD: Final = 131_072
"""Linux takes no longer argument. The standard library's splitter needs hours for one of megabytes."""


class Words(NamedTuple):
    """What stands behind `vllm serve`, and what could be seen on the way there."""

    arguments: list[str]
    has_model: bool
    """Whether the first word that is no option is the model, as it is for `vllm serve`."""
    version: str | None = None
    """Of the container's image."""


def words_of(text: str) -> Words:
    """The arguments of the server that `text` starts.

    Raises `ReadError` for quotes that don't close and for a text that starts no server. No message repeats the
    text: a key may stand in it.
    """
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_WORD:
        raise ReadError(f"command line: got a word of {longest:,} characters, expected {LONGEST_WORD:,} at most")
    found = _split(text)
    for look in (_serve, _module, _container, _options):
        words = look(found)
        if words is not None:
            return words._replace(arguments=list(takewhile(lambda word: word not in _ENDS, words.arguments)))
    raise ReadError(
        "command line: got neither a command nor a log; expected vllm serve …, python -m "
        "vllm.entrypoints.openai.api_server …, docker run … with an image of vLLM, or the log of a start"
    )


def _split(text: str) -> list[str]:
    plain = _CONTINUED.sub(" ", _LONG_DASH.sub("--", text.translate(_LOOKS_TYPED)))
    plain = _PROMPT.sub("", _COMMENT.sub("", plain))
    lexer = shlex.shlex(plain, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        raise ReadError("command line: got a quote that doesn't close, expected a second one") from None


def _serve(found: list[str]) -> Words | None:
    for index in range(len(found) - 1):
        if found[index].rsplit("/", 1)[-1] in ("vllm", "vllm.entrypoints.cli.main") and found[index + 1] == "serve":
            return Words(found[index + 2 :], has_model=True, version=_image_before(found, index))
    return None


def _module(found: list[str]) -> Words | None:
    for index, word in enumerate(found):
        if word in _SERVERS or word.endswith("vllm/entrypoints/openai/api_server.py"):
            return Words(found[index + 1 :], has_model=False, version=_image_before(found, index))
    return None


def _container(found: list[str]) -> Words | None:
    place = _image(found)
    if place is None:
        return None
    rest = found[place + 1 :]
    if rest[:1] == ["serve"]:
        rest = rest[1:]
    return Words(rest, has_model=True, version=_version(found[place]))


def _options(found: list[str]) -> Words | None:
    """Options alone, as they stand in a file of settings."""
    return Words(found, has_model=False) if found and found[0].startswith("--") else None


def _image(found: list[str]) -> int | None:
    """Where the image of a `docker run` stands: the first word that is neither an option nor the value of one."""
    names = [word.rsplit("/", 1)[-1] for word in found]
    start = next((index for index, name in enumerate(names) if name in _CONTAINERS), None)
    if start is None:
        return None
    before = ""
    for index in range(start + 1, len(found)):
        word = found[index]
        is_value = before.startswith("-") and "=" not in before and before not in _BARE
        if not word.startswith("-") and not is_value and _IMAGE.fullmatch(word):
            return index
        before = word
    return None


def _image_before(found: list[str], index: int) -> str | None:
    place = _image(found[:index])
    return None if place is None else _version(found[place])


def _version(image: str) -> str | None:
    found = _IMAGE.fullmatch(image)
    tag = _TAG.fullmatch(found.group(1) or "") if found else None
    return tag.group(1) if tag else None
