"""The reasons of Rune War: why an action is not legal now, with the clause that forbids it."""

from quintain.engine import Reason, acting
from quintain.games.rune_war import rules as r
from quintain.games.rune_war import shape
from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book, State
from quintain.games.rune_war.view import question
from quintain.games.rune_war.words import PLACE_NAMES, RUNE_NAMES, and_list, card_name

KINDS = (
    (st.JOIN, "join"),
    (st.ROW, "row"),
    (st.ON, "on"),
    (st.DISCARD, "discard"),
    (st.TAKE, "take"),
    (st.AIM_AT, "aim"),
    (st.ADD, "add"),
    (st.TURN_UP, "turn up"),
    (st.ATTACK, "attack"),
    (st.LAY, "lay"),
    (st.AT, "at"),
    (st.PLAY, "play"),
    (st.HOLD, "word"),
)
"""The kinds of actions, each with its first action, from the highest action down."""
ANSWERS = {
    st.BUILD: ("lay", "at"),
    st.TURN: ("lay", "attack", "play"),
    st.LAY_AT: ("at",),
    st.AIM: ("aim",),
    st.SUPPORT: ("turn up", "play"),
    st.RESPOND: ("add", "play"),
    st.FURTHER: ("aim",),
    st.JOIN_SUITS: ("join",),
    st.LOOK_AT: ("aim",),
    st.EXCHANGE_OF: ("at",),
    st.EXCHANGE_OR_NOT: (),
    st.TAKE_BACK: ("at",),
    st.DESTROY: ("aim",),
    st.ON_SEAT: ("on",),
    st.IN_ROW: ("row",),
    st.FROM_PILE: ("take",),
    st.RETURN: ("take",),
    st.GIVE_UP: ("discard",),
}
"""For each phase, the kinds of actions that may answer its question, apart from single words such as ``hold``."""


def why_not(book: Book, s: State, seat: int, action: int) -> Reason:
    """Return why an action is not legal for a seat now; `s` is the state as the seat sees it."""
    if s.over:
        return Reason("RW-15", "the war is over")
    if s.out[seat]:
        return Reason("RW-14", "you have no card left in defence and are out")
    if seat not in acting(r, book, s):
        return _why_not_asked(book, s, seat)
    start, kind = next((start, kind) for start, kind in KINDS if action >= start)
    if kind not in ANSWERS[s.phase] or (s.phase == st.BUILD and (kind == "at") == (s.chosen[seat] == st.NONE)):
        return _why_no_answer(s, seat, kind, action)
    return _Why(book, s, seat).reason(kind, action - start)


def _why_not_asked(book: Book, s: State, seat: int) -> Reason:
    if s.phase == st.BUILD:
        return Reason("RW-2", "your defence is finished; others are still building")
    actor = max(acting(r, book, s), default=st.NONE)
    return Reason("RW-9" if s.phase in (st.SUPPORT, st.RESPOND) else "RW-5", f"seat {actor} is to act")


def _why_no_answer(s: State, seat: int, kind: str, action: int) -> Reason:
    """Return why no action of this kind answers the question of this phase."""
    if s.phase == st.TURN and kind in ("at", "aim"):
        return Reason("RW-5", "choose a card of your hand first, then where it goes")
    if kind == "add" and s.phase == st.SUPPORT:
        return Reason("RW-9", "only the attacker may add cards; you may turn up neighbours")
    if kind == "add" and s.phase in (st.TURN, st.FURTHER):
        return Reason("RW-9", "you may add cards only in a battle, for supporting cards")
    if kind == "play" and s.phase == st.FURTHER:
        return Reason("RW-20", "in a further attack the attacker may play no rune")
    if s.phase == st.BUILD and action == st.DONE and s.chosen[seat] == st.NONE:
        return Reason("RW-2", "a defence has at least one card, its root")
    return Reason(_clause(s), f"you are asked: {question(s, seat).words}")


def _clause(s: State) -> str:
    if s.phase == st.BUILD:
        return "RW-2"
    if s.phase in (st.TURN, st.LAY_AT):
        return "RW-5"
    battle = {st.AIM: "RW-8", st.SUPPORT: "RW-9", st.RESPOND: "RW-9", st.FURTHER: "RW-12"}
    return battle.get(s.phase, "RW-21")


class _Why:
    """The reasons against actions of a kind that fits the phase; each method is for one kind."""

    def __init__(self, book: Book, s: State, seat: int):
        self.book, self.s, self.seat = book, s, seat

    def reason(self, kind: str, which: int) -> Reason:
        """Return why the action of this kind with this number is not legal."""
        if kind == "aim":
            return self._aim(which // st.PLACES, which % st.PLACES)
        if kind == "at":
            return self._at(which)
        if kind == "turn up":
            return self._turn_up(which)
        if kind == "play":
            return self._play(which)
        if kind == "take":
            return self._take(which)
        if kind == "on":
            return self._on(which)
        if kind == "row":
            return self._row(which)
        return self._card(kind, which)

    def _card(self, kind: str, card: int) -> Reason:
        s = self.s
        if not st.is_at(s, card, st.HAND + self.seat):
            return Reason("RW-5", f"{card_name(card)} is not in your hand")
        if kind == "add":
            return Reason("RW-9", "you may add only as many cards as were turned up in support")
        return Reason("RW-21", f"you have just taken {card_name(card)} from the discard pile; discard another card")

    def _at(self, place: int) -> Reason:
        s, seat, where = self.s, self.seat, PLACE_NAMES[place]
        taken = shape.is_taken(s, seat, place)
        if s.phase in (st.BUILD, st.LAY_AT):
            if taken:
                return Reason("RW-3", f"there is already a card at {where}")
            return Reason("RW-3", f"{where} overlaps {_named(_missing(s, seat, place))}, where there is no card")
        if not taken:
            return Reason("RW-21", f"you have no card at {where}")
        if s.phase == st.TAKE_BACK:
            return Reason("RW-4", f"{where} is covered by {_named(_covering(s, seat, place))}")
        return Reason("RW-21", f"you have already named {where}")

    def _turn_up(self, place: int) -> Reason:
        s, where = self.s, PLACE_NAMES[place]
        if not shape.is_taken(s, self.seat, place):
            return Reason("RW-9", f"you have no card at {where}")
        if st.ROW_OF[place] == s.row and s.left <= st.column_of(place) <= s.right:
            return Reason("RW-9", f"{where} is already turned up")
        return Reason("RW-9", f"{where} is not beside a card that is turned up in this battle")

    def _aim(self, other: int, place: int) -> Reason:
        s, where = self.s, f"{PLACE_NAMES[place]} of seat {other}'s defence"
        if other == self.seat:
            return Reason("RW-8", "that is your own defence")
        if other >= self.book.seats:
            return Reason("RW-8", f"there is no seat {other}")
        if s.phase == st.FURTHER and other != s.defender:
            return Reason("RW-12", f"a further attack must be against the same opponent, seat {s.defender}")
        if s.phase == st.LOOK_AT and s.names and other != s.target:
            return Reason("RW-21", f"all cards that you look at must be of one opponent, seat {s.target}")
        if not shape.is_taken(s, other, place):
            return Reason("RW-8", f"there is no card at {where}")
        if s.phase == st.LOOK_AT:
            return Reason("RW-21", f"you have already named {where}")
        if s.phase == st.DESTROY and s.defence_size[other] == 1:
            return Reason("RW-21", f"it is the last card of seat {other}'s defence")
        if covering := _covering(s, other, place):
            return Reason("RW-4", f"{where} is covered by {_named(covering)}")
        return Reason("RW-12", f"{where} was not exposed when the turn began")

    def _play(self, rune: int) -> Reason:
        s, seat = self.s, self.seat
        if not st.is_at(s, st.FIRST_RUNE + rune, st.HAND + seat):
            return Reason("RW-20", f"{RUNE_NAMES[rune]} is not in your hand")
        if s.phase == st.TURN:
            if st.OF_BATTLE[rune]:
                return Reason("RW-20", f"{RUNE_NAMES[rune]} is a rune of the battle, and no battle is running")
            return Reason("RW-20", f"{RUNE_NAMES[rune]} has nothing to work on: {NOTHING[rune]}")
        if not st.OF_BATTLE[rune]:
            return Reason("RW-20", f"{RUNE_NAMES[rune]} is a rune of the field, which takes the action of a turn")
        side = st.ATTACKER if seat == s.attacker else st.DEFENDER
        if s.further and side == st.ATTACKER:
            return Reason("RW-20", "in a further attack the attacker may play no rune")
        if s.rune[side - st.ATTACKER] != st.NONE:
            return Reason("RW-20", "your side has already played a rune in this battle")
        return Reason("RW-21", f"{RUNE_NAMES[rune]} is for the attacker only")

    def _take(self, card: int) -> Reason:
        if not st.is_at(self.s, card, st.PILE):
            return Reason("RW-21", f"{card_name(card)} is not in the discard pile")
        return Reason("RW-21", f"{card_name(card)} is not a number card")

    def _on(self, other: int) -> Reason:
        if other == self.seat:
            return Reason("RW-21", "this rune works on an opponent")
        if other >= self.book.seats:
            return Reason("RW-21", f"there is no seat {other}")
        if self.s.out[other]:
            return Reason("RW-14", f"seat {other} is out")
        return Reason("RW-20", f"seat {other} has no card in hand")

    def _row(self, row: int) -> Reason:
        own = self.s.field_rune == st.MOON
        least = "two cards of yours" if own else f"card of seat {self.s.target}"
        return Reason("RW-21", f"there {'are' if own else 'is'} no {least} in row {row + 1}")


NOTHING = {
    st.EMPRESS: "the deck and the discard pile are empty",
    st.HIEROPHANT: "there is only one card in your defence",
    st.HERMIT: "your last card must stay",
    st.WHEEL: "there is no other card in your hand",
    st.DEATH: "every opponent has only one card left",
    st.DEVIL: "no opponent has a card in hand",
    st.STAR: "the discard pile is empty",
    st.MOON: "no row of your defence has two cards",
    st.SUN: "no opponent has a card in hand",
    st.JUDGEMENT: "it needs a number card in the discard pile and another card in your hand",
}
"""For each rune of the field that may have nothing to work on, what it lacks."""


def _missing(s: State, seat: int, place: int) -> list[int]:
    """Return the empty places that a place overlaps."""
    row, column = st.ROW_OF[place], st.column_of(place)
    below = [st.place_of(row - 1, under) for under in (column - 1, column) if 0 <= under < row]
    return [under for under in below if not shape.is_taken(s, seat, under)]


def _covering(s: State, seat: int, place: int) -> list[int]:
    """Return the places of the cards that overlap a place."""
    row, column = st.ROW_OF[place] + 1, st.column_of(place)
    above = [st.place_of(row, column), st.place_of(row, column + 1)] if row < st.ROWS else []
    return [over for over in above if shape.is_taken(s, seat, over)]


def _named(places: list[int]) -> str:
    return and_list([PLACE_NAMES[place] for place in places])
