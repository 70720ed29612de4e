"""With which options of its game a set is played: remarks at the head of its text, which the game itself skips.

The cards of a set have no place for options, and a game that reads them knows nothing of who plays them. So the
workshop writes the number of seats and the options that are not the usual ones before the first card::

    # Options of the game:
    # seats = 3
    # seasons = 2

Thus a draft, a version, a link, a file and a trial hold them like the cards, and every reader of sets takes the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from quintain.engine.errors import BadOption, nearest
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import FILE_KINDS, Option
from quintain.engine.rules.seat_options import owned_cards, seat_options
from quintain.engine.toml import read_toml, toml

SEATS = "seats"
"""What stands for the number of seats among the options."""
HEAD = "# Options of the game:"
AT_HEAD = re.compile(rf"\A{re.escape(HEAD)}\n(?:#[^\n]*\n)*")
IN_FILE = re.compile(rf"^{re.escape(HEAD)}[ \t]*$((?:\n#[^\n]*)*)", re.MULTILINE)
MOST_HEAD = 4000
"""Characters of the options that are read from a file."""
KEPT = 64


def options_of(found: Game) -> list[Option]:
    """Return the options with which a set can say that it is played.

    They are all but the set itself, what each seat brings by itself, and playing for cards that people own.
    """
    owned, collection = owned_cards(found), found.collection
    others = seat_options(found) | ({owned.stakes} if owned else set()) | ({collection.option} if collection else set())
    return [each for each in found.text.OPTIONS if each.name not in others and each.kind not in FILE_KINDS]


def split(text: str) -> tuple[str, str]:
    """Return the options at the head of a draft as text, and its cards.

    >>> split("# Options of the game:\\n# seats = 3\\n[[knight]]\\n")
    ('# Options of the game:\\n# seats = 3\\n', '[[knight]]\\n')
    """
    head = AT_HEAD.match(text)
    return (head[0], text[head.end() :]) if head else ("", text)


@lru_cache(KEPT)
def given_options(found: Game, text: str) -> Mapping[str, Any]:
    """Return what a draft says of options, with the number of seats, but for what the game of today does not take.

    Options that it does not name have their usual values.
    """
    try:
        return read_head(found, text)
    except BadOption:
        return {}


def read_head(found: Game, text: str) -> Mapping[str, Any]:
    """Return what a file says of options, as `given_options` does; raises BadOption, which names the wrong one."""
    head = IN_FILE.search(text.replace("\r\n", "\n"))
    if head is None:
        return {}
    if len(head[1]) > MOST_HEAD:
        raise BadOption(f"the options at the head of this file are too long: at most {MOST_HEAD:,} characters are read")
    try:
        data = read_toml("\n".join(line.removeprefix("#") for line in head[1].split("\n")))
    except ValueError as error:
        raise BadOption(f"the options at the head of this file cannot be read: {error}") from error
    return _read(found, data)


def with_options(found: Game, text: str, given: Mapping[str, object]) -> str:
    """Return a draft that is played with other options, or on another number of seats; raises BadOption.

    What `given` does not name stays, and an empty value is the usual one.
    """
    both = {**given_options(found, text), **given}
    return head_with(found, _read(found, {name: value for name, value in both.items() if value != ""})) + split(text)[1]


def head_with(found: Game, options: Mapping[str, Any]) -> str:
    """Return the head of a draft with these options, of which the usual ones are left out; empty without any."""
    usual = usual_options(found, seats_of(found, options))
    lines = [f"# {name} = {toml(value)}\n" for name, value in options.items() if value != usual[name]]
    return "".join([f"{HEAD}\n", *lines]) if lines else ""


def usual_options(found: Game, seats: int) -> dict[str, Any]:
    """Return the usual values of the options of a set on so many seats, and the usual number of seats."""
    return {SEATS: found.seats[2], **{each.name: each.read(each.default_for(seats)) for each in options_of(found)}}


def seats_of(found: Game, options: Mapping[str, Any]) -> int:
    """Return the number of seats that options name, or else the usual one."""
    return int(options.get(SEATS, found.seats[2]))


def match_options(found: Game, text: str) -> dict[str, Any]:
    """Return the options of a match with a set, the set among them, without the number of seats; raises BadOption."""
    assert found.collection
    given = {name: value for name, value in read_head(found, text).items() if name != SEATS}
    return {**given, found.collection.option: text}


def check_together(found: Game, text: str) -> None:
    """Raise QuintainError if the options of a set cannot be played with its cards."""
    if options := read_head(found, text):
        found.make_book(seats := seats_of(found, options), found.read_options(seats, match_options(found, text)))


def _read(found: Game, given: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of options in the order of the game; raises BadOption."""
    there = {each.name: each for each in options_of(found)}
    known = [SEATS, *there]
    for name in given:
        if name not in known:
            words = f"a set says with which options it is played: {', '.join(known)}{nearest(name, known)}"
            raise BadOption(f"there is no option {name!r:.60} for a set of {found.title}: {words}")
    read = {SEATS: found.check_seats(_whole(given[SEATS]))} if SEATS in given else {}
    return read | {name: each.read(given[name]) for name, each in there.items() if name in given}


def _whole(given: object) -> Any:
    """Return a number of seats that is given as text; anything else as it is, for the game to refuse."""
    is_number = isinstance(given, str) and given.strip().isdecimal() and given.isascii() and len(given) < len("1000")
    return int(given) if isinstance(given, str) and is_number else given
