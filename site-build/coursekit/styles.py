"""Style sheets: many small files for people, one for the browser."""

from __future__ import annotations

import re
from pathlib import Path

from coursekit.failures import BuildFailed

_IMPORT = re.compile(r'^@import url\("([^"]+)"\);$', re.MULTILINE)


def join_styles(sheet: Path) -> None:
    """Put the files that `sheet` imports in the place of the imports, and remove them.

    They lie beside the sheet, so that addresses in them stay right.
    """
    text = sheet.read_text(encoding="utf-8")
    parts = {name: sheet.parent / name for name in _IMPORT.findall(text)}
    for name, part in parts.items():
        if part.parent != sheet.parent or not part.is_file():
            raise BuildFailed(f'{sheet}: imports "{name}", which is not there: put it beside the sheet')
    joined = _IMPORT.sub(lambda found: parts[found[1]].read_text(encoding="utf-8"), text)
    sheet.write_text(joined, encoding="utf-8")
    for part in parts.values():
        part.unlink()
