"""What a reader did that its user should know: what it left out, and which trap it avoided."""

from collections import Counter


class Notes:
    """Remarks, each kept once, and counts of what happened more than once."""

    def __init__(self) -> None:
        self._remarks: dict[str, None] = {}
        self._counts: Counter[str] = Counter()

    def add(self, remark: str) -> None:
        """Note something once, however often it is said."""
        self._remarks[remark] = None

    def count(self, what: str) -> None:
        """Count one more of something, as "rows without an answer, left out"."""
        self._counts[what] += 1

    def lines(self) -> list[str]:
        """All of it, a line each. Complete only when the file has been read to its end."""
        return [*self._remarks, *(f"{count:,} {what}" for what, count in self._counts.items())]
