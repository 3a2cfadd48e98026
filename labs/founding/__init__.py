"""The founding lab. In its notebook: `from labs.founding import grade`."""

from labs.founding import grading as grade

__all__ = ["grade"]
