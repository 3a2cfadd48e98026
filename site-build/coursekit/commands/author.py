"""`coursekit author`: a preview that follows the author's saves."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import watchfiles

from coursekit.author.builder import Builder
from coursekit.author.handler import AuthorHandler
from coursekit.author.preview import preview_site
from coursekit.author.state import PreviewState
from coursekit.build import steps
from coursekit.commands.build import say
from coursekit.commands.serve import parse
from coursekit.failures import BuildFailed
from coursekit.project import Project, here
from coursekit.serve.answer import Mounts, answer
from coursekit.serve.ports import open_server, words
from coursekit.steps import perform


def main(arguments: Sequence[str]) -> int:
    """Build what the pages load, then preview until stopped."""
    options = parse(arguments, "author")
    project = here()
    state = PreviewState()
    try:
        prepare(project)
        respond = partial(answer, mounts=mounts(project))
        handler = type("Handler", (AuthorHandler,), {"state": state})
        server = open_server(options.host, options.port, respond, handler)
    except BuildFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    builder = Builder(project.root)
    with server, suppress(KeyboardInterrupt):
        rebuild(builder, state)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("\n".join(["", *words(server, options.port)]), flush=True)
        follow(project, lambda: rebuild(builder, state), lambda: state.set(state.problems()))
    builder.stop()
    return 0


def prepare(project: Project) -> None:
    """Everything but the pages, once: the lab and the snippets run what is built here."""
    for step in steps(project):
        if step.name != "pages":
            perform(step, root=project.root, stamps=project.stamps, say=say)


def mounts(project: Project) -> Mounts:
    """The site as the preview serves it: modules and styles straight from where they are edited."""
    return [
        ("/assets/course/vendor/", project.vendor),
        ("/assets/course/", project.browser),
        ("/assets/", project.overrides / "assets"),
        ("/lab/", project.lite),
        ("/py/", project.pyodide),
        ("/wheels/", project.wheels),
        ("/__author__/", project.coursekit / "author"),
        ("/", preview_site(project)),
    ]


def rebuild(builder: Builder, state: PreviewState) -> None:
    """Build the pages and tell the terminal and every open page how it went."""
    start = time.perf_counter()
    problems = builder.build()
    for problem in problems:
        print(problem, file=sys.stderr)
    found = f", {len(problems)} problem(s)" if problems else ""
    say(f"{time.strftime('%H:%M:%S')} pages built in {time.perf_counter() - start:.1f} s{found}")
    state.set(problems)


def follow(project: Project, build: Callable[[], None], reload: Callable[[], None]) -> None:
    """Call `build` after a save that changes pages, `reload` after one that only changes what they load."""
    served = (project.browser, project.overrides / "assets")
    watched = (project.docs, project.root / "mkdocs.yml", project.site_build, project.engine, project.labs)
    ignored = watchfiles.DefaultFilter(ignore_dirs=(*watchfiles.DefaultFilter.ignore_dirs, "node_modules"))
    for changes in watchfiles.watch(*watched, watch_filter=ignored, debounce=400, step=50):
        saved = [Path(path) for _, path in changes]
        if all(any(path.is_relative_to(folder) for folder in served) for path in saved):
            reload()
            continue
        if any(path.is_relative_to(folder) for path in saved for folder in (project.engine, project.labs)):
            say("engine or lab saved: figures follow now; snippets and labs after the next start")
        build()
