"""The account of Rune War: how a battle is counted, line by line, and after a truce how the players rank.

`scene` shows the same `Battle` card by card while it runs.
"""

from collections.abc import Callable, Iterator

from quintain.engine import Line
from quintain.games.rune_war import points
from quintain.games.rune_war import state as st
from quintain.games.rune_war import turns as t
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import RANK_NAMES, RUNE_NAMES, SUIT_NAMES, and_list

SIDES = (st.ATTACKER, st.DEFENDER)
COURT_NAMES = RANK_NAMES[st.HIGHEST_NUMBER :]
ADDING = {st.STRENGTH: "Added by Strength", st.WORLD: "Added by The World for each suit with a number card"}
"""The runes that add points to their side, with the words for it."""
ORDINALS = ("first", "second", "third", "fourth")


def account(book: Book, s: State) -> list[Line]:
    """Return how the current or the last battle is counted; after a truce, how the players rank."""
    left = sum(s.out[seat] == 0 for seat in range(book.seats))
    if s.over and left > 1 and t.war_is_over(book, s):
        return _of_truce(book, s)
    return list(Battle(book, s).lines()) if s.attacker != st.NONE else []


def _courts_of(courts: int, suit: int) -> str:
    """Return the names of a suit's courts, such as ``Queen and King of Cups``; empty for none."""
    held = [name for court, name in enumerate(COURT_NAMES) if courts >> st.COURTS * suit + court & 1]
    return f"{and_list(held)} of {SUIT_NAMES[suit]}" if held else ""


def _of_truce(book: Book, s: State) -> list[Line]:
    def line(words: str, value: Callable[[int], int]) -> Line:
        return Line(words, tuple(value(seat) for seat in range(book.seats)), "RW-15")

    return [
        line("Cards left in defence", lambda seat: s.defence_size[seat]),
        line("Opposing cards destroyed", lambda seat: s.destroyed[seat]),
        line(
            "War score: 1 for each card left, 2 for each destroyed, up to the number of cards left",
            lambda seat: t.score(s, seat),
        ),
        line("If tied: points of the whole defence", lambda seat: points.defence_points(s, seat)),
    ]


class Battle:
    """The count of a battle. All of its cards lie face up, so it is the same for every viewer."""

    def __init__(self, book: Book, s: State):
        self.book, self.s = book, s
        self.tally = {side: points.tally_of_side(s, side) for side in SIDES}
        self.rune = {side: points.rune_in_effect(s, side) for side in SIDES}
        self.totals = {side: points.side_points(s, side) for side in SIDES}

    def seat(self, side: int) -> int:
        """Return the seat of a side."""
        return self.s.attacker if side == st.ATTACKER else self.s.defender

    def numbers(self, side: int) -> int:
        """Return the sum of a side's number cards before any rune works."""
        return self.tally[side][2]

    def lines(self) -> Iterator[Line]:
        """Yield the lines of the account in the order of RW-22."""
        s = self.s
        if st.FOOL in s.rune and st.NONE not in s.rune:
            undone = next(rune for rune in s.rune if rune != st.FOOL)
            yield Line(f"The Fool undoes {RUNE_NAMES[undone]}", (), "RW-22")
        yield self._line("Number cards", "RW-16", {side: self.numbers(side) for side in SIDES})
        yield from self._on_numbers()
        for suit in range(st.SUITS):
            yield from self._courts(suit)
        yield from self._additions()
        yield self._line("Total" if s.counted else "Total so far", "RW-10", self.totals)
        if s.counted:
            yield self.result()

    def courts(self, side: int, suit: int) -> tuple[str, int, str]:
        """Return the words for a side's courts of a suit, their points and the clause; empty words for no courts.

        The first of two joined suits has the courts of both.
        """
        suits, pair = self._one_with(side, suit), points.joined_on(self.s, side)
        words = " and ".join(filter(None, (_courts_of(self.tally[side][1], one) for one in suits)))
        if not words or suit != suits[0]:
            return "", 0, ""
        count, why, clause = self._standing(side, suit)
        worth = points.court_points_of_suit(self.tally[side][1], suit, pair) if count else 0
        return f"{words}, {why}" if why else words, worth, clause

    def _one_with(self, side: int, suit: int) -> tuple[int, ...]:
        """Return a suit and, if The Lovers join it to another on this side, that suit as well. RW-21."""
        pair = points.joined_on(self.s, side)
        return st.PAIRS[pair] if pair != st.NONE and suit in st.PAIRS[pair] else (suit,)

    def _standing(self, side: int, suit: int) -> tuple[bool, str, str]:
        """Return whether a side's courts of a suit count, the reason if it is not the usual one, and the clause."""
        if st.TEMPERANCE in self.rune.values():
            return False, "struck by Temperance", "RW-22"
        if self.rune[side] == st.EMPEROR:
            return True, "by The Emperor", "RW-18"
        if not points.suit_counts(self.tally[side][0], suit, points.joined_on(self.s, side)):
            return False, "without a number card", "RW-17"
        return True, "joined" if len(self._one_with(side, suit)) > 1 else "", "RW-18"

    def cards(self, side: int) -> list[int]:
        """Return the cards of a side."""
        return [card for card in range(st.CARDS) if self.s.side[card] == side]

    def worth(self, side: int, card: int) -> tuple[int, tuple[Line, ...]]:
        """Return the points of a card, and the reason if they are not its number. RW-16, RW-17, RW-18, RW-19, RW-22."""
        if card >= st.FIRST_RUNE:
            return 0, (Line("a rune counts nothing here", (), "RW-19"),)
        if not st.number_of(card):
            return self._court_worth(side, card)
        numbers = sorted(filter(st.number_of, self.cards(side)), key=st.number_of, reverse=True)
        if self.rune[st.ATTACKER + st.DEFENDER - side] == st.JUSTICE and card == numbers.pop(0):
            return 0, (Line("struck by Justice", (), "RW-21"),)
        if self.rune[side] == st.MAGICIAN and card == numbers[0]:
            return 2 * st.number_of(card), (Line("doubled by The Magician", (), "RW-21"),)
        return st.number_of(card), ()

    def _court_worth(self, side: int, card: int) -> tuple[int, tuple[Line, ...]]:
        """Return the points of a court and its place in its run; the first suit's equal court has the longer run."""
        suit, court = st.suit_of(card), card % st.RANKS - st.HIGHEST_NUMBER
        count, why, clause = self._standing(side, suit)
        if not count:
            return 0, (Line(why, (), clause),)
        suits = self._one_with(side, suit)
        held = [self.tally[side][1] >> st.COURTS * one & points.COURT_BITS for one in suits]
        equal = suit != suits[0] and held[0] >> court & 1
        present = held[0] & held[-1] if equal else held[0] | held[-1]
        place = 0
        while court > place and present >> court - place - 1 & 1:
            place += 1
        words = ", ".join(filter(None, (f"{ORDINALS[place]} of its run", why)))
        return 10 * (place + 1), (Line(words, (), clause),)

    def rune_points(self, side: int) -> int:
        """Return the points that a side's own rune adds. RW-21, RW-22."""
        if self.rune[side] == st.STRENGTH:
            return points.STRENGTH_POINTS
        return points.WORLD_POINTS * self.tally[side][0].bit_count() if self.rune[side] == st.WORLD else 0

    def result(self) -> Line:
        """Return the line that names the winner as the battle stands, with the reason if it is not the usual one."""
        ours, theirs = self.totals[st.ATTACKER], self.totals[st.DEFENDER]
        hanged = points.is_hanged(self.s)
        won = points.attacker_wins(ours, theirs, hanged)
        words = f"seat {self.seat(st.ATTACKER if won else st.DEFENDER)} wins"
        if ours == theirs:
            return Line(f"{words}: on a tie the defender holds", (), "RW-10")
        if hanged:
            lower = won == (ours < theirs)
            least = "the lower total" if lower else "the higher total, at least double,"
            return Line(f"{words}: with The Hanged Man {least} wins", (), "RW-21")
        return Line(words, (), "RW-10")

    def _line(self, words: str, clause: str, values: dict[int, int]) -> Line:
        by_seat = [0] * self.book.seats
        for side, value in values.items():
            by_seat[self.seat(side)] = value
        return Line(words, tuple(by_seat), clause)

    def _on_numbers(self) -> Iterator[Line]:
        for side, other in (SIDES, SIDES[::-1]):
            _, _, _, highest, second = self.tally[side]
            if self.rune[other] == st.JUSTICE:
                yield self._line("The highest number, struck by Justice", "RW-21", {side: -highest})
                highest = second
            if self.rune[side] == st.MAGICIAN:
                yield self._line("The highest number again, by The Magician", "RW-21", {side: highest})

    def _courts(self, suit: int) -> Iterator[Line]:
        for side in SIDES:
            words, worth, clause = self.courts(side, suit)
            if words:
                yield self._line(f"seat {self.seat(side)}: {words}", clause, {side: worth})

    def _additions(self) -> Iterator[Line]:
        for side in SIDES:
            if self.rune[side] in ADDING:
                yield self._line(ADDING[self.rune[side]], "RW-21", {side: self.rune_points(side)})
