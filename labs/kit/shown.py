"""What a notebook shows as it is: text without quotation marks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """Text that is shown and not quoted."""

    text: str

    def __repr__(self) -> str:
        return self.text
