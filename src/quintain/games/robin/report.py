"""Robin in the Hood: the counts that `quintain report` adds up over many tournaments.

They say how many rounds are played and drawn and, if sets were dealt, how often each card is on the winning side.
"""

from quintain.engine import Count
from quintain.games.robin.cards import collection
from quintain.games.robin.state import SEATS, Book, State


def report(book: Book, s: State) -> tuple[Count, ...]:
    """Count the rounds and, if sets were dealt, the wins of each card that only one player had. RH-21."""
    decided = sum(s.victories)
    rounds = (
        Count("rounds", None, s.round, None, "rounds"),
        Count("rounds.drawn", None, s.round - decided, s.round, "rounds drawn"),
    )
    if not book.dealt:
        return rounds
    names, sets = collection.names(book, 0), [collection.held(book, s, seat).deck for seat in range(SEATS)]
    holders = (
        (card, name, int(name in sets[1])) for card, name in enumerate(names) if (name in sets[0]) != (name in sets[1])
    )
    return (*rounds, *(Count(f"card.{card}", None, s.victories[seat], decided, name) for card, name, seat in holders))
