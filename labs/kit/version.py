"""Which version of a lab graded: the built wheel carries it, a checkout has none."""

import json
from pathlib import Path

LABS = Path(__file__).parents[1]

CHECKOUT = "dev"
"""What a lab says that wasn't built."""


def lab_version(lab: str, labs: Path = LABS) -> str:
    """The version of `labs/<lab>/`, as the build computed it from the lab's files; "dev" in a checkout."""
    return str(_built(lab, labs).get("version", CHECKOUT))


def course_of(lab: str, labs: Path = LABS) -> str:
    """The id of the course that `labs/<lab>/` was built for; this course's in a checkout."""
    return str(_built(lab, labs).get("course", "inside-the-batch"))


def _built(lab: str, labs: Path) -> dict[str, object]:
    """What the build wrote beside the lab's files."""
    note = labs / lab / "_lab.json"
    return dict(json.loads(note.read_text(encoding="utf-8"))) if note.is_file() else {}
