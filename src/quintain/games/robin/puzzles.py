"""Robin in the Hood: the themes of puzzles, by what the solver sees and the best move."""

from quintain.games.robin import state as st
from quintain.games.robin.hands import note_position
from quintain.games.robin.levels import compute_changes, level
from quintain.games.robin.state import Book, State

FEW = 3
"""With so few cards on a pile, a round may soon be drawn. RH-16."""


def themes(book: Book, s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return what the best action of a seat is about."""
    if st.PLAY <= best < st.TAKE:
        return (*_of_card(book, s, seat, best - st.PLAY), *_of_round(s, seat, best - st.PLAY < book.characters))
    return ("choose the stake",) if st.STAKE_CARD <= best < st.KEEP else ("choose a set",)


def _of_card(book: Book, s: State, seat: int, card: int) -> tuple[str, ...]:
    """Return the themes of the card that is played."""
    theirs = s.chosen[1 - seat]
    is_open = s.leader == 1 - seat and st.has_chosen(theirs)
    if card >= book.characters:
        return (
            "let it go",
            "a modifier that lasts" if book.modifier[card - book.characters].lasts else "one strong hand",
        )
    if not is_open:
        return ("tempo",) if s.leader == seat else ("bluff",)
    if theirs >= book.characters:
        return ("an open stage",)
    own, other = _levels(book, s, seat, card)
    return ("beat the card",) if own > other else ("hold it level",) if own == other else ("let it go",)


def _levels(book: Book, s: State, seat: int, card: int) -> tuple[int, int]:
    """Return the final levels on Agility after a card: the seat's own, and that of the open card. RH-12."""
    after = s.copy()
    after.stage[seat][st.AGILITY], after.stage[1 - seat][st.AGILITY] = card, s.chosen[1 - seat]
    note_position(book, after)
    compute_changes(book, after)
    return level(book, after, seat, st.AGILITY), level(book, after, 1 - seat, st.AGILITY)


def _of_round(s: State, seat: int, is_character: bool) -> tuple[str, ...]:
    """Return the themes of how near the round is to its end, when a character is played or not. RH-15, RH-16."""
    found = []
    if _lacks_one(s, 1 - seat):
        found.append("stop the fourth stage")
    if is_character and _lacks_one(s, seat):
        found.append("fill the fourth stage")
    if min(s.pile_size) <= FEW:
        found.append("count the pile")
    return tuple(found)


def _lacks_one(s: State, seat: int) -> bool:
    """Tell whether a seat has a card on each stage but Agility, where the next one comes."""
    return all(st.has_chosen(s.stage[seat][stage]) for stage in range(st.WEAPONS, st.STAGES))
