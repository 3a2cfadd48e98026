"""The Markdown inside a block: parsed by markdown-it-py, with places, and rendered."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from coursekit.highlighting import highlight
from coursekit.problems import Spot
from coursekit.stated import STATED_AT_END, UNCLOSED

Resolve = Callable[[str], str]


@dataclass(frozen=True)
class Computed:
    """A value that the text states and the engine has to confirm: `112{= expression =}`."""

    stated: str
    expression: str
    spot: Spot


@dataclass(frozen=True)
class Prose:
    """A piece of parsed Markdown."""

    tokens: tuple[Token, ...]

    def html(self, resolve: Resolve = str) -> str:
        """The piece as HTML; `resolve` turns a link's target into an address."""
        rendered: str = _PARSER.renderer.render(list(self.tokens), _PARSER.options, {"resolve": resolve})
        return rendered.strip()

    def text(self) -> str:
        """The words alone, on one line."""
        inlines = (token for token in self.tokens if token.type == "inline")
        words = (leaf.content for inline in inlines for leaf in inline.children or [])
        return " ".join("".join(words).split())


def parse(text: str) -> list[Token]:
    """The block tokens of a text."""
    return _PARSER.parse(text)


def line_of(token: Token) -> int:
    """The line, from 1, that a block token begins on."""
    return token.map[0] + 1 if token.map else 1


def computed(tokens: Sequence[Token], source: str) -> Iterator[Computed]:
    """Every value that the tokens leave to the engine, with its place in the source."""
    lines = source.split("\n")
    for token in tokens:
        for leaf in token.children or []:
            if leaf.type == "computed":
                spot = _find(lines, line_of(token), leaf.meta["written"])
                yield Computed(leaf.content, leaf.meta["expression"], spot)


def settle_computed(tokens: Sequence[Token], source: str, settle: Callable[[Computed], str]) -> None:
    """Put what `settle` says in place of every value that the tokens leave to the engine."""
    lines = source.split("\n")
    for token in tokens:
        for leaf in token.children or []:
            if leaf.type == "computed":
                spot = _find(lines, line_of(token), leaf.meta["written"])
                leaf.content = settle(Computed(leaf.content, leaf.meta["expression"], spot))


def without_first_words(inline: Token, length: int) -> Token:
    """A copy of an inline token without the first `length` characters, which stand in its first texts."""
    copy = inline.copy(content=inline.content[length:])
    copy.children = [child.copy() for child in inline.children or []]
    remaining = length
    for child in copy.children:
        cut = min(remaining, len(child.content))
        child.content = child.content[cut:]
        remaining -= cut
        if not remaining:
            break
    return copy


def list_items(piece: Prose) -> list[Prose]:
    """The first lines of the items of every list in a piece, each without its paragraph."""
    found = []
    for at, token in enumerate(piece.tokens):
        if token.type == "inline" and at > 1 and piece.tokens[at - 2].type == "list_item_open":
            found.append(Prose((token,)))
    return found


def images_without_words(tokens: Sequence[Token]) -> Iterator[Token]:
    """The inline tokens that hold an image without a text for those who can't see it."""
    for token in tokens:
        if any(leaf.type == "image" and not leaf.content.strip() for leaf in token.children or []):
            yield token


def unclosed(tokens: Sequence[Token], source: str) -> Iterator[Spot]:
    """Where an expression begins and never ends."""
    lines = source.split("\n")
    for token in tokens:
        for leaf in token.children or []:
            found = UNCLOSED.search(leaf.content) if leaf.type == "text" else None
            if found:
                yield _find(lines, line_of(token), leaf.content[found.start() :].split("\n")[0])


def _find(lines: list[str], first: int, written: str) -> Spot:
    for number in range(first, len(lines) + 1):
        column = lines[number - 1].find(written)
        if column >= 0:
            return Spot(number, column + 1)
    return Spot(first)


def _computed_rule(state: StateInline, silent: bool) -> bool:
    end = state.src.find("=}", state.pos + 2) if state.src.startswith("{=", state.pos) else -1
    if end < 0:
        return False
    if not silent:
        stated = STATED_AT_END.search(state.pending)
        state.pending = state.pending[: stated.start()] if stated else state.pending
        token = state.push("computed", "", 0)
        token.content = stated[0] if stated else ""
        written = state.src[state.pos : end + 2]
        token.meta = {"expression": written[2:-2].strip(), "written": written.split("\n")[0]}
    state.pos = end + 2
    return True


def _render_computed(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f'<span class="computed">{html.escape(tokens[index].content)}</span>'


def _render_fence(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return highlight(tokens[index].content, tokens[index].info.split(" ")[0])


def _render_link(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return self.renderToken([_resolved(tokens[index], "href", env)], 0, options, env)


def _render_image(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return self.image([_resolved(tokens[index], "src", env)], 0, options, env)


def _resolved(token: Token, key: str, env: EnvType) -> Token:
    """A copy whose target is an address; the token itself is rendered again, for the hash."""
    return token.copy(attrs=token.attrs | {key: env["resolve"](str(token.attrGet(key) or ""))})


def _render_head_cell(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    style = tokens[index].attrGet("style")
    return f'<th scope="col" style="{style}">' if style else '<th scope="col">'


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.inline.ruler.push("computed", _computed_rule)
    parser.add_render_rule("computed", _render_computed)
    parser.add_render_rule("fence", _render_fence)
    parser.add_render_rule("link_open", _render_link)
    parser.add_render_rule("image", _render_image)
    parser.add_render_rule("th_open", _render_head_cell)
    return parser


_PARSER = _parser()
