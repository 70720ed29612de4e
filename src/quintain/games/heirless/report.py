"""Heirless battles: the counts that `quintain report` adds up over many campaigns.

They say which places in the first player order win, where players send Knights, and how often Bandits and alliances win
their battles.
"""

from quintain.engine import Count
from quintain.games.heirless.season import outcome
from quintain.games.heirless.state import Book, State

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
DESTINATIONS = ("the Capital", "the Location of Interest", "another camp", "another's Castle", "their own Castle")


def report(book: Book, s: State) -> tuple[Count, ...]:
    """Return the counts of one finished campaign: wins by first place, Knights by tile, and battles. HB-17, HB-22."""
    ranks = [0] * book.seats
    outcome(book, s, [0] * book.seats, ranks)
    began = {s.order[i]: (i + s.season) % book.seats for i in range(book.seats)}
    battles = (
        ("bandits", s.bandit_wins, s.bandit_battles, "battles with Bandits won by the Bandits"),
        ("allied", s.allied_wins, s.large_battles, "battles of three sides or more won by an alliance"),
    )
    return (
        *(
            Count(
                f"place.{began[seat]}",
                None,
                int(rank == 1),
                1,
                f"games won or shared when beginning {PLACES[began[seat]]}",
            )
            for seat, rank in enumerate(ranks)
        ),
        *(
            Count(f"sent.{where}", None, number, sum(s.mustered), f"Knights sent to {DESTINATIONS[where]}")
            for where, number in enumerate(s.mustered)
        ),
        *(Count(key, None, number, of, words) for key, number, of, words in battles),
    )
