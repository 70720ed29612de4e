"""Round Table: the account of a match: how the attacks of the last Autumn were resolved."""

from quintain.engine import Line
from quintain.games.round_table import state as st
from quintain.games.round_table.autumn import remaining
from quintain.games.round_table.state import Book, State


def account(book: Book, s: State) -> list[Line]:
    """Return a line for each Region that was attacked in the last Autumn, with the remaining Influence of each seat."""
    return [_judged(book, s, place) for place in range(st.OPEN_REGIONS) if any(s.judged_there[place])]


def _judged(book: Book, s: State, place: int) -> Line:
    region, captor = book.region[s.region[s.judged[place]]], s.judged_captor[place]
    there = [seat for seat in range(book.seats) if s.judged_there[place][seat]]
    forces = ", ".join(
        f"seat {seat} has Influence {s.judged_influence[place][seat]} and Resistance {s.judged_resistance[place][seat]}"
        for seat in there
    )
    end = "nobody captures it" if captor == st.NONE else f"seat {captor} captures it"
    left = tuple(remaining(book, s, place, seat) if seat in there else 0 for seat in range(book.seats))
    words = f"{region.name} (Resistance {region.resistance}, Renown {region.renown}): {forces}; {end}"
    return Line(words, left, "RT-22")
