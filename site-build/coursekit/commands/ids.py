"""`coursekit ids`: add the course's new ids to `docs/ids.txt`, so that none is ever lost unseen."""

from __future__ import annotations

from collections.abc import Sequence

from coursekit.evaluate import shared
from coursekit.project import here
from coursekit.validate import compiled, markdown_files
from coursekit.validation.ids import LIST, listed, with_new
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0, always: what is there is listed."""
    Parser(prog="python -m coursekit ids", description=__doc__).read(arguments)
    docs = here().docs
    before = len(listed(docs))
    (docs / LIST).write_text(with_new(docs, compiled(markdown_files([docs]), here().root, shared())), encoding="utf-8")
    print(f"{LIST} lists every id: {len(listed(docs)) - before} new.")
    return 0
