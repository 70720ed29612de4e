"""Rune War: the themes of puzzles, by what the solver sees and the best move."""

from quintain.games.rune_war import state as st
from quintain.games.rune_war.state import Book, State

LOW = 4
"""The highest number card with which an attack is a probe."""
LATE = 18
"""After so many turns of a player the truce is near. RW-15."""


def themes(book: Book, s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return what the best action of a seat is about."""
    found = _of_action(s, seat, best)
    return (*found, "count for the truce") if s.turns[seat] >= LATE else found


def _of_action(s: State, seat: int, best: int) -> tuple[str, ...]:
    if st.PLAY <= best < st.AT:
        return ("a rune of the battle",) if st.OF_BATTLE[best - st.PLAY] else ("a rune of the field",)
    if st.LAY <= best < st.ATTACK:
        return ("bluff",) if best - st.LAY >= st.FIRST_RUNE else ("build",)
    if st.ATTACK <= best < st.TURN_UP:
        return _of_attack(best - st.ATTACK)
    if st.TURN_UP <= best < st.ADD:
        return ("call for support",)
    if st.ADD <= best < st.AIM_AT:
        return ("send more",)
    if st.AIM_AT <= best < st.TAKE:
        return _of_aim(s, seat, *divmod(best - st.AIM_AT, st.PLACES))
    if best in (st.HOLD, st.STOP):
        return ("stop in time",) if best == st.STOP else ("let it go",)
    return ("choose the place",) if st.AT <= best < st.LAY else ("make the most of a rune",)


def _of_attack(card: int) -> tuple[str, ...]:
    """Return the themes of the first card of an attack. RW-8, RW-19."""
    if card >= st.FIRST_RUNE:
        return ("bluff",)
    return ("probe",) if 0 < st.number_of(card) <= LOW else ("strike hard",)


def _of_aim(s: State, seat: int, other: int, place: int) -> tuple[str, ...]:
    """Return the themes of a card of another's defence that is named. RW-11."""
    return ("strike what you know",) if st.has_seen(s, seat, other, place) else ("strike in the dark",)
