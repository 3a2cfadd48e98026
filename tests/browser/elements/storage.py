"""What stands in a page's local storage, written and read as another tab would."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

_PUT = """record => localStorage.setItem(
  `inside-the-batch/${record.kind}/${record.id}`, JSON.stringify({ v: 1, at: Date.now(), ...record }))"""
_GET = "key => JSON.parse(localStorage.getItem(`inside-the-batch/${key}`))"


def put(page: Page, kind: str, name: str, data: object, **more: object) -> None:
    """Write a record; `more` goes beside its data."""
    page.evaluate(_PUT, {"kind": kind, "id": name, "data": data, **more})


def stored(page: Page, key: str) -> Any:
    """The data of the record at `kind/id`, or None where there is none."""
    record = page.evaluate(_GET, key)
    return record and record["data"]
