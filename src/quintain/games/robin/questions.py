"""Robin in the Hood: what a seat is asked, and what is going on."""

from quintain.games.robin import state as st
from quintain.games.robin.naming import card_name
from quintain.games.robin.state import Book, State

PHASES = ("ante", "active sets", "round {}, hand {}", "over")


def phase(s: State) -> str:
    """Return the phase in words."""
    return PHASES[st.ENDED if s.over else s.phase].format(s.round, s.hands + 1)


def question(book: Book, s: State, seat: int) -> str:
    """Return what a seat that may act is asked."""
    if s.phase == st.STAKE:
        return "Which card do you stake?"
    if s.phase == st.CHOOSE_SET:
        if s.choosing[seat] == st.ASKED:
            return "With which active set do you play this round?"
        taken = s.pile_size[seat]
        if taken < book.active:
            return f"Which character do you take into your active set? ({taken} of {book.active} taken)"
        return f"Which modifier do you take? ({taken - book.active} of {book.modifiers} taken)"
    if s.leader == st.NONE:
        return "Which card do you play? Both choose in secret."
    if s.leader == seat:
        return "Which card do you play? You play first, openly."
    return f"Which card do you answer {card_name(book, s.chosen[s.leader])} with?"
