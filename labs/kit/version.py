"""Which version of a lab graded: the built wheel carries it, a checkout has none."""

import json
from importlib.resources import files

CHECKOUT = "dev"
"""What a lab says that wasn't built."""


def lab_version(lab: str) -> str:
    """The version of `labs/<lab>/`, as the build computed it from the lab's files; "dev" in a checkout."""
    built = files("labs").joinpath(lab, "_lab.json")
    return str(json.loads(built.read_text())["version"]) if built.is_file() else CHECKOUT
