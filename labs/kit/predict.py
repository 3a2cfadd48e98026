"""Predict first, then run: a guess and the answer, side by side."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Text that a notebook shows as it is, without quotation marks."""

    text: str

    def __repr__(self) -> str:
        return self.text


def predict(guess: object, answer: object, because: str) -> Words:
    """Compare a guess with the answer. A guess of None hides the answer: it is asked for first.

    `because` says why the answer is what it is; it is shown with the answer only.
    """
    if guess is None:
        return Words("Write your guess in place of None, then run this cell again.")
    if guess == answer:
        return Words(f"✓ {answer}, as you said. {because}")
    return Words(f"You said {guess}; it is {answer}. {because}")
