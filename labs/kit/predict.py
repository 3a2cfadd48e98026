"""Predict first, then run: a guess and the answer, side by side."""

from labs.kit.shown import Shown


def predict(guess: object, answer: object, because: str) -> Shown:
    """Compare a guess with the answer. A guess of None keeps the answer back: the guess comes first.

    `because` says why the answer is what it is; it is shown with the answer only.
    """
    if guess is None:
        return Shown("Write your guess in place of None, then run this cell again.")
    if guess == answer:
        return Shown(f"✓ {answer}, as you said. {because}")
    return Shown(f"You said {guess}; it is {answer}. {because}")
