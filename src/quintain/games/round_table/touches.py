"""Round Table: which pieces a touch leads from one to the other, so that two touches are enough for a move.

A card and its Knight, and a Knight and its Region, are two decisions of the rules: a touch of the second piece answers
both. `view` writes these pairs into its pieces, and why a piece cannot be used now in two or three words.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from quintain.engine import FREE, Piece, Reach, Zone, legal_mask
from quintain.games.round_table import rules as r
from quintain.games.round_table import scene, spring, summer
from quintain.games.round_table import state as st
from quintain.games.round_table.effects import cost
from quintain.games.round_table.play_area import first_put, is_copy
from quintain.games.round_table.state import Book, State
from quintain.games.round_table.words import DEMESNES, region_name, unit_name

LASTING = (st.EQUIPMENT, st.TITLE)
IN_SPRING = (st.DEMESNE, st.KNIGHT, *LASTING)


class Pair(NamedTuple):
    """Two pieces by id, and the action that concerns both; `then` answers the next question, NONE if there is none.

    `label` is what the button says if the first piece is chosen.
    """

    first: str
    second: str
    action: int
    then: int = st.NONE
    label: str = ""

    def reach(self, other: str) -> Reach:
        """Return what a piece says that leads to the other."""
        then = None if self.then == st.NONE else self.then
        return Reach(self.action, other, then, label=self.label if other == self.second else "")


def place_for_unpaired(seat: int) -> Piece:
    """Return the free place where a seat lays Equipment or a Title that no Knight is to bear."""
    return Piece(f"unpaired.{seat}.free", name="Unpaired", seat=seat, state=frozenset({FREE}))


def linked(book: Book, s: State, seat: int, zones: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """Return the zones of a seat that may act, with the pairs of its moves in their pieces.

    Only pieces that have no move keep the words that say when they can be used.
    """
    legal = legal_mask(r, book, s, seat)
    reaches: dict[str, dict[Reach, None]] = {}
    for pair in _pairs(book, s, seat, legal):
        reaches.setdefault(pair.first, {})[pair.reach(pair.second)] = None
        reaches.setdefault(pair.second, {})[pair.reach(pair.first)] = None

    def reaching(piece: Piece) -> Piece:
        found, on_it = reaches.get(piece.id), tuple(map(reaching, piece.on_it))
        if found:
            return replace(piece, means=(), reaches=tuple(found), on_it=on_it, not_now="")
        is_now = any(legal[action] for action in piece.means)
        return replace(piece, on_it=on_it, not_now="" if is_now else piece.not_now)

    free = place_for_unpaired(seat)
    more = {f"unpaired.{seat}": (free,)} if free.id in reaches else {}
    return tuple(replace(zone, pieces=tuple(map(reaching, (*zone.pieces, *more.get(zone.id, ()))))) for zone in zones)


def _pairs(book: Book, s: State, seat: int, legal: list[int]) -> Iterator[Pair]:
    """Yield the pairs of the moves that a seat has now. RT-12, RT-16, RT-18, RT-19."""
    if s.owed_draws[seat] + s.owed_discards[seat] > 0:
        return
    if s.phase in (st.RECRUIT, st.CAMPAIGN):
        for line in range(book.main_lines[seat]):
            if legal[st.CARD + line]:
                yield from _pairs_of_card(book, s, seat, line)
        for slot in range(s.top[seat]):
            if legal[_unit(seat, slot)]:
                yield from _pairs_of_unit(book, s, seat, slot)
    elif s.phase == st.ATTACH:
        yield from _answers(book, s, legal, scene.taken_up(s, seat), f"unpaired.{seat}.free")
    elif s.phase == st.CHOOSE_KNIGHT:
        yield from _answers(book, s, legal, scene.taken_up(s, seat))
    elif s.phase in (st.CHOOSE_REGION, st.CHOOSE_TASK):
        yield from _answers(book, s, legal, f"unit.{s.on_seat}.{s.on}")


def _answers(book: Book, s: State, legal: list[int], chosen: str, free: str = "") -> Iterator[Pair]:
    """Yield the pairs of the piece that was chosen before, and each place where it can go."""
    for place in range(st.OPEN_REGIONS):
        if legal[st.REGION + place]:
            yield Pair(chosen, f"region.{place}", st.REGION + place)
    for owner in range(book.seats):
        for slot in range(s.top[owner]):
            if legal[_unit(owner, slot)]:
                yield Pair(chosen, f"unit.{owner}.{slot}", _unit(owner, slot))
    if free and legal[st.UNPAIRED]:
        yield Pair(chosen, free, st.UNPAIRED)


def _pairs_of_card(book: Book, s: State, seat: int, line: int) -> Iterator[Pair]:
    """Yield the pairs of each copy of a card in the hand with the Knights that it may be played on."""
    before, kind = sum(s.hand[seat][:line]), book.card[seat][line].kind
    copies = [f"hand.{seat}.{before + copy}" for copy in range(s.hand[seat][line])]
    if kind in LASTING:
        targets = [(seat, slot) for slot in _bearers(book, s, seat, line, st.NONE)]
    elif kind in (st.QUEST, st.REDIRECT):
        targets = [
            (owner, slot)
            for owner in range(book.seats)
            for slot in range(s.top[owner])
            if summer.may_be_played_on(book, s, seat, line, owner, slot)
        ]
    else:
        return
    for copy in copies:
        for owner, slot in targets:
            on = f"Play on {unit_name(book, s, owner, slot, seat)}"
            yield Pair(copy, f"unit.{owner}.{slot}", st.CARD + line, _unit(owner, slot), on)
        if kind in LASTING:
            yield Pair(copy, f"unpaired.{seat}.free", st.CARD + line, st.UNPAIRED, "Play unpaired")


def _pairs_of_unit(book: Book, s: State, seat: int, slot: int) -> Iterator[Pair]:
    """Yield the pairs of a Knight with the Regions that it may attack, or of a card in play with its next Knights."""
    action, id_ = _unit(seat, slot), f"unit.{seat}.{slot}"
    if s.phase == st.CAMPAIGN:
        for place in range(st.OPEN_REGIONS):
            if s.open[place] != st.NONE and s.place[seat][slot] != place:
                to = f"Send to {region_name(book, s, s.open[place])}"
                yield Pair(id_, f"region.{place}", action, st.REGION + place, to)
        return
    bearer = s.bearer[seat][first_put(s, seat, slot)]
    for knight in _bearers(book, s, seat, s.line[seat][slot], bearer):
        onto = f"Move to {unit_name(book, s, seat, knight, seat)}"
        yield Pair(id_, f"unit.{seat}.{knight}", action, _unit(seat, knight), onto)
    if bearer != st.NONE:
        yield Pair(id_, f"unpaired.{seat}.free", action, st.UNPAIRED, "Leave unpaired")


def _bearers(book: Book, s: State, seat: int, line: int, bearer: int) -> list[int]:
    """Return the slots of the Knights that may bear a card, except its bearer. RT-13, RT-14."""
    return [
        knight
        for knight in range(s.top[seat])
        if knight != bearer and spring.takes(book, s, seat, line, knight) and not is_copy(book, s, seat, knight)
    ]


def _unit(owner: int, slot: int) -> int:
    return st.IN_PLAY + st.LINES * owner + slot


def card_not_now(book: Book, s: State, seat: int, line: int) -> str:
    """Return in two or three words when a card of the hand can be played that cannot be played now."""
    card = book.card[seat][line]
    is_summer = s.phase == st.CAMPAIGN
    if s.actions[seat] == st.SEASON_ACTIONS:
        return "no actions left"
    if (card.kind in IN_SPRING) == is_summer and not card.in_summer:
        return "in Spring" if is_summer else "in Summer"
    if card.kind == st.DEMESNE:
        is_missing = card.step > 0 and s.demesne[seat][card.step - 1] <= s.demesne[seat][card.step]
        return f"needs a {DEMESNES[card.step - 1]}" if is_missing else "next Spring"
    missing = cost(book, s, seat, line) + s.allocated[seat] - s.capacity[seat]
    if missing > 0 and not spring.is_affordable(book, s, seat, line):
        return f"{missing} RP short"
    if summer.is_barred(book, s, seat, line):
        return "next Summer"
    if s.step > (st.QUESTS if card.kind == st.QUEST else st.REDIRECTS):
        return "next turn"
    return "no Knight now"


def knight_not_now(s: State, seat: int, slot: int) -> str:
    """Return in two or three words why a Knight cannot be chosen now."""
    if s.quest[seat][slot] != st.NONE:
        return "on a Quest"
    if s.engaged[seat][slot]:
        return "engaged"
    return "next turn" if s.phase == st.CAMPAIGN and s.step > st.DECLARE else ""
