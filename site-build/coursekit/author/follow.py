"""Follows an author's saves: a build for what pages are made from, a reload for what they only load."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Event

import watchfiles

from coursekit.author.builder import Builder
from coursekit.author.preview import forget_search
from coursekit.author.state import PreviewState
from coursekit.build import player_step, steps
from coursekit.failures import BuildFailed
from coursekit.project import Project
from coursekit.steps import perform
from coursekit.waiting import Say, waiting

# Long enough for an editor to write all of its files, too short to be noticed.
QUIET_MILLISECONDS = 50
PATIENCE_MILLISECONDS = 400


def prepare(project: Project, say: Say) -> None:
    """Build everything but the pages, once: the lab and the snippets run what is built here."""
    forget_search(project)
    for step in steps(project):
        if step.name != "pages":
            perform(step, root=project.root, stamps=project.stamps, say=say)


def rebuild(builder: Builder, state: PreviewState, say: Say) -> None:
    """Build the pages, and tell the terminal and every open page how it went."""
    start = time.perf_counter()
    with waiting("pages: making them", say):
        problems = builder.build()
    for problem in problems:
        say(problem)
    found = f", {len(problems)} problem(s)" if problems else ""
    say(f"{time.strftime('%H:%M:%S')} pages built in {time.perf_counter() - start:.1f} s{found}")
    state.set(problems)


def refresh(project: Project, state: PreviewState, say: Say) -> None:
    """Have every open page load its modules and styles again, the player bundled anew where it changed."""
    try:
        perform(player_step(project), root=project.root, stamps=project.stamps, say=say)
    except BuildFailed as failure:
        say(str(failure))
    state.repeat()


def follow(
    project: Project, build: Callable[[], None], reload: Callable[[], None], say: Say, stop: Event | None = None
) -> None:
    """Call `build` after a save that changes pages, `reload` after one that only changes what they load."""
    for saved in saves(project, stop):
        if _all_below(saved, (project.browser, project.overrides / "assets")):
            reload()
            continue
        if any(_all_below([path], (project.engine, project.labs)) for path in saved):
            say("engine or lab saved: figures follow now, snippets and labs after the next start")
        build()


def saves(project: Project, stop: Event | None) -> Iterator[list[Path]]:
    """The files of each save, once they have come to rest."""
    folders = (project.docs, project.site_build, project.engine, project.labs)
    ignored = (*watchfiles.DefaultFilter.ignore_dirs, "node_modules")
    # A file on its own can't be watched: editors that save by renaming put another one in its place.
    settings, seen = project.root / "mkdocs.yml", 0
    for changes in watchfiles.watch(
        *filter(Path.exists, folders),
        watch_filter=watchfiles.DefaultFilter(ignore_dirs=ignored),
        debounce=PATIENCE_MILLISECONDS,
        step=QUIET_MILLISECONDS,
        rust_timeout=PATIENCE_MILLISECONDS,
        yield_on_timeout=True,
        stop_event=stop,
    ):
        saved = [Path(path) for _, path in changes]
        before, seen = seen, settings.stat().st_mtime_ns if settings.exists() else seen
        if before not in (0, seen):
            saved.append(settings)
        if saved:
            yield saved


def _all_below(paths: Iterable[Path], folders: tuple[Path, ...]) -> bool:
    return all(any(path.is_relative_to(folder) for folder in folders) for path in paths)
