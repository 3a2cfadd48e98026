"""Everything that is wrong with the pages of a course, all at once, each at its file, line and column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from coursekit.checks.block import Block
from coursekit.checks.compile import compile_check, compile_pause
from coursekit.checks.header import ID
from coursekit.evaluate import Evaluator, shared
from coursekit.figures.code import FIGURES, given_by, names_set_twice
from coursekit.figures.figure import compile_figure
from coursekit.problems import Fault, Problem, Spot, in_file
from coursekit.snippets.compile import compile_snippet
from coursekit.source import LAB, Fence, Page, blank, read_page
from coursekit.stated import ASSERTION, NEVER_CLOSED, UNCLOSED, contradiction
from coursekit.validation import ids
from coursekit.validation.ids import Placed
from coursekit.validation.labs import lab_problems
from coursekit.validation.lengths import telling_lengths
from coursekit.validation.lessons import lesson_place_faults, lessons_twice
from coursekit.validation.links import link_faults
from coursekit.validation.nav import entries_without_a_page, missing_from_nav
from coursekit.validation.settings import settings_problems


def markdown_files(paths: Iterable[Path]) -> list[Path]:
    """The Markdown files among and below the paths, in a stable order."""
    found: list[Path] = []
    for path in paths:
        found += sorted(file for file in path.rglob("*.md") if not file.is_dir()) if path.is_dir() else [path]
    return [path.resolve() for path in found]


def validate_course(root: Path) -> list[Problem]:
    """The problems of every page of the course in `root`."""
    return validate(markdown_files([root / "docs"]), root, shared())


def validate(files: Iterable[Path], root: Path, engine: Evaluator) -> list[Problem]:
    """The problems of the Markdown `files`, sorted by place. Paths in them are relative to `root`."""
    pages = [read_page(file) for file in files]
    found: list[Problem] = []
    blocks: list[Placed] = []
    docs = root / "docs"
    for page in pages:
        name = _name(page.path, root)
        found += in_file(name, page.faults)
        found += in_file(name, missing_from_nav(page.path, root))
        found += in_file(name, _lesson_faults(page))
        found += in_file(name, lesson_place_faults(page, root))
        found += in_file(name, _lab_faults(page, root))
        found += in_file(name, _prose_faults(page, engine))
        for fence, fault in names_set_twice(page.fences):
            found += in_file(name, [fault], fence.line, fence.indent)
        for fault, line, column in link_faults(page, docs):
            found += in_file(name, [fault], line, column)
        own = [(name, fence, _compile(page, fence, engine)) for fence in page.fences]
        for _, fence, block in own:
            found += in_file(name, _named(block), fence.line, fence.indent)
        if page.front_matter.get("lesson"):
            found += telling_lengths(own)
        blocks += own
    found += ids.twice(blocks)
    found += lessons_twice([(_name(page.path, root), page) for page in pages])
    if {page.path for page in pages} >= set(markdown_files([docs])):
        found += lab_problems(root)
        found += settings_problems(root)
        found += entries_without_a_page(root)
        found += ids.vanished(docs, _name(docs / ids.LIST, root), blocks)
    return sorted(found)


def compiled(files: Iterable[Path], root: Path, engine: Evaluator) -> list[Placed]:
    """Every fence of the `files`, compiled; what is wrong with them is left to `validate`."""
    pages = [read_page(file) for file in files]
    return [(_name(page.path, root), fence, _compile(page, fence, engine)) for page in pages for fence in page.fences]


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _compile(page: Page, fence: Fence, engine: Evaluator) -> Block:
    if fence.kind in FIGURES:
        given = [part.source for part in given_by(_above(page, fence))]
        return compile_figure(fence.options, fence.body, given, engine.shown, engine.value, kind=fence.kind)
    by_kind: dict[str, Callable[[], Block]] = {
        "check": lambda: compile_check(fence.body, engine.value),
        "pause": lambda: compile_pause(fence.body, engine.value),
        "snippet": lambda: compile_snippet(fence.options, fence.body),
    }
    return by_kind[fence.kind]()


def _above(page: Page, fence: Fence) -> Sequence[Fence]:
    return page.fences[: page.fences.index(fence)]


def _named(block: Block) -> Iterator[Fault]:
    """The faults of a block, each saying which block it is; one without an id goes by its line."""
    name = f'{block.fence} "{block.id}"' if block.id else block.fence
    for fault in block.faults:
        yield Fault(fault.spot, f"{name}: {fault.what}", fault.mend, fault.severity)


def _prose_faults(page: Page, engine: Evaluator) -> Iterator[Fault]:
    given = [part.source for part in given_by(page.fences)]
    for match in ASSERTION.finditer(page.prose):
        denied = contradiction(match["stated"], match["expression"], lambda e: engine.value(e, given))
        if denied:
            yield Fault(_spot(page.prose, match.start()), denied.what, denied.mend)
    for match in UNCLOSED.finditer(ASSERTION.sub(blank, page.prose)):
        yield Fault(_spot(page.prose, match.start()), *NEVER_CLOSED)


def _lesson_faults(page: Page) -> Iterator[Fault]:
    lesson = page.front_matter.get("lesson")
    if lesson is None:
        return
    if not ID.fullmatch(str(lesson)):
        mend = "use small letters, digits and single hyphens, a letter first"
        yield Fault(Spot(1), f"the lesson's id \"{lesson}\" can't be stored", mend)
    if sum(heading.level == 1 for heading in page.headings) != 1:
        yield Fault(Spot(1), "a lesson has one title", "write one line `# Title`, above everything else")
    seen: set[str] = set()
    for heading in page.headings:
        if heading.level == 2 and not heading.id:
            mend = f"write `## {heading.text} {{ #a-short-id }}`; bookmarks are stored under it"
            yield Fault(Spot(heading.line), f'the section "{heading.text}" has no id', mend)
        if heading.id and heading.id in seen:
            yield Fault(Spot(heading.line), f'the id "{heading.id}" stands twice', "give one of them another")
        seen.add(heading.id)


def _lab_faults(page: Page, root: Path) -> Iterator[Fault]:
    for match in LAB.finditer(page.prose):
        if not (root / "labs" / match["id"] / "lab.py").is_file():
            what = f'no lab is called "{match["id"]}"'
            yield Fault(_spot(page.prose, match.start("id")), what, "the folders of labs/ are the labs")


def _spot(text: str, at: int) -> Spot:
    start = text.rfind("\n", 0, at) + 1
    return Spot(text.count("\n", 0, at) + 1, at - start + 1)
