"""Heirless battles: what is asked in each phase."""

from quintain.games.heirless import frame
from quintain.games.heirless import state as st
from quintain.games.heirless.battle import nth_standing
from quintain.games.heirless.names import VALUE_NAMES, tile_name
from quintain.games.heirless.state import Book, State

PHASES = {
    st.MUSTER: "muster",
    st.CHOOSE_BATTLE: "battles",
    st.PLACE: "placing cards",
    st.PROPOSAL: "alliances",
    st.ANSWER: "alliances",
    st.STRIKE: "battle turn",
    st.IMPROVE: "rewards",
}
CLAUSES = {
    st.MUSTER: "HB-22",
    st.CHOOSE_BATTLE: "HB-3",
    st.PLACE: "HB-6",
    st.PROPOSAL: "HB-11",
    st.ANSWER: "HB-11",
    st.STRIKE: "HB-13",
    st.IMPROVE: "HB-23",
}
"""The clause by which each question is asked."""


def phase(s: State) -> str:
    """Return the phase in a word or two."""
    return "over" if s.over else PHASES[s.phase]


def question(book: Book, s: State, seat: int) -> str:
    """Return what a seat that is to act is asked."""
    if s.phase == st.MUSTER:
        return f"Where do you send Knight {frame.knights_sent(s, seat) + 1} of {book.knights}?"
    if s.phase == st.PLACE:
        return _of_cards(s, seat)
    if s.phase == st.ANSWER:
        return f"Do you accept the alliance that seat {s.proposer} proposes?"
    if s.phase == st.STRIKE:
        return f"Whom does your Knight {nth_standing(s, seat, s.sent) + 1} strike?"
    if s.phase == st.IMPROVE:
        return "Which of your attributes do you raise?"
    return "Which battle comes next?" if s.phase == st.CHOOSE_BATTLE else "To whom do you propose an alliance?"


def _of_cards(s: State, seat: int) -> str:
    """Ask for a card by what it changes; say so where the discards are taken up for it. HB-5, HB-7."""
    where, cards = f"at {tile_name(s.tile)}", s.hand[seat].bit_count()
    first = s.attack[seat] == s.defence[seat]
    if first and cards == 1:
        return f"Do you attack or defend {where} with the last card of your hand?"
    taken_up = "You take your discards up. " if cards == (0 if first else 1) else ""
    role, changed = ("defend", st.DEFENCE_SIDE) if s.attack[seat] != st.NONE else ("attack", st.ATTACK_SIDE)
    names = ", ".join(VALUE_NAMES[value] for value in changed)
    return f"{taken_up}Which card do you {role} with {where}: {names}?"
