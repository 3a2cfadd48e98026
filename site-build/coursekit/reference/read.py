"""The public names of a module, read from its source by griffe; nothing is imported or run."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import griffe

from coursekit.project import here


@dataclass(frozen=True)
class Field:
    """One attribute of a class, or one constant of a module."""

    name: str
    type: str
    default: str
    doc: str


@dataclass(frozen=True)
class Entry:
    """One public name: a class, a function, a method or a property."""

    name: str
    path: str
    kind: str
    signature: str
    """As it is written in a call's definition, without `def`; empty where there is none to speak of."""
    doc: str
    fields: tuple[Field, ...]
    members: tuple[Entry, ...]
    source: str


@dataclass(frozen=True)
class ModuleNames:
    """What one module offers."""

    path: str
    doc: str
    constants: tuple[Field, ...]
    entries: tuple[Entry, ...]
    offered: tuple[str, ...]
    """Names that a package offers from its modules, as `engine.views.words.schedule_words`."""


class NoSuchModule(ValueError):
    """A name that is no module of the packages read here."""


PACKAGES = ("engine",)
"""The packages that have a reference."""


def public_modules() -> tuple[str, ...]:
    """Every module whose name has no underscore in front, by its full name."""
    return tuple(module.path for package in PACKAGES for module in _modules(_load(package)))


def module_names(path: str) -> ModuleNames:
    """The public names of the module `path`. Raises `NoSuchModule`."""
    package = path.partition(".")[0]
    found = [module for module in _modules(_load(package)) if module.path == path] if package in PACKAGES else []
    if not found:
        raise NoSuchModule(f"{path!r} is no module of {', '.join(PACKAGES)}")
    return _module(found[0])


def _load(package: str) -> griffe.Module:
    root = here().root
    newest = max(file.stat().st_mtime_ns for file in (root / package).rglob("*.py"))
    return _load_as_of(package, root, newest)


@lru_cache(maxsize=4)
def _load_as_of(package: str, root: Path, newest: int) -> griffe.Module:
    # `newest` is part of the key alone: an author's preview reads a saved module again.
    loaded = griffe.load(package, search_paths=[root], allow_inspection=False, resolve_aliases=True)
    assert isinstance(loaded, griffe.Module)
    return loaded


def _modules(module: griffe.Module) -> Iterator[griffe.Module]:
    yield module
    for name, child in sorted(module.modules.items()):
        # `__main__` is a command, not a name to import.
        if isinstance(child, griffe.Module) and not name.startswith("_"):
            yield from _modules(child)


def _module(module: griffe.Module) -> ModuleNames:
    members = [member for name, member in module.members.items() if not name.startswith("_")]
    own = [member for member in members if not member.is_alias and not member.is_module]
    offered = [member.target_path for member in members if isinstance(member, griffe.Alias) and member.is_exported]
    return ModuleNames(
        module.path,
        _doc(module),
        tuple(_field(member) for member in own if isinstance(member, griffe.Attribute)),
        tuple(_entry(member) for member in own if isinstance(member, griffe.Class | griffe.Function)),
        tuple(offered),
    )


def _entry(member: griffe.Class | griffe.Function | griffe.Attribute) -> Entry:
    source = inspect.cleandoc(member.source)
    if isinstance(member, griffe.Class):
        return _class(member, source)
    if isinstance(member, griffe.Attribute):
        return Entry(member.name, member.path, "property", _type(member), _doc(member), (), (), source)
    signature = member.name + _parameters(member.parameters, member.returns)
    kind = "method" if isinstance(member.parent, griffe.Class) else "function"
    return Entry(member.name, member.path, kind, signature, _doc(member), (), (), source)


def _class(member: griffe.Class, source: str) -> Entry:
    own = [part for name, part in member.members.items() if not name.startswith("_")]
    fields = [part for part in own if isinstance(part, griffe.Attribute) and "property" not in part.labels]
    members = [
        part
        for part in own
        if isinstance(part, griffe.Class | griffe.Function | griffe.Attribute) and part not in fields
    ]
    return Entry(
        member.name,
        member.path,
        _class_kind(member),
        _class_signature(member),
        _doc(member),
        tuple(map(_field, fields)),
        tuple(map(_entry, members)),
        source,
    )


def _class_kind(member: griffe.Class) -> str:
    bases = {str(base) for base in member.bases}
    if "NamedTuple" in bases:
        return "named tuple"
    if any("dataclass" in str(decorator.value) for decorator in member.decorators):
        return "dataclass"
    return "error" if any(base.endswith(("Error", "Exception")) for base in bases) else "class"


def _class_signature(member: griffe.Class) -> str:
    """How the class is called, where it has an `__init__` of its own."""
    init = member.members.get("__init__")
    written = isinstance(init, griffe.Function) and init.lineno is not None and _class_kind(member) == "class"
    return member.name + _parameters(init.parameters, None) if written and isinstance(init, griffe.Function) else ""


def _parameters(parameters: griffe.Parameters, returns: object) -> str:
    """The parameters as they are written in Python, `self` left out."""
    parts: list[str] = []
    starred = False
    for parameter in parameters:
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is griffe.ParameterKind.var_positional:
            starred = True
        if parameter.kind is griffe.ParameterKind.keyword_only and not starred:
            parts.append("*")
            starred = True
        parts.append(_parameter(parameter))
    return f"({', '.join(parts)})" + (f" -> {returns}" if returns is not None else "")


_STARS = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def _parameter(parameter: griffe.Parameter) -> str:
    stars = _STARS.get(parameter.kind) if parameter.kind else None
    type_ = f": {parameter.annotation}" if parameter.annotation is not None else ""
    if stars:
        return f"{stars}{parameter.name}{type_}"
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"{parameter.name}{type_}{default}"


def _field(member: griffe.Attribute) -> Field:
    default = str(member.value) if member.value is not None else ""
    return Field(member.name, _type(member), default, _doc(member))


def _type(member: griffe.Attribute) -> str:
    return str(member.annotation) if member.annotation is not None else ""


def _doc(member: griffe.Object) -> str:
    return inspect.cleandoc(member.docstring.value) if member.docstring else ""
