"""Reads what a student's pool shows: its blocks, its tables, its counts."""

from collections.abc import Collection, Mapping

from labs.kit.student import unreadable


def read_blocks(name: str, value: object) -> tuple[int, ...]:
    """The block numbers in a list of the student's; `name` is how they write it.

    Raises `StudentError` for anything else.
    """
    blocks = tuple(value) if isinstance(value, Collection) else (None,)
    if not all(isinstance(block, int) for block in blocks):
        raise unreadable(name, "a list of block numbers", value)
    return blocks


def read_tables(value: object) -> dict[str, tuple[int, ...]]:
    """The block tables by request. Raises `StudentError` for anything else."""
    if not isinstance(value, dict):
        raise unreadable("tables", "a dictionary: request to the blocks that it holds", value)
    return {str(name): read_blocks(f"tables[{name!r}]", table) for name, table in value.items()}


def read_counts(value: object) -> dict[int, int]:
    """The holders of each block. Raises `StudentError` for anything else."""
    if not isinstance(value, Mapping) or not all(isinstance(count, int) for count in value.values()):
        raise unreadable("ref_count", "a number for each block", value)
    return dict(value)
