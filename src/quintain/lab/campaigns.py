"""How campaigns of Heirless battles go: who wins them, which cards are used, where Knights go, how Bandits fare."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from quintain.bots import level
from quintain.engine.errors import BadOption
from quintain.engine.registry import game
from quintain.games.heirless import state as st
from quintain.lab import matches

CAPITAL, LOCATION, CAMP = "the Capital", "the Location of Interest", "another camp"
ABROAD, HOME = "another's Castle", "the own Castle"


@dataclass
class Campaigns:
    """What a number of campaigns came to.

    `won` are shares of games by ``("seat", n)`` and ``("place", n)``, both from 0, a tie shared. `chosen` and `offered`
    count the cards, as ``(attack or defend, name)``, `sent` Knights by where they went, `bandits` the battles with
    Bandits by whether they won, `allied` the battles of three sides and more by whether an alliance won.
    """

    games: int = 0
    won: Counter[tuple[str, int]] = field(default_factory=Counter)
    chosen: Counter[tuple[str, str]] = field(default_factory=Counter)
    offered: Counter[tuple[str, str]] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    bandits: Counter[bool] = field(default_factory=Counter)
    allied: Counter[bool] = field(default_factory=Counter)

    def add(self, other: Campaigns) -> None:
        """Add what other campaigns came to."""
        self.games += other.games
        for counter in ("won", "chosen", "offered", "sent", "bandits", "allied"):
            getattr(self, counter).update(getattr(other, counter))


def campaigns(games: int, seats: int, bot: str, seed: int, progress: Callable[[], None] = lambda: None) -> Campaigns:
    """Play campaigns between bots of one level and sum up; `progress` is told of every game. Raises BadOption."""
    found = game("heirless")
    book = found.make_book(found.check_seats(seats), found.read_options(seats, {}))
    if games < 1:
        raise BadOption(f"at least one game is played, not {games}")
    kind = level(bot)
    matches.prepare(found, [kind])
    total = Campaigns()

    def play(number: int) -> Campaigns:
        seen = _Campaign(book, found.state())
        for seat, action in matches.moves(found, book, seen.s, [kind] * seats, seed, number):
            seen.look(seat, action)
        seen.finish(matches.result(found, book, seen.s, seats)[1])
        progress()
        return seen.tally

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for tally in threads.map(play, range(games)):
            total.add(tally)
    return total


class _Campaign:
    """Looks on at one campaign."""

    def __init__(self, book: Any, s: Any):
        self.book, self.s, self.tally = book, s, Campaigns(games=1)
        self.starts: list[int] = []
        self.told = 0
        self.sides: list[int] = []
        self.mask = [0] * st.ACTIONS
        self.cards = book.card_name[st.PLAYERS_SET][: book.cards[st.PLAYERS_SET]]

    def look(self, seat: int, action: int) -> None:
        """Take note of a move that is about to be made, and of what has happened since the last."""
        s = self.s
        self.starts = self.starts or list(s.place[: self.book.seats])
        self._hear()
        if s.phase == st.MUSTER:
            self.tally.sent[self._where(seat, action - st.SEND)] += 1
        elif s.phase == st.PLACE:
            game("heirless").rules.legal(self.book, s, seat, self.mask)
            for role, start in (("attack", st.ATTACK), ("defend", st.DEFEND)):
                for card, name in enumerate(self.cards):
                    self.tally.offered[role, name] += self.mask[start + card]
                    self.tally.chosen[role, name] += action == start + card

    def finish(self, ranks: list[int]) -> None:
        """Take note of the end."""
        self._hear()
        shares: list[Any] = matches.shares(ranks)  # a Counter adds up what is shared as well as what is whole
        for seat, (place, share) in enumerate(zip(self.starts, shares, strict=True)):
            self.tally.won["seat", seat] += share
            self.tally.won["place", place] += share

    def _hear(self) -> None:
        """Take note of the battles that have been won since the last move."""
        s = self.s
        for number in range(self.told, s.events_made):
            event = s.events[number % len(s.events)]
            if event.kind == st.BATTLE:
                self.sides = []
            elif event.kind == st.SCORED:
                self.sides.append(event.seat)
            elif event.kind == st.WON and st.BANDITS in self.sides:
                self.tally.bandits[event.seat == st.BANDITS] += 1
            if event.kind == st.WON and len(self.sides) >= st.LEAST_SIDES_TO_ALLY:
                self.tally.allied[event.other != st.NONE] += 1
        self.told = s.events_made

    def _where(self, seat: int, tile: int) -> str:
        if tile >= st.CASTLE:
            return HOME if tile == st.CASTLE + seat else ABROAD
        return CAPITAL if tile == st.CAPITAL else LOCATION if tile == self.s.location else CAMP
