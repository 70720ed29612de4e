"""Round Table: the themes of puzzles, by what the solver sees and the best move."""

from quintain.games.round_table import state as st
from quintain.games.round_table.state import Book, State

KIND_THEMES = ("grow", "recruit", "arm", "honour", "send on a Quest", "turn the campaign")
"""What it is about to play a card of each kind."""


def themes(book: Book, s: State, seat: int, best: int) -> tuple[str, ...]:
    """Return what the best action of a seat is about."""
    if best < st.REGION:
        if s.phase == st.LIMIT or s.owed_discards[seat] > 0:
            return ("let it go",)
        return (KIND_THEMES[book.card[seat][best].kind],)
    if best < st.PASS:
        return _of_region(s, seat, best - st.REGION)
    if best == st.PASS:
        return ("tempo",)
    if best in (st.DRAW_MAIN, st.DRAW_DEMESNE):
        return ("choose the deck",)
    return _of_knight(s, seat, best - st.IN_PLAY) if best >= st.IN_PLAY else ("the first hand",)


def _of_region(s: State, seat: int, place: int) -> tuple[str, ...]:
    """Return the themes of a Region that is attacked, by who is there already. RT-21."""
    there = {other for other in range(st.SEATS) if place in s.place[other][: s.top[other]]}
    if there - {seat}:
        return ("fight for a Region",)
    return ("send help",) if seat in there else ("an open Region",)


def _of_knight(s: State, seat: int, unit: int) -> tuple[str, ...]:
    """Return the themes of a card in play that is chosen."""
    owner, _ = divmod(unit, st.LINES)
    if s.phase == st.SUPPORT:
        return ("let it go",)
    if s.phase == st.CAMPAIGN:
        return ("choose the Knight to send",)
    return ("strike at a rival",) if owner != seat else ("choose the Knight",)
