"""What open pages are told: how often something changed, and what is wrong now."""

from __future__ import annotations

import json
import threading


class PreviewState:
    """A counter and the present problems, which threads can wait on."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._version = 0
        self._problems: list[str] = []

    def set(self, problems: list[str]) -> None:
        """Something was built or saved: wake everybody who waits."""
        with self._changed:
            self._version += 1
            self._problems = problems
            self._changed.notify_all()

    def repeat(self) -> None:
        """Something that pages load was saved: wake everybody, with the problems as they were."""
        self.set(self._problems)

    def after(self, version: int, timeout_seconds: float) -> tuple[int, str] | None:
        """The state as a version and its JSON, once it is newer than `version`; None if nothing came."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._version > version, timeout_seconds):
                return None
            return self._version, json.dumps({"version": self._version, "problems": self._problems})
