"""Every id that students' work is kept under is listed, so that none can be lost unseen."""

from __future__ import annotations

from coursekit.evaluate import shared
from coursekit.project import here
from coursekit.validate import compiled, markdown_files
from coursekit.validation.ids import LIST, with_new


def test_the_list_has_every_id() -> None:
    """`python -m coursekit ids` adds what is new."""
    docs = here().docs
    blocks = compiled(markdown_files([docs]), here().root, shared())
    assert (docs / LIST).read_text(encoding="utf-8") == with_new(docs, blocks)
