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


def build_preview(project: Project) -> list[str]:
    """Build the pages; what is wrong with them comes back. Pages that can't be built stay as they were."""
    work = project.build / "author"
    try:
        problems = build_pages(project.root, work / "pages", strict=False)
    except BuildFailed as failure:
        return [str(failure)]
    write_generated(project, work / "pages", work / "generated")
    plan = lay_out([tree(work / "pages", ""), tree(work / "generated", "assets/course")])
    write_site(plan, preview_site(project))
    return problems
