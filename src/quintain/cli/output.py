"""What commands print for programs: JSON, as one document or one object a line, instead of the texts for people.

The keys are the names of the fields of the values that a command has anyway. Only the values go to the standard
output: bars of progress and notes go to the standard error.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec
import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
AsLines = Annotated[bool, typer.Option("--json", help="Print JSON instead, one object a line.")]


def print_document(value: object) -> None:
    """Print a value as one JSON document, on one line."""
    sys.stdout.write(msgspec.json.encode(_plain(value)).decode() + "\n")
    sys.stdout.flush()  # a program that reads a pipe has each line at once


def print_lines(values: Iterable[object]) -> None:
    """Print each of many values as a JSON document on a line of its own, as soon as it is there."""
    for value in values:
        print_document(value)


def fields(value: object) -> dict[str, Any]:
    """Return the fields of a dataclass, a struct or a named tuple, by name.

    >>> from quintain.lab.pairings import Pairing
    >>> fields(Pairing("page", "random", 2, 1.0, (0.34, 1.0)))
    {'name': 'page', 'other': 'random', 'games': 2, 'share': 1.0, 'interval': (0.34, 1.0)}
    """
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.asdict(value)
    if isinstance(value, tuple):
        return dict(zip(getattr(value, "_fields", ()), value, strict=True))
    assert dataclasses.is_dataclass(value), value
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def _plain(value: object) -> object:
    """Return a value in which every object with fields is a mapping: msgspec would write named tuples as lists."""
    if hasattr(value, "_fields") or dataclasses.is_dataclass(value) or isinstance(value, msgspec.Struct):
        value = fields(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
