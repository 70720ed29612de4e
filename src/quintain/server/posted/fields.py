"""The fields of a post: those of a form or of JSON, decoded into a struct of `posts.py`, or what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar, get_args, get_origin
from urllib.parse import parse_qsl

import msgspec
from msgspec import structs

from quintain.engine.errors import BadOption, quoted
from quintain.server.pages.contexts import CSRF
from quintain.server.posted.posts import Posted, is_number
from quintain.server.refused import Refused
from quintain.server.tables import acts

MOST_FIELDS = 200
NAME = "name"
"""The field of the sender's name."""
MOST_DIGITS = 20
"""So many characters of a number are read."""
WRONG_FIELD = re.compile(r"at `\$\.([a-z_]+)|field `([a-z_]+)`")
"""Where an error of msgspec names a field."""
Given = TypeVar("Given", bound=Posted)


class NeedsName(Refused):
    """Raised if somebody without a name does something that needs one, or gives one that will not do.

    `kept` is what their form holds, if it is sent again with a name, and `wrong` what is wrong with the name given.
    """

    def __init__(self, kept: Mapping[str, str] | None = None, wrong: BadOption | None = None) -> None:
        super().__init__(403 if wrong is None else 422, acts.NAMELESS)
        self.kept, self.wrong = kept, wrong

    @classmethod
    def of(cls, fields: Mapping[str, object], wrong: BadOption | None = None) -> NeedsName:
        """Return the refusal of a form, which is sent again with a name."""
        return cls({name: each for name, each in fields.items() if isinstance(each, str) and name != CSRF}, wrong)

    def context(self) -> Mapping[str, object]:
        """Return what the page that asks for the name needs to know of the form."""
        fields = self.kept or {}
        kept = {name: text for name, text in fields.items() if name != NAME}
        return {"kept": kept, "given": fields.get(NAME, ""), "error": str(self.wrong) if self.wrong else None}


def form_fields(body: bytes, kind: type[Posted]) -> dict[str, object]:
    """Return the fields of a form; one that takes a list has all texts that the form holds under its name.

    Raises ValueError for what cannot be read.
    """
    pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    lists = {field.name for field in structs.fields(kind) if get_origin(field.type) is list}
    return dict(pairs) | {name: [text for key, text in pairs if key == name] for name in lists & dict(pairs).keys()}


def decoded(posted: Mapping[str, object], kind: type[Given]) -> Given:
    """Return the fields of a post as a struct; raises Refused for a wrong field.

    As forms know only text, a number may be its digits, and a switch "on" or "off". Null stands for a missing field.
    """
    takes = {field.name: field.type for field in structs.fields(kind)}
    given = {name: _read(posted[name], takes[name]) for name in takes.keys() & posted.keys()}
    try:
        return msgspec.convert({name: each for name, each in given.items() if each is not None}, kind)
    except msgspec.ValidationError as error:
        found = WRONG_FIELD.search(str(error))
        name = found[1] or found[2] if found else ""
        if name not in takes:
            raise Refused(400, str(error)) from error
        words = f"{name} must be {_takes(takes[name])}"
        if "enum" in str(error):
            raise Refused(422, f"{words}, not {quoted(posted[name])}") from error
        raise Refused(400, words) from error


def _read(given: object, kind: object) -> object:
    """Return a field as a number or a switch if it takes one and holds the text of one; else as it is."""
    if kind is int and isinstance(given, str) and is_number(given.removeprefix("-")):
        return int(given[:MOST_DIGITS])
    if kind is bool and given in ("on", "true", "off", "false", ""):
        return given in ("on", "true")
    return given


def _takes(kind: object) -> str:
    """Return in words which values a field takes."""
    if get_origin(kind) is Annotated:
        return _takes(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return f"one of {', '.join(filter(None, get_args(kind)))}"
    words = {int: "a whole number", str: "text", bool: "true or false", int | str: "a whole number, or text"}
    return words.get(kind, "a list of texts" if get_origin(kind) is list else "an object")  # type: ignore[call-overload, no-any-return]
