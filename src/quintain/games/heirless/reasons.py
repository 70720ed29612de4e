"""Heirless battles: explains to a player why an action is not legal now, with the clause that forbids it."""

from quintain.engine import Reason, acting
from quintain.games.heirless import battle as b
from quintain.games.heirless import rules as r
from quintain.games.heirless import state as st
from quintain.games.heirless.battlecards import hand_to_place
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.view import question
from quintain.games.heirless.words import TRACK_NAMES, knight_name, tile_name
from quintain.games.heirless.wounds import stands

CLAUSES = {
    st.MUSTER: "HB-22",
    st.CHOOSE_BATTLE: "HB-3",
    st.PLACE: "HB-6",
    st.PROPOSAL: "HB-11",
    st.ANSWER: "HB-11",
    st.STRIKE: "HB-13",
    st.IMPROVE: "HB-23",
}
"""The clause that asks for a move in each phase."""
STARTS = (
    (st.RAISE, "raise"),
    (st.TARGET, "target"),
    (st.HOLD_BACK, "hold"),
    (st.ACCEPT, "answer"),
    (st.PROPOSE, "propose"),
    (st.DEFEND, "defend"),
    (st.ATTACK, "attack"),
    (st.FIGHT, "fight"),
    (st.SEND, "send"),
)
"""The first action of each kind, and the name of the kind; the last come first."""
ANSWERS = {
    st.MUSTER: ("send",),
    st.CHOOSE_BATTLE: ("fight",),
    st.PLACE: ("attack", "defend"),
    st.PROPOSAL: ("propose",),
    st.ANSWER: ("answer",),
    st.STRIKE: ("target", "hold"),
    st.IMPROVE: ("raise",),
}
"""The kinds of actions that a seat may choose from in each phase."""


def why_not(book: Book, s: State, seat: int, action: int) -> Reason:
    """Return the reason why an action is not legal for a seat now. The state is blinded for that seat."""
    start, kind = next((start, kind) for start, kind in STARTS if action >= start)
    never = _never(book, s, seat, kind, action - start)
    if never:
        return never
    if s.over:
        return Reason("HB-25", "the campaign is over")
    if seat not in acting(r, book, s):
        return _not_asked(book, s, seat)
    if kind == "propose" and s.phase in (st.PLACE, st.STRIKE) and s.sides < st.LEAST_SIDES_TO_ALLY:
        return Reason("HB-11", "alliances are formed only in a battle of at least three sides")
    if kind not in ANSWERS[s.phase]:
        return Reason(CLAUSES[s.phase], f"you are asked: {question(book, s, seat).words}")
    return _Why(book, s, seat).reason(kind, action - start)


def _never(book: Book, s: State, seat: int, kind: str, which: int) -> Reason | None:
    """Return the reason why an action can never be legal in this match, or None."""
    if kind == "propose" and which == st.BANDITS:
        return Reason("HB-11", "Bandits are in no alliance")
    if kind == "propose" and which == seat:
        return Reason("HB-11", "an alliance is of two players: you cannot propose one to yourself")
    if kind == "propose" and book.seats <= which < st.SEATS:
        return Reason("HB-11", f"there is no seat {which}")
    if kind == "send" and which >= st.CASTLE + book.seats:
        return Reason("HB-20", f"there is no seat {which - st.CASTLE}, and no such Castle")
    if kind == "fight" and which >= st.CASTLE:
        return Reason("HB-2", "foreign Knights in a Castle never cause a battle")
    if kind in ("attack", "defend") and which >= book.cards[st.PLAYERS_SET]:
        return Reason("HB-5", f"the set has only {book.cards[st.PLAYERS_SET]} cards")
    if kind == "target" and which // st.MOST_KNIGHTS == seat:
        return Reason("HB-13", "your Knights do not strike each other")
    if kind == "target" and book.seats <= which // st.MOST_KNIGHTS < st.SEATS:
        return Reason("HB-13", f"there is no seat {which // st.MOST_KNIGHTS}")
    return None


def _not_asked(book: Book, s: State, seat: int) -> Reason:
    if s.phase == st.MUSTER:
        return Reason("HB-22", "you have sent all your Knights, and others are still sending theirs")
    if s.phase == st.PLACE:
        if s.force[seat] == 0:
            return Reason("HB-4", f"you have no Knights in the battle at {tile_name(s.tile)}")
        return Reason("HB-6", "you have placed both cards, and others are still placing theirs")
    return Reason(CLAUSES[s.phase], f"seat {s.actor} is to act")


class _Why:
    """Finds the reason against an action whose kind is right, but which is not legal itself."""

    def __init__(self, book: Book, s: State, seat: int):
        self.book, self.s, self.seat = book, s, seat

    def reason(self, kind: str, which: int) -> Reason:
        """Return the reason against action `which` of its kind."""
        if kind == "fight":
            return self._fight(which)
        if kind in ("attack", "defend"):
            return self._card(kind, which)
        if kind == "propose":
            return self._propose(which)
        if kind == "target":
            return self._target(which // st.MOST_KNIGHTS, which % st.MOST_KNIGHTS)
        return Reason("HB-23", f"{TRACK_NAMES[which]} is at its end")

    def _fight(self, tile: int) -> Reason:
        s, where = self.s, tile_name(tile)
        if s.fought >> tile & 1:
            return Reason("HB-3", f"the battle at {where} has been resolved")
        if s.host[self.seat][tile] == 0:
            return Reason("HB-3", f"you have no Knights at {where}")
        return Reason("HB-1", f"there is nobody to fight at {where}")

    def _card(self, kind: str, card: int) -> Reason:
        s, name = self.s, self.book.card_name[st.PLAYERS_SET][card]
        role, placed = ("attack", s.attack[self.seat]) if kind == "attack" else ("defend", s.defence[self.seat])
        if placed != st.NONE:
            return Reason("HB-6", f"you have already placed a card to {role}")
        if card in (s.attack[self.seat], s.defence[self.seat]):
            return Reason("HB-6", f"you have already placed {name}: the two cards must differ")
        first = s.attack[self.seat] == s.defence[self.seat]
        if first and kind == "defend" and hand_to_place(self.book, s, self.seat) >> card & 1:
            return Reason("HB-6", "the card to attack with comes first")
        return Reason("HB-7", f"{name} is among your discards")

    def _propose(self, other: int) -> Reason:
        s = self.s
        if s.force[other] == 0:
            return Reason("HB-11", f"seat {other} is not involved in this battle")
        return Reason("HB-11", f"seat {other} is allied with seat {s.ally[other]}")

    def _target(self, side: int, knight: int) -> Reason:
        s, whom = self.s, knight_name(side, knight)
        if knight >= s.force[side]:
            missing = f"there is no {whom}" if side == st.BANDITS else f"seat {side} has no Knight {knight + 1}"
            return Reason("HB-13", f"{missing} in this battle")
        if not b.may_strike(s, self.seat, side):
            return Reason("HB-11", f"seat {side} is your ally in this battle")
        if not stands(s, side, knight):
            return Reason("HB-10", f"{whom} is struck down")
        return Reason("HB-13", f"{whom} is like one with a lower number: name that one")
