"""The account of a finished game of King's Court: the score of each house, the totals, and how a tie was broken."""

from collections.abc import Iterable

from quintain.engine import Line
from quintain.games.kings_court import rules as r
from quintain.games.kings_court import state as st
from quintain.games.kings_court.state import Book, State
from quintain.games.kings_court.words import HOUSE_NAMES, signed

TIE_BREAK_NAMES = ("houses with the majority", "Influence on the board", "sum of the ranks in hand")


def account(book: Book, s: State) -> list[Line]:
    """Return a line for each house, the totals and the tie breaks; nothing before the end of the game."""
    if s.phase != st.OVER:
        return []
    scores, ranks = [0] * st.SEATS, [0] * st.SEATS
    r.outcome(book, s, scores, ranks)
    lines = [_account_of_house(s, house) for house in range(book.houses)]
    lines.append(Line("Total", tuple(scores), "KC-19"))
    tie_break, tied = 0, scores[0] == scores[1]
    while tied and tie_break < st.TIE_BREAKS:
        values = tuple(r.tie_break_value(s, seat, tie_break) for seat in range(st.SEATS))
        lines.append(Line(f"Tied; {TIE_BREAK_NAMES[tie_break]}", values, "KC-19"))
        tied = values[0] == values[1]
        tie_break += 1
    return lines


def _account_of_house(s: State, house: int) -> Line:
    favour = [r.favour(s, seat, house) for seat in range(st.SEATS)]
    held, bonus = r.majority(s, house), signed(r.majority_bonus(s, house))
    words = (
        f"{HOUSE_NAMES[house]}: Influence {_by_seat(s.influence[seat][house] for seat in range(st.SEATS))}; "
        f"majority bonus {bonus} for {'nobody' if held == st.NONE else f'seat {held}'}; favour {_by_seat(favour)}"
    )
    scores = tuple(r.house_score(s, seat, house) for seat in range(st.SEATS))
    if favour[0] == favour[1]:
        return Line(words, scores, "KC-16")
    return Line(f"{words}, so seat {int(favour[0] > favour[1])} scores 0", scores, "KC-17")


def _by_seat(values: Iterable[int]) -> str:
    return ", ".join(f"seat {seat} {value}" for seat, value in enumerate(values))
