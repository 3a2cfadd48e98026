"""One build of the pages for the preview: what is wrong is told, and the pages stand all the same."""

from __future__ import annotations

from pathlib import Path

from coursekit.assemble import lay_out, tree, write_site
from coursekit.failures import BuildFailed
from coursekit.generated import write_generated
from coursekit.pages import build_pages
from coursekit.project import Project


def preview_site(project: Project) -> Path:
    """Where the preview's pages stand."""
    return project.build / "author" / "site"


def forget_search(project: Project) -> None:
    """Have the next build make the search index anew."""
    _search_index(project).unlink(missing_ok=True)


def build_preview(project: Project) -> list[str]:
    """Build the pages; what is wrong with them comes back. Pages that can't be built stay as they were.

    The search finds what stood there at the first build: an index at every save would double what an author waits.
    """
    work, kept = project.build / "author", _search_index(project)
    try:
        problems = build_pages(project.root, work / "pages", strict=False, index=not kept.exists())
    except BuildFailed as failure:
        return [str(failure)]
    made = work / "pages" / "search" / kept.name
    if made.exists():
        kept.parent.mkdir(exist_ok=True)
        made.replace(kept)
    write_generated(project, work / "pages", work / "generated")
    parts = (work / "pages", ""), (kept.parent, "search"), (work / "generated", "assets/course")
    write_site(lay_out([tree(folder, at) for folder, at in parts]), preview_site(project))
    return problems


def _search_index(project: Project) -> Path:
    return project.build / "author" / "search" / "search_index.json"
