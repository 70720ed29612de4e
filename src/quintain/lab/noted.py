"""The games of trials: each is played to its end, with the cards that each seat draws and plays on the way.

`trials` adds up what they show. Simple bots play in compiled code, which stops whenever a part of the game ends, since
the state of some games, such as Robin in the Hood, knows only the cards of the current part.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from quintain.bots.playout import (
    GAME,
    KINDS,
    TRIED,
    Workspace,
    compiled_deal,
    compiled_parts,
    new_workspace,
    part_in,
)
from quintain.engine.rules.collection import Held
from quintain.engine.rules.compiling.memory import filled
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState
from quintain.engine.rules.views import Count
from quintain.lab import matches
from quintain.lab.series import Ready, Series, ready, record, whole

Result = TypeVar("Result")
COUNTED = ("seat", "drawn games", "drawn", "played", "deck", "match", "count", "mean", "length")
SEAT, DRAWN_GAMES, DRAWN, PLAYED, DECK, MATCH, COUNT, MEAN, LENGTH = COUNTED
"""The kinds of things that are counted: see `Thing`."""


class Thing(NamedTuple):
    """Something that is counted in games, such as the wins of those who drew a card.

    DRAWN and PLAYED are wins of the seats that drew or played the card `name`; DECK and SEAT those of a deck and of a
    seat. MATCH are wins of the card or the deck `name` in games in which another seat has `other`. DRAWN_GAMES counts
    games without a single winner. COUNT and MEAN are the game's own counts, in its words (`other` begins their key):
    parts of a number, or numbers in a game. LENGTH are decisions.
    """

    kind: str
    name: str = ""
    other: str = ""


@dataclass
class Finished:
    """A game that is over: its decisions, each seat's units of the win, the cards that it drew and played, counts."""

    decisions: int
    won: list[int]
    drawn: list[set[str]]
    played: list[set[str]]
    counts: Sequence[Count]

    def things(self, decks: Sequence[str], changed: frozenset[str]) -> Iterator[tuple[Thing, int, int]]:
        """Yield what the game shows: things with wins and tries.

        `decks` are the names of the decks at the seats, and `changed` the cards that are counted against all others.
        """
        yield Thing(LENGTH), self.decisions, 1
        yield Thing(DRAWN_GAMES), int(max(self.won) < sum(self.won)), 1
        for seat, won in enumerate(self.won):
            yield Thing(SEAT, str(seat)), won, 1
            for kind, cards in ((DRAWN, self.drawn[seat]), (PLAYED, self.played[seat])):
                for name in cards:
                    yield Thing(kind, name), won, 1
            for name in decks[seat : seat + 1]:
                yield Thing(DECK, name), won, 1
            for thing in self._matches(seat, decks, changed):
                yield thing, won, 1
        for count in self.counts:
            words = count.words if count.seat is None else f"{count.words}, seat {count.seat}"
            kind, of = (MEAN, 1) if count.of is None else (COUNT, count.of)
            yield Thing(kind, words, count.key.partition(".")[0]), count.number, of

    def _matches(self, seat: int, decks: Sequence[str], changed: frozenset[str]) -> Iterator[Thing]:
        """Yield each match-up of a seat: its deck with another deck, its changed cards with the cards of others."""
        for other in {*decks} - {*decks[seat : seat + 1]}:
            yield Thing(MATCH, decks[seat], other)
        for name in self.drawn[seat] & changed:
            others = set().union(*(cards for rival, cards in enumerate(self.drawn) if rival != seat))
            for other in others - {name}:
                yield Thing(MATCH, name, other)


class _Cards:
    """Notes which cards each seat draws and plays in the course of one game."""

    def __init__(self, found: Ready, seats: int) -> None:
        self.found, self.collection = found, found.game.collection
        self.part: str | None = getattr(self.collection, "part", None)
        self.drawn: list[set[str]] = [set() for _ in range(seats)]
        self.played: list[set[str]] = [set() for _ in range(seats)]

    def part_ended(self, before: GameState, after: GameState) -> None:
        """Note the cards of a part that has ended, from the states before and after its last action."""
        ended: Any = self.collection
        for seat in range(len(self.drawn)):
            self._add(seat, ended.ended(self.found.book, before, after, seat))

    def game_ended(self, s: GameState) -> None:
        """Note the cards of the last part, or of the whole game if it has no parts."""
        if self.collection:
            for seat in range(len(self.drawn)):
                self._add(seat, self.collection.held(self.found.book, s, seat))

    def _add(self, seat: int, held: Held) -> None:
        self.drawn[seat].update(held.drawn)
        self.played[seat].update(held.played)


def without_pauses(work: Generator[None, None, Result]) -> Result:
    """Do work that pauses at one go, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result


class Players:
    """Plays single games of series, in the memory of one workspace for each game."""

    def __init__(self) -> None:
        self.workspaces: dict[Game, Workspace] = {}

    def play(self, series: Series, number: int) -> Finished:
        """Play a game of a series to its end; raises BadBot."""
        return without_pauses(self.playing(series, number))

    def playing(self, series: Series, number: int) -> Generator[None, None, Finished]:
        """Play a game of a series to its end; raises BadBot. It pauses before each move, unless it is compiled."""
        found, seats = ready(series), len(series.bots)
        cards = _Cards(found, seats)
        if series.is_compiled:
            decisions, ranks, s = self._play_compiled(series, number, cards)
        else:
            decisions, ranks, s = yield from _playing_between_bots(series, number, cards)
        cards.game_ended(s)
        units = whole(seats) // ranks.count(1)
        won = [units if rank == 1 else 0 for rank in ranks]
        counts = found.game.report(found.book, s) if found.game.report else ()
        return Finished(decisions, won, cards.drawn, cards.played, counts)

    def _play_compiled(self, series: Series, number: int, cards: _Cards) -> tuple[int, list[int], GameState]:
        """Play a game in compiled code; return the number of decisions, the ranks, and the state at the end."""
        (game, _, _), seats = ready(series), len(series.bots)
        if game not in self.workspaces:
            self.workspaces[game] = new_workspace(game, is_compiled=True)
        work, book = self.workspaces[game], record(series)
        pool: Any = work.pool
        ranks: Any = work.ranks
        kinds, part = filled("int64", [KINDS[name] for name in series.bots]), part_in(game, work)
        compiled_deal(game)(book, seats, work, series.seed, number)
        play_part = compiled_parts(game).prepared(book, seats, kinds, work, part)
        decisions, begun = 0, [*part]
        while more := play_part():
            decisions += more
            if [*part] != begun:
                cards.part_ended(*(game.state.unpack(bytes(pool[place])) for place in (TRIED, GAME)))
                begun = [*part]
        return decisions, [*ranks[:seats]], game.state.unpack(bytes(pool[GAME]))


def _playing_between_bots(
    series: Series, number: int, cards: _Cards
) -> Generator[None, None, tuple[int, list[int], GameState]]:
    """Play a game between any bots, with a pause before each move.

    Return the number of decisions, the ranks, and the state at the end.
    """
    found, seats = ready(series), len(series.bots)
    s = before = found.game.state()
    decisions = 0

    def look() -> None:
        if cards.part and decisions and getattr(s, cards.part) != getattr(before, cards.part):
            cards.part_ended(before, s)

    for _ in matches.moves(found.game, found.book, s, found.levels, series.seed, number):
        look()
        before = s.copy() if cards.part else s
        decisions += 1
        yield
    look()
    return decisions, matches.result(found.game, found.book, s, seats)[1], s
