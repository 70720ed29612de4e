"""Write the names that Quintain promises to keep, with their signatures, into docs/public.md.

    .venv/bin/python tools/public.py

A test compares the page with the code, so nobody changes a public name without this page, and the changelog, saying so.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Literal, get_origin

PAGE = Path(__file__).parents[1] / "docs" / "public.md"
MODULES = (
    "quintain",
    "quintain.engine",
    "quintain.bots",
    *(f"quintain.lab.{name}" for name in ("simulation", "ladder", "tournament", "skill", "balance", "report")),
    *(f"quintain.lab.{name}" for name in ("compare", "analysis", "pages", "pools", "cluster")),
    *(f"quintain.envs.{name}" for name in ("ids", "batch", "gymnasium", "vector", "pettingzoo", "openspiel")),
    "quintain.conformance",
)
"""The modules that are public; the names in the `__all__` of each are the promise."""
BLOCK = re.compile(r"(?<=^```text\n)(# (quintain[\w.]*)\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Write the blocks of the page anew."""
    PAGE.write_text(written(), encoding="utf-8")


def written() -> str:
    """Return the page as the code is now."""
    return BLOCK.sub(lambda block: block[1] + "".join(f"{line}\n" for line in lines(block[2])), page())


def page() -> str:
    """Return the page as it stands."""
    return PAGE.read_text(encoding="utf-8")


def lines(module: str) -> Iterator[str]:
    """Yield a line for each public name of a module, and for each public member of its classes."""
    found = importlib.import_module(module)
    for name in sorted(found.__all__, key=str.lower):
        yield from of_name(name, getattr(found, name))


def of_name(name: str, value: object) -> Iterator[str]:
    """Yield the lines of one name."""
    if inspect.isclass(value):
        yield from of_class(name, value)
    elif inspect.ismodule(value):
        for function, _ in inspect.getmembers(value, lambda one: getattr(one, "__module__", "") == value.__name__):
            yield from of_name(f"{name}.{function}", getattr(value, function)) if function[0] != "_" else ()
    elif get_origin(value) is Literal:
        yield f"{name} = {str(value).removeprefix('typing.')}"
    elif callable(value) and hasattr(value, "__name__"):
        yield f"{name}{signature(value)}"
    else:
        yield f"{name}: {type(value).__name__}"


def of_class(name: str, kind: type) -> Iterator[str]:
    """Yield the lines of a class: how it is made, then its public members, also those of its bases in Quintain."""
    if issubclass(kind, Exception):
        yield f"class {name}({kind.__bases__[0].__name__})"
        return
    made = "" if getattr(kind, "_is_protocol", False) else signature(kind).removesuffix(" -> None")
    yield f"class {name}{made}"
    members: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        members |= vars(base) if base.__module__.startswith("quintain.") else {}
    for attribute in sorted(attributes(kind) - members.keys()):
        yield f"    .{attribute}"
    for member, value in sorted(members.items()):
        if member.startswith("_"):
            continue
        if isinstance(value, staticmethod | classmethod):
            yield f"    {name}.{member}{signature(value.__func__)}"
        elif inspect.isfunction(value):
            yield f"    .{member}{signature(value)}"
        elif isinstance(value, property | cached_property):
            get = value.fget if isinstance(value, property) else value.func
            yield f"    .{member}: {signature(get).partition(' -> ')[2]}"


def attributes(kind: type) -> set[str]:
    """Return the public attributes that a class of Quintain, which is no dataclass, gives its objects."""
    own = [vars(base)["__init__"] for base in kind.__mro__ if "__init__" in vars(base)]
    made = [each for each in own if inspect.isfunction(each) and not dataclasses.is_dataclass(kind)]
    nodes = [node for each in made for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(each))))]
    stored = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    names = {node.attr for node in stored if isinstance(node.value, ast.Name) and node.value.id == "self"}
    return {name for name in names if not name.startswith("_")}


class Written:
    """An annotation or a default in words: what is a string without its quotes, a function as dots."""

    def __init__(self, value: object) -> None:
        words = value if isinstance(value, str) else inspect.formatannotation(value)
        self.words = re.sub(r"ForwardRef\('(.*?)'\)", r"\1", re.sub(r"\bquintain(\.\w+)*\.(?=\w)", "", words))

    def __repr__(self) -> str:
        return self.words


def signature(value: object) -> str:
    """Return the signature of a function or a class, with its annotations as they are written."""
    try:
        found = inspect.signature(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    empty = inspect.Parameter.empty
    kept = []
    for each in found.parameters.values():
        default = Written("...") if inspect.isroutine(each.default) else each.default
        default = Written(default.__name__) if inspect.isclass(default) and default is not empty else default
        annotation = empty if each.annotation is empty else Written(each.annotation)
        if each.name not in ("self", "cls"):
            kept.append(each.replace(annotation=annotation, default=default))
    gives = found.return_annotation
    return str(found.replace(parameters=kept, return_annotation=gives if gives is empty else Written(gives)))


if __name__ == "__main__":
    main()
