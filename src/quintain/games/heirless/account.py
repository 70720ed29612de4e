"""Heirless battles: explains line by line how a battle was counted, and at the end who has won the campaign.

`scene.py` uses some of these words at the table.
"""

import itertools
from collections.abc import Iterator
from copy import copy

from quintain.engine import Line
from quintain.games.heirless import battle as b
from quintain.games.heirless import state as st
from quintain.games.heirless import wounds as w
from quintain.games.heirless.battlecards import owner_of, set_of
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import VALUE_NAMES, and_list, knight_name, side_name, signed, tile_name, units_of


def account(book: Book, s: State) -> list[Line]:
    """Return the lines of the last battle whose cards are open, after the final result once the campaign is over."""
    lines = list(_of_campaign(book, s)) if s.over and s.season == book.seasons - 1 and s.phase == st.CLEANUP else []
    return lines + (list(_Battle(book, _when_revealed(s)).lines()) if s.revealed_tile != st.NONE else [])


def is_revealed(s: State) -> bool:
    """Return whether the cards of the battle that runs, or of the last one, are open."""
    return s.tile != st.NONE and s.phase != st.PLACE


def _when_revealed(s: State) -> State:
    """Return a copy of the state with the sides, cards and player order of the last reveal put back."""
    last = copy(s)
    last.tile, last.sides = s.revealed_tile, s.revealed_sides
    last.lineup, last.force = s.revealed_lineup, s.revealed_force
    last.attack, last.defence = s.revealed_attack, s.revealed_defence
    last.place = list(s.place)
    for place, side in enumerate(last.lineup[: last.sides]):
        last.place[side] = place
    return last


def change_of(book: Book, s: State, side: int, value: int) -> int:
    """Return by how much the cards in use change a battle value of a side. HB-5."""
    which = set_of(side)
    if value in st.ATTACK_SIDE:
        return book.attack[which][s.attack[side]][st.ATTACK_SIDE.index(value)]
    if value in st.DEFENCE_SIDE:
        return book.defence[which][s.defence[side]][st.DEFENCE_SIDE.index(value)]
    return 0


def card_of(book: Book, side: int, card: int) -> str:
    """Return the name of a card in the set of a side."""
    return book.card_name[set_of(side)][card]


def _of_campaign(book: Book, s: State) -> Iterator[Line]:
    seats = range(book.seats)
    yield Line("Resources", tuple(s.resources[seat] for seat in seats), "HB-25")
    if book.bandits:
        yield Line("If tied: improvement steps", tuple(s.gained[seat] for seat in seats), "HB-25")


class _Battle:
    """The account of a battle whose cards are open."""

    def __init__(self, book: Book, s: State):
        self.book, self.s = book, s
        self.sides = s.lineup[: s.sides]
        self.taken = {(side, knight): self.of_cards(side) for side in self.sides for knight in range(s.force[side])}

    def of_cards(self, side: int) -> int:
        """Return the Wounds that the defence card of a side puts on each of its own Knights."""
        return min(self.s.value[side][st.WOUND], self.s.value[side][st.HEALTH])

    def lines(self) -> Iterator[Line]:
        """Yield the lines in the order of the battle."""
        s = self.s
        yield Line(f"The battle at {tile_name(s.tile)}", (), "HB-4")
        for side in self.sides:
            yield self._values(side)
        for side in self.sides:
            if self.of_cards(side):
                card, each = card_of(self.book, side, s.defence[side]), self.of_cards(side)
                number = "1 Wound" if each == 1 else f"{each} Wounds"
                whom = "Bandit" if side == st.BANDITS else f"Knight of {side_name(side)}"
                yield Line(f"{card} puts {number} on each {whom}", (), "HB-9")
        for side in self.sides:
            if s.ally[side] > side:
                yield Line(f"{side_name(side)} and {side_name(s.ally[side])} are allies", (), "HB-11")
        turns = [f"{side_name(side)} at Delay {s.value[side][st.DELAY]}" for side in s.turns[: s.sides]]
        yield Line(f"Order of turns: {', '.join(turns)}", (), "HB-12")
        for attacker, defender, knight in itertools.product(s.turns[: s.turn], self.sides, range(st.MOST_KNIGHTS)):
            if knights := s.struck[attacker][defender][knight]:
                yield Line(self._blow(attacker, defender, knight, knights), (), "HB-14")
        if s.victor != st.NONE:
            yield from self._points()

    def _values(self, side: int) -> Line:
        attack, defence = (card_of(self.book, side, card) for card in (self.s.attack[side], self.s.defence[side]))
        values = ", ".join(value_words(self.book, self.s, side, value) for value in range(st.TRACKS))
        return Line(f"Values of {side_name(side)}, by {attack} and {defence}: {values}", (), "HB-8")

    def _blow(self, attacker: int, defender: int, knight: int, number: int) -> str:
        """Explain step by step how many Wounds a target takes."""
        health, before = self.s.value[defender][st.HEALTH], self.taken[defender, knight]
        after = min(before + w.wounds_dealt(self.s, attacker, defender, number), health)
        self.taken[defender, knight] = after
        steps = blow_steps(self.s, attacker, defender, number)
        steps.append(f"Wounds {before} before, {after} now, of Health {health}")
        return f"{units_of(attacker, number)} on {knight_name(defender, knight)}: {'; '.join(steps)}"

    def _points(self) -> Iterator[Line]:
        s = self.s
        for side in self.sides:
            health = s.value[side][st.HEALTH]
            left = [
                f"{w.points_of_knight(s, side, knight)} for Health {health - s.wounds[side][knight]} of {health}"
                for knight in range(s.force[side])
            ]
            by_seat = tuple(s.points[side] if seat == side else 0 for seat in range(self.book.seats))
            words = f"Points of {side_name(side)}: {'; '.join(left)}; {s.points[side]} in all"
            yield Line(words, () if side == st.BANDITS else by_seat, "HB-16")
        yield Line(f"Won {victory_words(s)}", (), "HB-17")


def blow_steps(s: State, attacker: int, defender: int, number: int) -> list[str]:
    """Explain step by step how many Wounds a number of Knights deal to one target. HB-14."""
    ours, theirs = s.value[attacker], s.value[defender]
    each, dealt = w.damage_after_defense(s, attacker, defender), w.wounds_dealt(s, attacker, defender, number)
    steps = [f"Damage {ours[st.DAMAGE]}", _dodge(s, attacker, defender)]
    steps.append(f"less Defense {theirs[st.DEFENSE]}: {each}")
    if number > 1:
        steps.append(f"times {number}: {each * number}")
    if w.is_too_slow(s, attacker, defender):
        steps.append(f"times 2, for Delay {theirs[st.DELAY]} is twice {ours[st.DELAY]} or more: {dealt}")
    return steps


def _dodge(s: State, attacker: int, defender: int) -> str:
    left, halved = w.damage_after_dodge(s, attacker, defender), w.is_dodged(s, attacker, defender)
    precision, dodge = s.value[attacker][st.PRECISION], s.value[defender][st.DODGE]
    if dodge == precision:
        how = f"Dodge and Precision are both {dodge}, and {side_name(defender if halved else attacker)} is ahead"
    else:
        how = f"Dodge {dodge} is {'above' if halved else 'below'} Precision {precision}"
    return f"{how}: {'halved to' if halved else 'still'} {left}"


def victory_words(s: State) -> str:
    """Say who wins a battle, such as ``by seat 0 with 8 points``, and over whom if player order decides."""
    points, tied = b.joint_points(s, s.victor), tied_with_victors(s)
    names = and_list([side_name(side) for side in victors(s)])
    how = f", ahead of {and_list([side_name(side) for side in tied])} in player order" if tied else ""
    return f"by {names} with {points} points{how}"


def victors(s: State) -> list[int]:
    """Return the sides that win a battle: the victor and its ally, if it has one. HB-16."""
    return [s.victor] if s.ally[s.victor] == st.NONE else sorted((s.victor, s.ally[s.victor]))


def tied_with_victors(s: State) -> list[int]:
    """Return the sides that lose a battle by player order alone. HB-17."""
    points, won = b.joint_points(s, s.victor), victors(s)
    return [side for side in s.lineup[: s.sides] if side not in won and b.joint_points(s, side) == points]


def value_words(book: Book, s: State, side: int, value: int) -> str:
    """Return a battle value with the change by the cards, such as ``Damage 11 (+3)``."""
    change = change_of(book, s, side, value)
    return f"{VALUE_NAMES[value]} {s.value[side][value]}" + (
        f" ({signed(change)}{bound_words(book, s, side, value)})" if change else ""
    )


def bound_words(book: Book, s: State, side: int, value: int) -> str:
    """Return a note if a card would bring a value below its least, such as ``, never below 0``; else nothing. HB-8."""
    least = st.LEAST_DELAY if value == st.DELAY else 0
    attribute = book.track[value][s.step[owner_of(s, side)][value]]
    return f", never below {least}" if attribute + change_of(book, s, side, value) < least else ""
