"""Every public name of the engine is explained, and every module has its place in the reference."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from markdown import Markdown

from coursekit.project import here
from coursekit.reference.fence import reference
from coursekit.reference.read import Entry, ModuleNames, NoSuchModule, module_names, public_modules
from coursekit.reference.render import module_html

FENCE = re.compile(r"^```reference\n(.*?)^```$", re.MULTILINE | re.DOTALL)

MODULES = public_modules()


def test_every_module_stands_in_the_reference_once() -> None:
    pages = [path.read_text(encoding="utf-8") for path in sorted((here().docs / "reference").glob("*.md"))]
    shown = Counter(name for page in pages for body in FENCE.findall(page) for name in body.split())
    missing = [name for name in MODULES if name not in shown]
    assert not missing, f"add a reference fence for each in docs/reference/: {missing}"
    assert [name for name, times in shown.items() if times > 1] == []


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_explained(name: str) -> None:
    silent = [path for path, doc in _names(module_names(name)) if not doc.strip()]
    assert not silent, f"give each a docstring: {silent}"


def _names(module: ModuleNames) -> Iterator[tuple[str, str]]:
    """Every public name of a module with its docstring."""
    yield module.path, module.doc
    yield from ((f"{module.path}.{constant.name}", constant.doc) for constant in module.constants)
    for entry in module.entries:
        yield from _of_entry(entry)


def _of_entry(entry: Entry) -> Iterator[tuple[str, str]]:
    yield entry.path, entry.doc
    if entry.name == "Settings":
        yield from ((f"{entry.path}.{field.name}", field.doc) for field in entry.fields)
    for member in entry.members:
        yield from _of_entry(member)


def test_a_page_shows_names_types_values_and_source() -> None:
    html = module_html(module_names("engine.trace")) + module_html(module_names("engine.trace_format"))
    for part in (
        '<h3 id="engine.trace_format.Row"><code>Row</code> <span class="course-reference-kind">named tuple</span>',
        '<dt id="engine.trace_format.Row.num_computed_tokens"><code>num_computed_tokens: int</code></dt>',
        "<dd><p>Computed before this step, prefix hits included.</p></dd>",
        '<h4 id="engine.trace.Trace.from_jsonl" data-search-exclude><code>from_jsonl</code>',
        "<summary>The source of <code>Trace</code></summary>",
    ):
        assert part in html


def test_a_package_says_what_it_offers() -> None:
    assert module_names("engine.naive").offered == (
        "engine.naive.batching.continuous_batch",
        "engine.naive.batching.static_batches",
        "engine.naive.cache.PrivateBlocks",
        "engine.naive.scheduler.Job",
        "engine.naive.scheduler.naive_schedule",
    )
    assert 'href="#engine.naive.batching.static_batches"' in module_html(module_names("engine.naive"))


def test_a_name_that_is_no_module_is_refused_in_its_place() -> None:
    with pytest.raises(NoSuchModule, match=r"'engine.blokcs' is no module of engine"):
        module_names("engine.blokcs")
    html = reference("engine.blocks\nos.path", "reference", "reference", {}, Markdown())
    assert "line 2: &#x27;os.path&#x27; is no module of engine; name one of engine, engine." in html
