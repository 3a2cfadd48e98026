"""What the bridge refuses, in words: what is wrong, where, and what to do about it."""

from typing import Any


class Problem(Exception):
    """A refusal that an answer carries: `{ error, where?, mend }` under an HTTP status."""

    def __init__(self, status: int, error: str, mend: str, where: str = "") -> None:
        super().__init__(f"{where}: {error}; {mend}" if where else f"{error}; {mend}")
        self.status, self.error, self.mend, self.where = status, error, mend, where

    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        where = {"where": self.where} if self.where else {}
        return {"error": self.error, **where, "mend": self.mend}


class Unreachable(Problem):
    """The model server can't be used: it doesn't answer, refuses, or answers with something else."""

    def __init__(self, error: str, mend: str) -> None:
        super().__init__(502, error, mend, "the model server")
