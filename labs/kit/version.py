"""Which version of a lab graded: the built wheel carries it, a checkout has none."""

import json
from pathlib import Path

LABS = Path(__file__).parents[1]

CHECKOUT = "dev"
"""What a lab says that wasn't built."""


def lab_version(lab: str, labs: Path = LABS) -> str:
    """The version of `labs/<lab>/`, as the build computed it from the lab's files; "dev" in a checkout."""
    built = labs / lab / "_lab.json"
    return str(json.loads(built.read_text(encoding="utf-8"))["version"]) if built.is_file() else CHECKOUT
