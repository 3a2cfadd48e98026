"""What goes wrong when the engine is asked."""

from __future__ import annotations


class ExpressionError(Exception):
    """An expression that gives no value. `line` counts from the first line of what was asked, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
