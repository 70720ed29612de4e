"""Checks of the optional parts of a game: its collection and its report."""

from __future__ import annotations

from quintain.conformance.cases import Case, Skipped, require, whose
from quintain.conformance.checks import check
from quintain.engine.errors import quoted
from quintain.engine.rules.views import Count


@check
def the_collection_holds_together(case: Case) -> None:
    """The base set reads back. A seat draws what it plays, its deck holds what it draws, and blinding adds no card."""
    if not (collection := case.game.collection):
        raise Skipped("the game has no collection")
    known = {card.name for card in collection.cards("")}
    require(known and len(known) == len(collection.cards("")), "the collection lists no card, or one name twice")
    again = collection.cards(collection.base())
    require(
        list(again) == list(collection.cards("")), "the text that `base` returns does not read back as the base set"
    )
    for book, s in case.sample(5, 3):
        for seat in range(case.seats):
            names, held = collection.names(book, seat), collection.held(book, s, seat)
            require(set(held.deck) <= set(names) <= known, f"seat {seat} has cards that are not in the collection")
            require(len(set(names)) == len(names), f"the names of seat {seat} contain a card twice")
            require(held.played <= held.drawn, f"seat {seat} has played a card that it has not drawn")
            require(held.drawn <= held.deck, f"seat {seat} has drawn a card that is not in its deck")
            for viewer in case.viewers:
                seen = collection.held(book, case.game.blinded(book, s, viewer), seat)
                less = all(known <= true for known, true in zip(seen, held, strict=True))
                require(less, f"for {whose(viewer)}, held counts cards of seat {seat} that the seat does not have")


@check
def the_report_counts_each_thing_once(case: Case) -> None:
    """The counts of the report have different keys, words, and numbers within their bounds."""
    if not (report := case.game.report):
        raise Skipped("the game has no report")
    *_, (book, s) = case.positions(6)
    counts = report(book, s)
    require(counts, "the report is empty")
    require(all(isinstance(count, Count) for count in counts), f"report must return Counts, not {quoted(counts)}")
    require(len({(count.key, count.seat) for count in counts}) == len(counts), "the report counts one thing twice")
    for count in counts:
        require(count.words and count.number >= 0, f"the count {count.key} has no words, or is below 0")
        require(count.of is None or count.number <= count.of, f"the count {count.key} is above its bound")
