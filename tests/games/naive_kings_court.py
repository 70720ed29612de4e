"""A second, naive implementation of King's Court, written from the clauses alone, to compare the rules with.

A `Court` has no random numbers: the test sets the first player, the hands and every drawn card. Moves are words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from itertools import combinations
from typing import NamedTuple

HOUSES = ("Artois", "Bellerophon", "Castellia", "De Bourgogne", "Ellicta", "Febrois")
COUNTERS = {"-2": -2, "0": 0, "+1": 1, "+2": 2, "+3": 3, "+5": 5}
LEFT_OUT = ("-2", "0", "+1", "+2")
"""The counters that a game with fewer houses leaves out, one for each house, in this order. KC-1."""


class Card(NamedTuple):
    house: str
    rank: int

    def __str__(self) -> str:
        return f"{self.house} {self.rank}"


CARDS = [Card(house, rank) for house in HOUSES for rank in range(1, 9)]


def card(words: str) -> Card:
    house, rank = words.rsplit(" ", 1)
    return Card(house, int(rank))


class Court:
    """A position. `step` says what comes next; the steps "first", "deal" and "draw" wait for the method of chance."""

    def __init__(self, garnets: Sequence[int] = (0, 0), houses: int = len(HOUSES), ranks: int = 8):
        self.houses = HOUSES[:houses]
        missing = LEFT_OUT[: len(HOUSES) - houses]
        self.supply = {text: worth for text, worth in COUNTERS.items() if text not in missing}
        self.hand = int(7 * houses * ranks / 48 + 0.5)
        self.chooser = None if garnets[0] == garnets[1] else garnets.index(max(garnets))
        self.step = "first" if self.chooser is None else "choose"
        self.first = self.turn = -1
        self.deck = {each for each in CARDS if each.house in self.houses and each.rank <= ranks}
        self.hands: list[set[Card]] = [set(), set()]
        self.counters: list[dict[str, int]] = [{}, {}]
        self.influence = [dict.fromkeys(self.houses, 0) for _ in range(2)]
        self.played: list[Card] = []
        self.received: Card | None = None
        self.owed: list[str | None] = [None, None]
        self.ways: dict[str, tuple[str, str]] = {}
        self.way = ("", "")
        self.moved = self.most = 0
        self.closing = False
        """Whether the seat on turn found the deck empty."""

    def copy(self) -> Court:
        twin = copy(self)
        twin.hands = [set(hand) for hand in self.hands]
        twin.counters = [dict(put) for put in self.counters]
        twin.influence = [dict(placed) for placed in self.influence]
        twin.deck, twin.played, twin.owed = set(self.deck), list(self.played), list(self.owed)
        return twin

    def set_first(self, seat: int) -> None:
        """Set the seat that goes first. KC-2."""
        assert self.step == "first"
        self.first, self.step = seat, "deal"

    def deal(self, hands: Sequence[Collection[Card]]) -> None:
        """Set the hands that are dealt. KC-1, KC-3."""
        assert self.step == "deal"
        assert len(hands[self.first]) == self.hand + 1 and len(hands[1 - self.first]) == self.hand
        size = len(self.deck)
        self.hands = [set(hand) for hand in hands]
        self.deck -= self.hands[0] | self.hands[1]
        assert len(self.deck) == size - 2 * self.hand - 1
        self.step = "counters"

    def draw(self, drawn: Card) -> None:
        """Put the card that the seat on turn draws into its hand. KC-5."""
        assert self.step == "draw"
        self.deck.remove(drawn)
        self.hands[self.turn].add(drawn)
        self.step = "play"

    def legal(self, seat: int) -> set[str]:
        """Return the legal moves of a seat; none for a seat that may not act."""
        if self.step == "choose":
            return {"go first", "go second"} if seat == self.chooser else set()
        if self.step == "counters":
            return self._placings(seat)
        if seat != self.turn:
            return set()
        if self.step == "play":
            return {f"play {held}" for held in self.hands[seat]}
        if self.step == "switch":
            return {f"switch {one} and {other}" for one, other in combinations(self.houses, 2)}
        if self.step == "way":
            return {"move nothing", *self.ways}
        if self.step == "unit":
            return self._units(seat)
        if self.step == "give":
            return {f"give {held}" for held in self._gifts(seat)}
        return set()

    def play(self, seat: int, words: str) -> None:
        """Play a legal move."""
        assert words in self.legal(seat), f"seat {seat} cannot {words} in step {self.step}"
        verb, _, rest = words.partition(" ")
        if verb == "go":
            self.step = "first"
            self.set_first(seat if rest == "first" else 1 - seat)
        elif verb == "put":
            self._put(seat, *rest.split(" on "))
        elif verb == "play":
            self._play(seat, card(rest))
        elif verb == "switch":
            one, other = rest.split(" and ")
            own = self.counters[seat]
            own[one], own[other] = own[other], own[one]
            self._effect_done()
        elif self.step == "way":
            self._choose_way(words)
        elif self.step == "unit":
            self._move_unit(seat, words)
        else:
            self._give(seat, card(rest))

    def _placings(self, seat: int) -> set[str]:
        """Return the moves that put a remaining counter on the next house. KC-4."""
        put = self.counters[seat]
        free = [house for house in self.houses if house not in put]
        return {f"put {text} on {free[0]}" for text, worth in self.supply.items() if free and worth not in put.values()}

    def _put(self, seat: int, text: str, house: str) -> None:
        """Put one counter on a house. KC-4."""
        self.counters[seat][house] = COUNTERS[text]
        if all(len(put) == len(self.houses) for put in self.counters):
            self.turn, self.step = self.first, "draw"

    def _play(self, seat: int, played: Card) -> None:
        """Play a card and begin its effect. KC-9 to KC-13."""
        house, rank = played
        self.hands[seat].remove(played)
        self.played.append(played)
        self.step = "give"
        if rank == 1:
            self.step = "switch"
        elif rank == 3:
            self.influence[seat][house] += 1
            self.owed[1 - seat] = house if self.deck else None
        elif rank == 5:
            self._offer(3, {f"move from {other}": (other, house) for other in self.houses if other != house})
        elif rank == 7:
            self._offer(4, {f"move to {other}": (house, other) for other in self.houses if other != house})
        else:
            self.influence[seat][house] += rank
        if self.step == "give":
            self._effect_done()

    def _offer(self, most: int, ways: dict[str, tuple[str, str]]) -> None:
        """Offer the ways from a house that has Influence. KC-12 to KC-14."""
        self.moved, self.most = 0, most
        self.ways = {words: way for words, way in ways.items() if self._there(way[0])}
        if self.ways:
            self.step = "way"

    def _there(self, house: str) -> int:
        return self.influence[0][house] + self.influence[1][house]

    def _choose_way(self, words: str) -> None:
        if words == "move nothing":
            self._effect_done()
        else:
            self.way, self.step = self.ways[words], "unit"

    def _units(self, seat: int) -> set[str]:
        source = self.way[0]
        own = {"move own"} if self.influence[seat][source] else set()
        theirs = {"move theirs"} if self.influence[1 - seat][source] else set()
        return own | theirs | ({"stop"} if self.moved else set())

    def _move_unit(self, seat: int, words: str) -> None:
        """Move one Influence, which keeps its owner. KC-12, KC-13."""
        source, target = self.way
        if words != "stop":
            moving = self.influence[seat if words == "move own" else 1 - seat]
            moving[source] -= 1
            moving[target] += 1
            self.moved += 1
        if words == "stop" or self.moved == self.most or not self._there(source):
            self._effect_done()

    def _effect_done(self) -> None:
        """Go on to the gift, or end the game after the closing play. KC-5, KC-7."""
        self.step = "over" if self.closing else "give"

    def _gifts(self, seat: int) -> set[Card]:
        """Return the cards that may be given. KC-6, KC-11."""
        allowed = self.hands[seat] - {self.received}
        return {held for held in allowed if held.house == self.owed[seat]} or allowed

    def _give(self, seat: int, given: Card) -> None:
        """Give a card, and begin the other seat's turn. KC-5, KC-7."""
        self.hands[seat].remove(given)
        self.hands[1 - seat].add(given)
        self.received, self.owed[seat] = given, None
        self.turn, self.closing = 1 - seat, not self.deck
        self.step = "play" if self.closing else "draw"

    def _ranks_held(self, seat: int, house: str) -> int:
        return sum(held.rank for held in self.hands[seat] if held.house == house)

    def _leads(self, seat: int, house: str) -> bool:
        return self.influence[seat][house] > self.influence[1 - seat][house]

    def _score(self, seat: int, house: str) -> int:
        """Score one house. KC-15 to KC-17."""
        if self._ranks_held(1 - seat, house) > self._ranks_held(seat, house):
            return 0
        bonus = self.counters[0][house] + self.counters[1][house]
        return self.influence[seat][house] + (bonus if self._leads(seat, house) else 0)

    def standing(self, seat: int) -> tuple[int, int, int, int]:
        """Return the score, houses led, Influence and sum of ranks, in the order in which ties are broken. KC-19."""
        return (
            sum(self._score(seat, house) for house in self.houses),
            sum(self._leads(seat, house) for house in self.houses),
            sum(self.influence[seat].values()),
            sum(held.rank for held in self.hands[seat]),
        )

    def scores(self) -> tuple[int, int]:
        """Return the total of each seat."""
        return self.standing(0)[0], self.standing(1)[0]

    def ranks(self) -> tuple[int, int]:
        """Return the rank of each seat: 1 for the winner, 2 for the loser, 1 for both in a draw."""
        one, other = self.standing(0), self.standing(1)
        return (2 if one < other else 1), (2 if other < one else 1)
