"""Heirless battles: shows the battle that runs, or the last one, and Battlecards as pieces.

`view.py` lays out the rest of the table and asks this file for the battle.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from functools import lru_cache

from quintain.engine import TOKEN, UNKNOWN, Line, Piece, Reach, Scene, Side, Stat, Zone, back, capital, token
from quintain.games.heirless import state as st
from quintain.games.heirless import texts
from quintain.games.heirless.account import (
    blow_steps,
    bound_words,
    card_of,
    change_of,
    is_revealed,
    tied_with_victors,
    victors,
)
from quintain.games.heirless.battle import has_twin_before, is_ahead, joint_points, may_ally, may_strike, nth_standing
from quintain.games.heirless.battlecards import owner_of, set_of
from quintain.games.heirless.season import pay_of
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import (
    TRACK_NAMES,
    VALUE_NAMES,
    and_list,
    key_of,
    knight_name,
    side_name,
    signed,
    tile_name,
    units_of,
    whose,
)
from quintain.games.heirless.wounds import points_of_knight, points_of_side, stands, wounds_dealt

ROLES = ("attack", "defend")
FACE_DOWN = {"attack": "card to attack, face down", "defend": "card to defend, face down"}
IN_BATTLE = (
    *(st.PLACE, st.PROPOSAL, st.ANSWER, st.STRIKE),
    *(st.REVEAL, st.ALLIANCES, st.NEXT_TURN, st.BLOWS, st.VICTORY),
)
"""The phases of a battle; in the later ones nobody is asked, but events are told."""


def is_running(s: State) -> bool:
    """Return whether a battle runs now."""
    return s.phase in IN_BATTLE and not s.over


class Battle:
    """The battle that runs, or the last one, as one viewer sees it."""

    def __init__(self, book: Book, s: State, viewer: int):
        self.book, self.s, self.viewer = book, s, viewer
        self.sides = s.lineup[: s.sides]
        self.is_open = is_revealed(s) and s.phase != st.REVEAL  # in REVEAL the values are not set yet
        self.title = f"{'Battle' if is_running(s) else 'The last battle'} at {tile_name(s.tile)}"

    def zones(self) -> Iterator[Zone]:
        """Yield a zone of all sides with their cards and values, then a zone of Knights for each side."""
        sides = tuple(self._side(side, row) for row, side in enumerate(self.sides))
        yield Zone("battle", "middle", None, "grid", sides, len(sides), self.title)
        for side in self.sides:
            units = "The Bandits" if side == st.BANDITS else f"{whose(side, self.viewer)} Knights"
            pieces = tuple(self._fighter(side, knight) for knight in range(self.s.force[side]))
            yield Zone(f"fighters.{side}", "middle", None, "fan", pieces, len(pieces), f"{units} in the battle")

    def scene(self) -> Scene:
        """Return the battle as the scene of the table; once its cards are open, with the points so far. HB-16.

        Of more than three sides those come first that matter most to the viewer: see `_nearest`.
        """
        counted = self._counted() if self.is_open else None
        lines = (Line(self._victory(counted), (), "HB-17"), *self._alliances(counted)) if counted else ()
        nearest = self._nearest()
        order = [
            *(side for side in self.sides if side in nearest),
            *(side for side in self.sides if side not in nearest),
        ]
        sides = tuple(self._side_of_scene(side, counted.points[side] if counted else None) for side in order)
        slots = self._slots() if self.s.phase == st.PLACE and self.viewer in self.sides else ()
        return Scene("battle", "stage", self.title, None, sides, slots, lines, (f"tile.{self.s.tile}",))

    def _nearest(self) -> list[int]:
        """Return three sides, for front ends that have room for no more.

        They are the viewer's, that of a player who proposes an alliance to the viewer, and those that act next.
        """
        s = self.s
        begun = max(s.turn - 1, 0) if s.phase == st.STRIKE else s.turn
        turns = s.turns[: s.sides] if self.is_open else self.sides
        coming = [*turns[begun:], *turns[:begun]] if self.is_open else turns
        proposer = s.proposer if s.phase == st.ANSWER and s.actor == self.viewer else st.NONE
        first = [side for wanted in (self.viewer, proposer) for side in turns if side == wanted]
        return [*first, *(side for side in coming if side not in first)][:3]

    def _alliances(self, counted: State) -> Iterator[Line]:
        """Yield what each alliance that the actor may form now would count and pay. HB-11, HB-16, HB-23."""
        s, pay = self.s, pay_of(self.s, 0, self.s.tile)
        possible = {st.PROPOSAL: self.sides, st.ANSWER: [s.proposer]}.get(s.phase, [])
        for other in possible:
            if may_ally(s, s.actor, other):
                both = self._viewer_first([s.actor, other])
                points = [counted.points[side] for side in both]
                names = capital(and_list(self._named(both)))
                who = "If you win together, each of you" if self.viewer in both else "If they win, each"
                sums = f"{points[0]} + {points[1]} = {sum(points)} points together"
                words = f"{names} would have {sums}. {who} earns {pay - st.ALLIES_LOSE} instead of {pay}."
                yield Line(words, (), "HB-11")

    def _victory(self, counted: State) -> str:
        """Say who would win now with how many points, and ahead of whom by the order of players. HB-17."""
        points = joint_points(counted, counted.victor)
        names = and_list(self._named(victors(counted)))
        tied = self._named(tied_with_victors(counted))
        how = f", ahead of {and_list(tied)} in player order" if tied else ""
        return f"If it ended now, {names} would win with {points} points{how}."

    def _viewer_first(self, sides: Iterable[int]) -> list[int]:
        return sorted(sides, key=lambda side: side != self.viewer)

    def _named(self, sides: Iterable[int]) -> list[str]:
        """Return the names of sides as the viewer calls them, the viewer's first."""
        return ["you" if side == self.viewer else side_name(side) for side in self._viewer_first(sides)]

    def _counted(self) -> State:
        """Return a copy of the state with points and a victor, as if the battle ended now. HB-16, HB-17."""
        counted = copy(self.s)
        counted.points = [points_of_side(counted, side) for side in range(st.SIDES)]
        counted.victor = self.sides[0]
        for side in self.sides:
            if is_ahead(counted, side, counted.victor):
                counted.victor = side
        return counted

    def _slots(self) -> tuple[str | None, ...]:
        """Return the two places for the viewer's cards: the id of the card, or None where none is placed yet."""
        cards = self.s.attack[self.viewer], self.s.defence[self.viewer]
        both = zip(ROLES, cards, strict=True)
        return tuple(None if card == st.NONE else f"{role}.{self.viewer}" for role, card in both)

    def _side_of_scene(self, side: int, points: int | None) -> Side:
        seat, name = _who(side)
        pieces = [piece.id for piece in self._placed(side)]
        pieces += [f"fighter.{side}.{knight}" for knight in range(self.s.force[side])]
        stats = (*self._values(side), *([self._turn(side)] if self.is_open else ()))
        return Side(seat, name, tuple(pieces), stats, points)

    def _side(self, side: int, row: int) -> Piece:
        """Show a side of the battle with its cards, its values and their changes, and its points."""
        s, (seat, name) = self.s, _who(side)
        may_be_asked = s.phase == st.PROPOSAL and side != self.viewer
        text = texts.BANDITS if side == st.BANDITS else texts.SIDE
        if may_be_asked and side != st.BANDITS:
            text = texts.PROPOSAL.format(less=st.ALLIES_LOSE)
        return Piece(
            f"side.{side}",
            "bandit" if side == st.BANDITS else "seat",
            name,
            kind="side of the battle",
            text=text,
            seat=seat,
            at=(row, 0),
            state=frozenset({TOKEN, *self._state(side)}),
            means=(st.PROPOSE + side,) if may_be_asked else (),
            on_it=(*self._placed(side), *self._numbers(side)),
            not_now=self._no_ally(side) if may_be_asked else "",
        )

    def _no_ally(self, side: int) -> str:
        """Say in short why a side cannot be asked for an alliance; nothing if it can. HB-11."""
        if may_ally(self.s, self.viewer, side):
            return ""
        return "never an ally" if side == st.BANDITS else "has an ally"

    def _state(self, side: int) -> Iterator[str]:
        s = self.s
        if not self.is_open:
            return
        if s.ally[side] != st.NONE:
            yield f"allied.{s.ally[side]}"
        if s.phase == st.STRIKE and not s.over and side == s.actor:
            yield "strikes"
        elif side in s.turns[: s.turn]:
            yield "acted"
        if s.victor != st.NONE and (side == s.victor or s.ally[s.victor] == side):
            yield "victor"

    def _placed(self, side: int) -> Iterator[Piece]:
        """Yield the cards that a side has placed, face down for other viewers until all are open. HB-6."""
        s = self.s
        waiting = s.phase == st.PLACE and (side == st.BANDITS or s.waiting >> side & 1)
        for role, placed in zip(ROLES, (s.attack[side], s.defence[side]), strict=True):
            if placed != UNKNOWN and placed != st.NONE:
                yield card(self.book, f"{role}.{side}", side, placed, roles=(role,))
            elif not waiting:
                yield back(f"{role}.{side}", name=FACE_DOWN[role])

    def _values(self, side: int) -> Iterator[Stat]:
        """Yield the battle values of a side; until the cards are open, its attributes with the cards seen. HB-8."""
        s, steps = self.s, self.s.step[owner_of(self.s, side)]
        for value, name in enumerate(TRACK_NAMES):
            attribute = self.book.track[value][steps[value]]
            number, printed = attribute, attribute
            if self.is_open:
                number = s.value[side][value]
                if not bound_words(self.book, s, side, value):
                    printed = number - change_of(self.book, s, side, value)
            elif self._is_seen(side, value):
                least = st.LEAST_DELAY if value == st.DELAY else 0
                number = max(attribute + change_of(self.book, s, side, value), least)
            yield Stat(key_of(name), number, printed if printed != number else None, name)

    def _is_seen(self, side: int, value: int) -> bool:
        """Return whether the viewer sees the card of a side that changes a value. HB-6."""
        card = (self.s.attack if value in st.ATTACK_SIDE else self.s.defence)[side]
        return self.is_open or (card != UNKNOWN and card != st.NONE)

    def _numbers(self, side: int) -> Iterator[Piece]:
        """Show the values of a side with their changes and, once the cards are open, its turn and its points."""
        for value, stat in enumerate(self._values(side)):
            now = self._changed(side, value) if self._is_seen(side, value) else ()
            yield token(f"{stat.key}.side.{side}", stat, text=texts.TRACKS[value], now=now)
        if self.is_open:
            yield token(f"turn.{side}", self._turn(side), text="by Delay")
        if self.is_open and self.s.victor != st.NONE:
            yield token(f"points.{side}", Stat("points", self.s.points[side], words="points"))

    def _changed(self, side: int, value: int) -> tuple[Line, ...]:
        """Say by how much a card has changed a value, and which card."""
        book, s = self.book, self.s
        change = change_of(book, s, side, value)
        if not change:
            return ()
        by = card_of(book, side, (s.attack if value in st.ATTACK_SIDE else s.defence)[side])
        return (Line(f"{signed(change)} by {by}{bound_words(book, s, side, value)}", (), "HB-8"),)

    def _turn(self, side: int) -> Stat:
        return Stat("turn", self.s.turns[: self.s.sides].index(side) + 1, words="turn")

    def _fighter(self, side: int, knight: int) -> Piece:
        """Show a Knight or Bandit with its number, the arms of its owner, the Health it has left, and its Wounds."""
        s, is_bandit, corner = self.s, side == st.BANDITS, str(knight + 1)
        kind, short = ("bandit", "Bandit") if is_bandit else ("seat", "Knight")
        down, health = self._is_down(side, knight), self._health(side)
        wounds = s.wounds[side][knight] if self.is_open else 0
        strikes, states = self._is_striker(side, knight), set(self._fighter_states(side, knight))
        action, named = st.TARGET + side * st.MOST_KNIGHTS + knight, self._may_be_named(side, knight)
        is_goal = named and self.viewer == s.actor and self._is_target(side, knight)
        return Piece(
            f"fighter.{side}.{knight}",
            f"fallen-{corner}" if down else f"{kind}-{corner}",
            f"Knight {corner}" if side == self.viewer else knight_name(side, knight),
            short=f"{short} {corner}",
            corner=corner,
            stats=(
                Stat("health", health - wounds, health if wounds else None, "Health"),
                *self._points(side, knight),
                *self._blows(side, knight),
            ),
            text=texts.STRIKER if strikes else texts.KNIGHT.format(health=health),
            now=self._reckoning(side, knight),
            seat=_who(side)[0],
            state=frozenset({TOKEN} | states),
            means=(action,) if named and not is_goal else (),
            reaches=(Reach(action, self._striker(), label=knight_name(side, knight)),)
            if is_goal
            else self._targets()
            if strikes
            else (),
            on_it=(self._wounds(side, knight),) if self.is_open else (),
            not_now="" if is_goal or not named else "struck down" if down else "your ally",
        )

    @staticmethod
    def _strike(side: int, knight: int, other: str) -> Reach:
        """Return the action to strike a Knight, with the `other` end; its button names only the target."""
        return Reach(st.TARGET + side * st.MOST_KNIGHTS + knight, other, label=knight_name(side, knight))

    def _striker(self) -> str:
        """Return the id of the Knight that is given a target now. HB-13."""
        return f"fighter.{self.s.actor}.{nth_standing(self.s, self.s.actor, self.s.sent)}"

    def _fighter_states(self, side: int, knight: int) -> Iterator[str]:
        s = self.s
        if self._is_down(side, knight):
            yield "fallen"
        elif self._is_striker(side, knight):
            yield "strikes"
        elif self._is_striking() and side == s.actor and sum(stands(s, side, k) for k in range(knight)) < s.sent:
            yield "sent"

    def _is_down(self, side: int, knight: int) -> bool:
        return self.is_open and not stands(self.s, side, knight)

    def _health(self, side: int) -> int:
        """Return the Health of a side's Knights: no card changes it. HB-5."""
        return (
            self.book.track[st.HEALTH][self.s.step[owner_of(self.s, side)][st.HEALTH]]
            if not self.is_open
            else (self.s.value[side][st.HEALTH])
        )

    def _points(self, side: int, knight: int) -> Iterator[Stat]:
        if self.is_open:
            yield Stat("points", points_of_knight(self.s, side, knight), words="points")

    def _is_striking(self) -> bool:
        return self.is_open and self.s.phase == st.STRIKE and not self.s.over

    def _is_striker(self, side: int, knight: int) -> bool:
        """Return whether a Knight is the one that the viewer is asked to give a target."""
        s = self.s
        asked = self._is_striking() and side == s.actor == self.viewer
        return asked and knight == nth_standing(s, side, s.sent)

    def _may_be_named(self, side: int, knight: int) -> bool:
        """Return whether touching a Knight means to strike it; of like Knights only the first is named. HB-13."""
        s = self.s
        is_twin = self.is_open and not self._is_down(side, knight) and has_twin_before(s, side, knight)
        return self.is_open and s.phase == st.STRIKE and side != self.viewer and not is_twin

    def _targets(self) -> tuple[Reach, ...]:
        """Return the action for each target that the viewer may name, with the id of the target. HB-13."""
        return tuple(
            Reach(
                st.TARGET + side * st.MOST_KNIGHTS + knight, f"fighter.{side}.{knight}", label=knight_name(side, knight)
            )
            for side in self.sides
            if side != self.viewer
            for knight in range(self.s.force[side])
            if self._may_be_named(side, knight) and self._is_target(side, knight)
        )

    def _is_target(self, side: int, knight: int) -> bool:
        """Return whether the Attacker of this turn may strike a Knight. HB-11, HB-13."""
        s = self.s
        return self._is_striking() and may_strike(s, s.actor, side) and not self._is_down(side, knight)

    def _blows(self, side: int, knight: int) -> Iterator[Stat]:
        """Yield what the Knights set on a Knight will do to it, and what one more would make of it. HB-14."""
        s = self.s
        if not self._is_target(side, knight):
            return
        set_, left = s.aim[side][knight], s.value[side][st.HEALTH] - s.wounds[side][knight]
        if set_:
            yield Stat("set", set_, words="Knights set on it")
            yield Stat("will", max(left - wounds_dealt(s, s.actor, side, set_), 0), words="Health left then")
        dealt = wounds_dealt(s, s.actor, side, set_ + 1)
        yield Stat("blow", dealt, words="Wounds with one more" if set_ else "Wounds by one Knight")
        yield Stat("after", max(left - dealt, 0), words="Health left after that")

    def _reckoning(self, side: int, knight: int) -> tuple[Line, ...]:
        """Explain what the next Knight would do to a target, with those set on it already. HB-14."""
        s = self.s
        if not self._is_target(side, knight):
            return ()
        steps = blow_steps(s, s.actor, side, s.aim[side][knight] + 1)
        return (Line("; ".join(steps), (), "HB-14"),)

    def _wounds(self, side: int, knight: int) -> Piece:
        """Show the Wounds of a Knight, and which sides have struck it."""
        s, strikers = self.s, self._strikers(side, knight)
        wounds, health = Stat("wounds", s.wounds[side][knight], words="Wounds"), s.value[side][st.HEALTH]
        struck = f", struck by {and_list(strikers)}" if strikers else ""
        return token(f"wounds.{side}.{knight}", wounds, text=f"falls at {health}{struck}")

    def _strikers(self, side: int, knight: int) -> list[str]:
        """Name the Knights that have struck a Knight in this battle, and those that target it in this turn."""
        s = self.s
        numbers = [(attacker, s.struck[attacker][side][knight]) for attacker in s.turns[: s.turn]]
        struck = [units_of(attacker, number) for attacker, number in numbers if number]
        if s.phase == st.STRIKE and not s.over and s.aim[side][knight]:
            struck.append(f"{units_of(s.actor, s.aim[side][knight])} now")
        return struck


def _who(side: int) -> tuple[int | None, str]:
    """Return the seat and the name of a side."""
    return (None, "The Bandits") if side == st.BANDITS else (side, f"seat {side}")


def card(
    book: Book,
    where: str,
    owner: int,
    number: int,
    seat: int | None = None,
    means: tuple[int, ...] = (),
    roles: tuple[str, ...] = (),
) -> Piece:
    """Show a card of an owner's set; `roles` are those in which the viewer may use it now. HB-5."""
    which = set_of(owner)
    changes = tuple(book.attack[which][number]), tuple(book.defence[which][number])
    return _card(where, book.card_name[which][number], changes, seat, means, roles)


@lru_cache(4096)
def _card(
    where: str,
    title: str,
    changes: tuple[tuple[int, ...], tuple[int, ...]],
    seat: int | None,
    means: tuple[int, ...],
    roles: tuple[str, ...],
) -> Piece:
    """Return a card with its changes, the asked role first. The cache saves making the same cards for each view."""
    sides = list(zip(ROLES, (st.ATTACK_SIDE, st.DEFENCE_SIDE), changes, strict=True))
    stats = [
        Stat(f"{role}.{key_of(VALUE_NAMES[value])}", change, None, VALUE_NAMES[value], True)
        for role, values, numbers in (sides[::-1] if roles == ROLES[1:] else sides)
        for value, change in zip(values, numbers, strict=True)
    ]
    text = ", or ".join(texts.IN_ROLE[role] for role in roles)
    key = f"card_{key_of(title)}"
    return Piece(where, key, title, kind=texts.CARD, stats=tuple(stats), text=text, seat=seat, means=means)
