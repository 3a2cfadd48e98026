"""What every reader shares: fields with their place, and one form for all errors."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, DecimalException
from typing import Any, Final, NoReturn

from engine.codec import Missing, brief

SECOND: Final = 1_000_000_000
"""Nanoseconds in a second."""

MILLISECOND: Final = 1_000_000
"""Nanoseconds in a millisecond."""


MOST_DIGITS: Final = 24
"""No time and no count is longer."""


class ReadError(ValueError):
    """A file that isn't what it seems: the file, the line or path in it, the field, what was found and expected."""


def refuse(place: str, field: str, got: object, expected: str) -> NoReturn:
    """Raise a `ReadError` in the one form that all readers use."""
    raise ReadError(f"{place}: {field}: got {brief(got)}, expected {expected}")


class Fields:
    """The fields of a row or an object. Each question names its field and refuses what doesn't belong there.

    `place` is the file and the line; `path` leads to this object inside a JSON document.
    """

    __slots__ = ("path", "place", "values")

    def __init__(self, values: Mapping[str, Any], place: str, path: str = "") -> None:
        self.values = values
        self.place = place
        self.path = path

    def __contains__(self, name: str) -> bool:
        """Whether the field is there and says something."""
        return self.values.get(name) not in (None, "")

    def refuse(self, name: str, expected: str) -> NoReturn:
        """Raise a `ReadError` about the field `name`."""
        refuse(self.place, self._path(name), self.values.get(name, Missing()), expected)

    def whole(self, name: str, *, least: int = 0) -> int:
        """A whole number; text of one will do, and so will 12.0."""
        written = self.values.get(name)
        # Nearly every number is written plainly, and a file may have millions.
        if type(written) is str and written.isascii() and written.isdigit() and len(written) <= MOST_DIGITS:
            plain = int(written)
            if plain >= least:
                return plain
        expected = f"a whole number, {least} or more"
        value = self._decimal(name, expected)
        if value != value.to_integral_value() or value < least:
            self.refuse(name, expected)
        return int(value)

    def time(self, name: str, unit: int = SECOND) -> int:
        """A time that the file counts in units of so many nanoseconds, in whole nanoseconds.

        It is taken from the digits that were written, so nothing is lost on the way.
        """
        unit_name = {SECOND: "seconds", MILLISECOND: "milliseconds", 1: "nanoseconds"}.get(unit, "a time")
        return int((self._decimal(name, f"{unit_name}, a number") * unit).to_integral_value())

    def text(self, name: str, default: str = "") -> str:
        """A text or a number as text; `default` where there is none."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, str | int | float):
            self.refuse(name, "a text")
        return str(value)

    def inside(self, name: str) -> "Fields":
        """The object that the field holds."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            self.refuse(name, "an object")
        return Fields(value, self.place, self._path(name))

    def is_true(self, name: str) -> bool:
        """A true or false; false where it is missing or null."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            self.refuse(name, "true or false")
        return bool(value)

    def each(self, name: str) -> Iterator["Fields"]:
        """The objects of the list that the field holds; none where it is missing or null."""
        for index, value in enumerate(self.list(name) if name in self else ()):
            path = f"{self._path(name)}[{index}]"
            if not isinstance(value, dict):
                refuse(self.place, path, value, "an object")
            yield Fields(value, self.place, path)

    def list(self, name: str, count: int | None = None) -> list[Any]:
        """The list that the field holds, of `count` items if that is given."""
        value = self.values.get(name)
        if not isinstance(value, list):
            self.refuse(name, "a list")
        if count is not None and len(value) != count:
            refuse(self.place, self._path(name), f"a list of {len(value)}", f"one of {count}, as its neighbours")
        return value

    def in_order(self, names: tuple[str, ...], times: tuple[int | None, ...]) -> None:
        """Raise a `ReadError` unless these times, as far as they are there, don't run backwards."""
        last_name, last = "", None
        for name, time in zip(names, times, strict=True):
            if time is None:
                continue
            if last is not None and time < last:
                self.refuse(name, f"a time not before {last_name}, {(last - time) / SECOND:.9g} s later")
            last_name, last = name, time

    def _decimal(self, name: str, expected: str) -> Decimal:
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.refuse(name, expected)
        try:
            number = Decimal(str(value).strip())
        except DecimalException:
            self.refuse(name, expected)
        # A few digits can write a number that no memory holds.
        if not number.is_finite() or number.adjusted() > MOST_DIGITS:
            self.refuse(name, expected)
        return number

    def _path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name
