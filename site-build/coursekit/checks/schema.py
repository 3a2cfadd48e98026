"""The JSON Schema of a check's header, from what the kinds say that they read."""

from __future__ import annotations

from typing import Any

from coursekit.checks.keys import COMMON, Keys
from coursekit.checks.kinds import KINDS


def header_schema() -> dict[str, Any]:
    """A header as an object of texts: what each kind reads beside the common keys, and nothing else."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The header of a knowledge check",
        "type": "object",
        "required": ["id"],
        "properties": {"kind": {"enum": list(KINDS), "default": "choice"}},
        "oneOf": [_kind(name, kind.keys) for name, kind in KINDS.items()],
    }


def _kind(name: str, keys: Keys) -> dict[str, Any]:
    every = {**COMMON, **keys}
    properties = {key: {"description": one.meaning, **one.shape} for key, one in every.items()}
    properties["kind"] = {"description": COMMON["kind"].meaning, "const": name}
    needed = {} if name == "choice" else {"required": ["kind"]}
    return {"title": name, **needed, "properties": properties, "additionalProperties": False}
