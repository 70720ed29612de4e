"""What wins: how often seats, openings, moves and choices of options won, counted over all finished games.

`counted` makes the counts of one game from its record and the contract alone. A server adds them to its database in the
transaction that closes the game; a browser counts when somebody looks. A game counts once for each of its seats; a seat
that is in first place with others counts as its share of a win. Lessons, games that were played on and games that
somebody left early do not count.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quintain.engine.errors import UnknownGame
from quintain.engine.rules.options import Option
from quintain.engine.rules.registry import game
from quintain.server.model.entries import Folded, Json
from quintain.server.model.results import NOT_TO_THE_END, PlayedSeat, played

SEAT, OPENING, MOVE, CHOICE = "seat", "opening", "move", "choice"
"""The kinds of counts; the key of each is a number from 1 on, words, words, and an option's name with its value."""
OF_THEIR_OWN = "of their own"
"""In the place of a text that a stranger wrote."""
BETWEEN = ": "
"""Between the name of an option and its value in a key."""
MOST_LETTERS = 80
"""The characters of a key."""
NAMED_SEAT = re.compile(r"\bseat (\d+)\b('s)?")
LONG_NUMBER = re.compile(r"\d{3,}")
CUT = "\u2026"


class WinCount(NamedTuple):
    """How many games a kind of seat had with something, and how many it won, among people or among bots."""

    game: str
    seats: int
    kind: str
    key: str
    bot: bool
    games: int
    won: float


def counts(folded: Folded) -> list[WinCount]:
    """Return what a finished game adds to the counts, by key; nothing if it does not count."""
    theirs = played(folded)
    return counted(folded.record, [seat.bot for seat in theirs]) if folded.record and is_counted(theirs) else []


def is_counted(seats: Sequence[PlayedSeat]) -> bool:
    """Tell whether a finished game with these seats counts: one that was played to its end, by rules that all knew."""
    return bool(seats) and not any(seat.uncounted or seat.result in NOT_TO_THE_END for seat in seats)


def counted(record: Json, bots: Sequence[bool]) -> list[WinCount]:
    """Return what the record of a game adds to the counts, by key. `bots` tells for each seat whether a bot sat there.

    If the rules of the game are gone, or if a stranger's text may have given names to its pieces, no words count.
    """
    ranks, options, given = record["result"]["ranks"], _options(record["game"]), _given(record)
    first = min(ranks)
    share = 1 / ranks.count(first)
    games, won = Counter[tuple[str, str, bool]](), defaultdict[tuple[str, str, bool], float](float)
    has_own_words = options is None or any(_is_own(option, given.get(option.name)) for option in options)
    moves = [[] for _ in bots] if has_own_words else _moves(record["moves"], len(bots))
    for seat, bot in enumerate(bots):
        found = {(SEAT, str(seat + 1)), *((MOVE, move) for move in moves[seat]), *_choices(record, options or (), seat)}
        found |= {(OPENING, moves[seat][0])} if moves[seat] else set()
        for kind, key in found:
            games[kind, key, bot] += 1
            won[kind, key, bot] += share if ranks[seat] == first else 0.0
    return [WinCount(record["game"], len(bots), *key, games[key], won[key]) for key in sorted(games)]


def _options(game_id: str) -> Sequence[Option] | None:
    """Return the options of a game; None if its rules are gone."""
    try:
        options: Sequence[Option] = game(game_id).text.OPTIONS
    except UnknownGame:
        return None
    return options


def _is_own(option: Option, value: object) -> bool:
    """Tell whether an option holds a text that a stranger may have written."""
    return bool(value) and option.is_text(value)


def _moves(acts: Sequence[Json], seats: int) -> list[list[str]]:
    """Return the moves of each seat in words, without those that were taken back."""
    found: list[list[str]] = [[] for _ in range(seats)]
    for act in acts:
        theirs = found[act["seat"]]
        if act["kind"] == "move":
            theirs.append(move_words(act["text"], act["seat"]))
        elif act["kind"] == "undo" and theirs:
            theirs.pop()
    return found


def move_words(text: str, seat: int) -> str:
    """Return the words for a move of a seat that count: the same ones whichever seat makes it, and not too many.

    >>> move_words("strike seat 0's Knight", 1), move_words("strike seat 0's Knight", 0), move_words("on seat 2", 1)
    ("strike an opponent's Knight", 'strike their own Knight', 'on an opponent')
    >>> move_words("bid 1250 for 7", 0)
    'bid \u2026 for 7'
    """

    def who(found: re.Match[str]) -> str:
        is_own, is_owner = int(found[1]) == seat, bool(found[2])
        if is_own:
            return "their own" if is_owner else "their own seat"
        return "an opponent's" if is_owner else "an opponent"

    words = LONG_NUMBER.sub(CUT, NAMED_SEAT.sub(who, text))
    return words if len(words) <= MOST_LETTERS else words[: MOST_LETTERS - 1] + CUT


def _given(record: Json) -> Json:
    """Return the options with which a game was played, those that seats chose included."""
    return {**record["options"], **record.get("chosen", {})}


def _choices(record: Json, options: Sequence[Option], seat: int) -> Iterator[tuple[str, str]]:
    """Yield what was chosen for a seat, for each option that has choices; seats use the values of a list in turn."""
    for option in options:
        value = _given(record).get(option.name)
        if option.choices and value:
            theirs = value[seat % len(value)] if isinstance(value, list) else value
            key = f"{option.name}{BETWEEN}{theirs if theirs in option.choices else OF_THEIR_OWN}"
            yield CHOICE, key[:MOST_LETTERS]
