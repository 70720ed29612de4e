"""Reads, checks and writes the two documents of a match: saves and records.

A save is private, for it holds the seed: `Match.load` goes on from it. A record is public and holds a finished match.
Both are JSON with a SHA-256 checksum over the rest of the document. Anybody can compute that checksum, so it finds
damage but no forgery: `Match.load` replays the moves and compares the result.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Annotated, Any, Literal, NoReturn

import msgspec

from quintain.engine.errors import BadRecord, UnknownGame, quoted
from quintain.engine.names import is_name, with_names
from quintain.engine.play.commitments import Reveal, canonical, commitment, seed_commitment
from quintain.engine.rules.options import FILE_KINDS, MOST_DIGITS, Option
from quintain.engine.rules.registry import game
from quintain.engine.seen.result import Result
from quintain.engine.toml import MOST_DEPTH

_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
"""A string, even one that does not end, or a bracket."""


class OtherRules(BadRecord):
    """A save or record needs a game, or a version of its rules, that is not installed.

    `record` holds the parts of a record that can be read without its game; it is None for a save.
    """

    def __init__(self, message: str, record: MatchRecord | None):
        super().__init__(message)
        self.record = record


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of a match's list of moves; `auto` marks a random move made for a seat that has resigned.

    From a ``stand-in`` on, the bot that `text` names makes the moves of a seat, until its player has ``returned``.
    """

    seat: int
    kind: Literal["move", "undo", "resign", "stand-in", "returned"]
    text: str = ""
    auto: bool = False

    def words(self, names: Sequence[str]) -> str:
        """Return what the seat did, in words, with the players' names.

        >>> Entry(1, "move", "strike seat 0").words(["Ann", "Bo"])
        'Bo: strike Ann'
        """
        if self.kind == "stand-in":
            return f"{self.text}, a bot, now plays for {names[self.seat]}"
        if self.kind != "move":
            does = {"undo": "takes the last move back", "resign": "resigns", "returned": "is back, and plays again"}
            return f"{names[self.seat]} {does[self.kind]}"
        move = re.sub(r"\bseat (\d+)\b", lambda found: names[int(found[1])], self.text)
        return f"{names[self.seat]}: {move}"


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A server's signature of a record: its public `key` and the Ed25519 signature itself, its `value`, both in hex.

    The signature also covers `table`, the id of the table there, and `ended`, the time in seconds since 1970.
    """

    key: str
    value: str = ""
    table: str = ""
    ended: Annotated[int, msgspec.Meta(ge=0, lt=2**37)] | None = None


class Save(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="format",
    tag="quintain-save",
):
    """A match to go on with. It is private, for it holds the seed.

    `commitment` is empty in the saves of older versions. `reveals` are those of the seats that have committed.
    `position` is the one from which the match began, as `Match.position` writes it; it is empty if the match was dealt.
    The commitment does not cover it, nor the options in `chosen`: seats chose these after it, each for itself, and they
    hold in the place of the same `options`.
    """

    game: str
    version: int
    seats: int
    names: list[str]
    bots: list[str | None]
    options: dict[str, Any]
    seed: str
    moves: list[Entry]
    commitment: str = ""
    reveals: list[Reveal] = []
    position: str = ""
    chosen: dict[str, Any] = {}
    sha256: str = ""


class MatchRecord(Save, frozen=True, forbid_unknown_fields=True, tag_field="format", tag="quintain-record"):
    """A finished match. It is public. A server that has played it may have added its `signature`."""

    log: list[str] = []
    result: Result | None = None
    signature: Signature | None = None


def checksum(data: Mapping[str, object]) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of a document without its checksum."""
    rest = {key: value for key, value in data.items() if key != "sha256"}
    return hashlib.sha256(canonical(rest)).hexdigest()


def read_document(given: Mapping[str, object] | str | bytes) -> Save:
    """Return a save or a record, after checking its form and checksum; raises BadRecord.

    Raises OtherRules if its game is not here, or only with older rules than those under which it was written.
    """
    data = _read_json(given) if isinstance(given, str | bytes) else given
    if not isinstance(data, Mapping) or data.get("format") not in ("quintain-save", "quintain-record"):
        raise BadRecord("this is neither a save nor a record of Quintain: its `format` must name one of them")
    try:
        if data.get("sha256") != checksum(data):
            raise BadRecord("this document was changed or damaged after it was written: its checksum does not match")
        document: Save = msgspec.convert(dict(data), Save | MatchRecord)
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
        raise BadRecord(f"this document is not valid: {error}") from error
    record = document if isinstance(document, MatchRecord) else None
    if record and not _is_result_of(record.result, record.seats):
        raise BadRecord("this record is not valid: its result must give a score, or none, and a rank for every seat")
    if record and len(record.names) != record.seats:
        raise BadRecord("this record is not valid: it must name a player for every seat")
    try:
        version = game(document.game).version
    except UnknownGame as error:
        raise OtherRules(f"this document is of a game that is not here: {error}", record) from error
    if document.version < 0:
        raise BadRecord(f"this document is not valid: the rules have no version {document.version}")
    if document.version > version:
        raise OtherRules(f"{_written(document)}, and only version {version} is here: {_can(record)}", record)
    return document


def other_rules(document: Save, version: int, error: BadRecord) -> OtherRules:
    """Return why a document from under older rules cannot be played again by this version of its game's rules."""
    record = document if isinstance(document, MatchRecord) else None
    cannot = f"version {version} cannot play it again: {_can(record)}: {error}"
    return OtherRules(f"{_written(document)}, and {cannot}", record)


def _written(document: Save) -> str:
    return f"this document was written under version {document.version} of the rules of {document.game}"


def _can(record: MatchRecord | None) -> str:
    return "its log can be read, but it cannot be replayed" if record else "it cannot go on"


def _read_json(text: str | bytes) -> object:
    """Return the data of a text in JSON; raises BadRecord, also for JSON that different programs read differently."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
        if not text.strip():
            raise BadRecord("this is not JSON: it is empty, and a game's record begins with {")
        check_depth(text)
        read = json.loads(
            text, object_pairs_hook=_each_key_once, parse_int=_short_number, parse_constant=_refuse_constant
        )
        json.dumps(read, ensure_ascii=False).encode()  # half a character, written as an escape, has no UTF-8
        return read
    except UnicodeError as error:
        raise BadRecord(f"this is not JSON in UTF-8, as documents are written: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is not JSON: {error}") from error


def check_depth(text: str) -> None:
    """Raise BadRecord for JSON whose lists and objects are nested too deeply: a reader of it may break down.

    >>> check_depth('["[[[", {"a": []}]')
    """
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += (found[0] in "[{") - (found[0] in "]}")
        if depth > MOST_DEPTH:
            raise BadRecord(
                f"this is not a document: lists in it are too deep: at most {MOST_DEPTH} levels are allowed"
            )


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object. Refuse a key that appears twice: some programs take its first value, some its last."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise BadRecord(
                f"this document is not valid: the key {quoted(key)} appears twice in one object, and may appear once"
            )
        found[key] = value
    return found


def _short_number(text: str) -> int:
    """Return a whole number, after checking that it has few enough digits; raises BadRecord."""
    if text == "-0":
        raise BadRecord("this document is not valid: it has the number -0, and 0 is written without a sign")
    digits = len(text.lstrip("-"))
    if digits > MOST_DIGITS:
        raise BadRecord(
            f"this document is not valid: it has a number of {digits} digits, and a whole number may have at most "
            f"{MOST_DIGITS}"
        )
    return int(text)


def _refuse_constant(text: str) -> NoReturn:
    raise BadRecord(f"this document is not valid: {text} is not a number in JSON; all numbers must be whole")


def _is_result_of(result: Result | None, seats: int) -> bool:
    return result is not None and len(result.ranks) == seats and len(result.scores or result.ranks) == seats


def sealed(document: Save) -> dict[str, object]:
    """Return a document as JSON data with its checksum."""
    data: dict[str, object] = msgspec.to_builtins(document)
    return {**data, "sha256": checksum(data)}


def named_record(record: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a record that was written without names, with these names and its checksum."""
    named = {**record, "names": list(names), "log": [with_names(names, line) for line in record.get("log", ())]}
    result = named.get("result")
    if result:
        named["result"] = {**result, "reason": with_names(names, result["reason"])}
        if result.get("prizes"):
            named["result"]["prizes"] = [with_names(names, words) for words in result["prizes"]]
    return {**named, "sha256": checksum(named)}


def check_entry(entry: Entry, due: Entry | None, is_due: Callable[[str], bool]) -> None:
    """Raise BadRecord for an entry that cannot stand here.

    `due` is the move that chance has chosen for a seat that has resigned, or None; if it is given, the entry must be
    that move. `is_due` tells whether a text means that move.
    """
    if entry.kind == "stand-in" and not is_name(entry.text):
        raise BadRecord("an entry of the kind stand-in must name a bot")
    if entry.kind != "move" and ((entry.text and entry.kind != "stand-in") or entry.auto):
        raise BadRecord("only an entry of the kind move may have a text, or be marked as auto")
    if entry.auto and not due:
        raise BadRecord("it is marked as auto, but no seat that has resigned is to act here")
    fits = due and entry.auto and (entry.kind, entry.seat) == ("move", due.seat) and is_due(entry.text)
    if due and not fits:
        raise BadRecord(f"a seat that has resigned is to act, so it should be {msgspec.json.encode(due).decode()}")


def check_commitment(document: Save) -> int:
    """Return the version of the rules that a match's commitment covers; raises BadRecord if it is not its commitment.

    That is an earlier version than the document's if the match went on under newer rules. The documents of older
    versions of Quintain commit to the seed alone, and their saves hold no commitment: then it is the document's.
    """
    seed = bytes.fromhex(document.seed)
    if document.commitment == seed_commitment(seed) or not (document.commitment or isinstance(document, MatchRecord)):
        return document.version
    for version in range(document.version, -1, -1):
        if document.commitment == commitment(seed, document.game, version, document.options, document.seats):
            return version
    raise BadRecord(
        "this document is not valid: its commitment is not the one that its seed, game, options and seats give"
    )


def check_result(document: MatchRecord, made: Result | None) -> None:
    """Compare a record's scores and ranks with those of the replayed match; raises BadRecord.

    The words of a record, such as its log, are not compared: an older version may have written them.
    """
    given = document.result
    if made is None:
        raise BadRecord("this record is not valid: the match is not over after its moves")
    if given is None or (given.scores, given.ranks) != (made.scores, made.ranks):
        raise BadRecord("this record is not valid: its result is not the one that its seed and moves give")


def check_position(given: str, made: str) -> None:
    """Raise BadRecord, which names the line, if a position is written otherwise than a match writes it."""
    lines = zip_longest(given.split("\n"), made.split("\n"), fillvalue="")
    for number, (line, right) in enumerate(lines, 1):
        if line != right:
            raise BadRecord(
                f"this document is not valid: line {number} of the position is {quoted(line)}, and a match writes it "
                f"as {quoted(right)}"
            )


def check_form(
    document: Save, names: Sequence[str], seed: str, kept: Mapping[str, object], options: Sequence[Option]
) -> None:
    """Raise BadRecord if the names, the seed or the options are written otherwise than a match writes them.

    `kept` are the options of the match. Options that hold the text of a file are not compared: older versions kept such
    texts in another form.
    """
    files = {option.name for option in options if option.kind in FILE_KINDS}
    played = {**document.options, **document.chosen}
    written = {name: value for name, value in played.items() if name not in files}
    for part, given, made in (
        ("names", document.names, list(names)),
        ("seed", document.seed, seed),
        ("options", written, {name: kept[name] for name in written}),
    ):
        if given != made:
            raise BadRecord(f"this document is not valid: the part {part} is not written as a match writes it")
