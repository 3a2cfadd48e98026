"""Snippets run at build time, each in a Python of its own, and once for each version of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.snippets import Ran, run, run_once
from coursekit.snippets.compile import compile_snippet

OPTIONS = {"id": "two", "title": 'Say "two"'}


def test_a_snippet_knows_the_engine_and_prints() -> None:
    code = "from engine.blocks import blocks_needed\nprint(blocks_needed(17, 16), 'é')"
    assert run(code) == Ran("2 é\n")


@pytest.mark.parametrize(
    ("code", "error", "line"),
    [
        ("x = 1\nprint(x)\nx / 0\n", "ZeroDivisionError: division by zero", 3),
        ("def f():\n    raise KeyError('k')\n\nf()\n", "KeyError: 'k'", 2),
        ("x =\n", "SyntaxError: invalid syntax", 1),
        ("import sys\nsys.exit('enough')\n", "SystemExit: enough", 2),
        ("import os\nos._exit(7)\n", "it ended the process with status 7", 1),
    ],
)
def test_a_failure_says_what_and_where(code: str, error: str, line: int) -> None:
    ran = run(code)
    assert (ran.error, ran.line) == (error, line)


def test_an_endless_snippet_is_ended() -> None:
    assert run("while True: pass", time_limit_seconds=0.5).error == "it didn't end within 0.5 seconds"


def test_a_snippet_that_is_late_without_much_work_has_come_to_its_end() -> None:
    """So has one on a machine that is busy with something else."""
    assert run("import time\ntime.sleep(1)\nprint('done')", time_limit_seconds=0.5) == Ran("done\n")


def test_what_ran_once_is_not_run_again(tmp_path: Path) -> None:
    marker = tmp_path / "runs"
    code = f"open({str(marker)!r}, 'a').write('x')\nprint('done')"
    for _ in range(2):
        assert run_once(code, tmp_path / "cache") == Ran("done\n")
    assert marker.read_text() == "x"


def test_the_page_gets_the_code_the_output_and_a_hash() -> None:
    block = compile_snippet(OPTIONS, "print(1 < 2)\n\n", lambda code: Ran("True & so on\n"))
    assert not block.faults
    assert '<course-snippet id="snippet-two" data-id="two" data-hash="' in block.html
    assert 'data-title="Say &quot;two&quot;">' in block.html
    assert '<template class="snippet-source" data-search-exclude>print(1 &lt; 2)\n</template>' in block.html
    assert '<div class="snippet-output"><pre>True &amp; so on</pre></div>' in block.html
    assert '<div class="highlight"><pre><span></span><code>' in block.html


def test_a_snippets_faults_are_told_together() -> None:
    block = compile_snippet({"id": "Two"}, "x", lambda code: Ran("", "NameError: x", 1))
    assert [(fault.spot.line, fault.what) for fault in block.faults] == [
        (0, 'the snippet\'s id is "Two"'),
        (0, "the snippet has no title"),
        (1, "the snippet fails: NameError: x"),
    ]
    silent = compile_snippet(OPTIONS, "x = 1", lambda code: Ran(""))
    assert [fault.what for fault in silent.faults] == ["the snippet prints nothing"]
