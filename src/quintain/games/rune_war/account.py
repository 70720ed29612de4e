"""Rune War: how a battle and the whole war are counted, line by line."""

from collections.abc import Callable, Iterator

from quintain.engine.views import Line
from quintain.games.rune_war import points
from quintain.games.rune_war import state as st
from quintain.games.rune_war import turns as t
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.words import RANK_NAMES, RUNE_NAMES, SUIT_NAMES, one_of

SIDES = (st.ATTACKER, st.DEFENDER)
COURT_NAMES = RANK_NAMES[st.HIGHEST_NUMBER :]


def account(book: Book, s: State) -> list[Line]:
    """Say how the running or the last battle counts; after a truce, how the players rank."""
    left = sum(s.out[seat] == 0 for seat in range(book.seats))
    if s.over and left > 1 and t.war_is_over(book, s):
        return _of_truce(book, s)
    return list(Battle(book, s).lines()) if s.attacker != st.NONE else []


def _courts_of(courts: int, suit: int) -> str:
    """Return the courts of a suit in words; empty for none."""
    held = [name for court, name in enumerate(COURT_NAMES) if courts >> st.COURTS * suit + court & 1]
    return f"{one_of(held)} of {SUIT_NAMES[suit]}" if held else ""


def _of_truce(book: Book, s: State) -> list[Line]:
    def line(words: str, value: Callable[[int], int]) -> Line:
        return Line(words, tuple(value(seat) for seat in range(book.seats)), "RW-15")

    return [
        line("Cards left in defence", lambda seat: s.defence_size[seat]),
        line("Opposing cards destroyed", lambda seat: s.destroyed[seat]),
        line("Own cards, and twice those destroyed (no more of them than own cards)", lambda seat: t.score(s, seat)),
        line("If tied: points of the defence", lambda seat: points.defence_points(s, seat)),
    ]


class Battle:
    """A battle whose two sides are reckoned openly: all of its cards lie face up."""

    def __init__(self, book: Book, s: State):
        self.book, self.s = book, s
        self.tally = {side: points.tally_of_side(s, side) for side in SIDES}
        self.rune = {side: points.rune_in_effect(s, side) for side in SIDES}
        self.totals = {side: points.side_points(s, side) for side in SIDES}

    def seat(self, side: int) -> int:
        """Return the seat of a side."""
        return self.s.attacker if side == st.ATTACKER else self.s.defender

    def numbers(self, side: int) -> int:
        """Return what the number cards of a side come to before any rune."""
        return self.tally[side][2]

    def lines(self) -> Iterator[Line]:
        """Yield the lines in the order of counting."""
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
            yield self._result()

    def courts(self, side: int, suit: int) -> tuple[str, int, str]:
        """Return a side's courts of a suit and why they count or not, their points, and the clause; empty for none.

        Joined suits are one: the first of them has the courts of both.
        """
        suits, courts, _, _, _ = self.tally[side]
        pair = points.joined_on(self.s, side)
        joined = pair != st.NONE and suit in st.PAIRS[pair]
        if joined and suit == st.PAIRS[pair][1]:
            return "", 0, ""
        words = " and ".join(filter(None, (_courts_of(courts, one) for one in (st.PAIRS[pair] if joined else (suit,)))))
        if not words:
            return "", 0, ""
        if st.TEMPERANCE in self.rune.values():
            return f"{words}, struck by Temperance", 0, "RW-22"
        worth = points.court_points_of_suit(courts, suit, pair)
        if self.rune[side] == st.EMPEROR:
            return f"{words}, by The Emperor", worth, "RW-18"
        if not points.suit_counts(suits, suit, pair):
            return f"{words}, without a number card", 0, "RW-17"
        return words + (", joined" if joined else ""), worth, "RW-18"

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
            if self.rune[side] == st.STRENGTH:
                yield self._line("By Strength", "RW-21", {side: points.STRENGTH_POINTS})
            if self.rune[side] == st.WORLD:
                suits = self.tally[side][0].bit_count()
                yield self._line("For each suit, by The World", "RW-21", {side: points.WORLD_POINTS * suits})

    def _result(self) -> Line:
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
