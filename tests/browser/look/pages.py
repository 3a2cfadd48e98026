"""Which pages are looked at: all of ours."""

from __future__ import annotations

from tests.browser.driving import PROJECT

NOT_OURS = ("lab",)


def addresses() -> list[str]:
    """Every page of the built site that isn't JupyterLite's, as an address relative to its root."""
    site = PROJECT.site
    pages = (page.relative_to(site) for page in site.rglob("*.html"))
    return sorted(page.as_posix().removesuffix("index.html") for page in pages if page.parts[0] not in NOT_OURS)
