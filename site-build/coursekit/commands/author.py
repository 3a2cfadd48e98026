"""`coursekit author`: a preview that follows the author's saves."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

from coursekit.author.builder import Builder
from coursekit.author.follow import follow, prepare, rebuild, refresh
from coursekit.author.handler import open_preview
from coursekit.author.state import PreviewState
from coursekit.commands.build import say
from coursekit.commands.serve import parse
from coursekit.failures import BuildFailed
from coursekit.project import here
from coursekit.serve.ports import words


def main(arguments: Sequence[str]) -> int:
    """Build what the pages load, then preview until stopped."""
    options = parse(arguments, "author")
    project, state = here(), PreviewState()
    try:
        prepare(project, say)
        server = open_preview(project, state, options.host, options.port)
    except BuildFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    builder = Builder(project.root)
    with server, suppress(KeyboardInterrupt):
        say("pages: making them; the first time what is large is compressed, too, to tell how much it is")
        rebuild(builder, state, say)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("\n".join(["", *words(server, options.port)]), flush=True)
        follow(project, lambda: rebuild(builder, state, say), lambda: refresh(project, state, say), say)
    builder.stop()
    return 0
