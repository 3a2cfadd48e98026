"""`coursekit export FILE.zip`: the choice, multi, number and order checks as QTI 2.1, for a learning platform."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from coursekit.evaluate import shared
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.qti.package import NAMESPACES, Document, documents, write_package
from coursekit.qti.schema import Schema, read_schema
from coursekit.runtime import course_id
from coursekit.source import read_page
from coursekit.validate import compiled, markdown_files
from engine.cli.parser import Parser


def main(arguments: Sequence[str]) -> int:
    """0 where the file was written, 1 where a page has faults, makes no valid item, or a schema can't be used."""
    parser = Parser(prog="python -m coursekit export", description=__doc__)
    parser.add_argument("out", type=Path, help="the zip file to write")
    parser.add_argument("files", nargs="*", type=Path, help="Markdown files or folders; without one, docs/lessons/")
    parser.add_argument(
        "--schema",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="an XSD from 1EdTech to hold the package against: QTI's, and in a second --schema the manifest's",
    )
    options = parser.read(arguments)
    files = markdown_files(options.files or [here().docs / "lessons"])
    placed = [one for one in compiled(files, here().root, shared()) if one[1].kind == "check"]
    if any(read_page(file).faults for file in files) or any(block.faults for _, _, block in placed):
        named = "".join(f" '{path}'" for path in options.files)
        print(f"a page or a check has faults: `python -m coursekit check{named}` says which", file=sys.stderr)
        return 1
    package = documents(course_id(here().root), [(f"{path}:{fence.line}", block) for path, fence, block in placed])
    try:
        schemas = [read_schema(path, NAMESPACES) for path in options.schema]
        write_package(options.out, package, schemas)
    except BuildFailed as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(package) - 1} checks in {options.out}")
    for schema in schemas:
        print(_judged(schema, package))
    written = {file.check for file in package}
    left = [f"{block.id} ({block.facts['kind']})" for _, _, block in placed if block.id not in written]
    if left:
        print(f"left out, as QTI has no such question: {', '.join(left)}")
    return 0


def _judged(schema: Schema, package: Sequence[Document]) -> str:
    judged = [file.name for file in package if file.namespace == schema.namespace]
    what = judged[0] if len(judged) == 1 else f"{len(judged)} items"
    said = f"valid by {schema.path.name}: {what}"
    if not schema.left_out:
        return said
    files = ", ".join(sorted(schema.left_out.values()))
    return f"{said} (not beside it, and nothing of them is used: {files})"
