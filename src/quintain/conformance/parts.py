"""Checks of the optional parts of a game: its collection, its report, and the themes and the file of its puzzles."""

from __future__ import annotations

from quintain.conformance.cases import Case, Skipped, require, whose
from quintain.conformance.checks import check
from quintain.engine.errors import quoted
from quintain.engine.rules.views import Count
from quintain.lab.puzzles import puzzles

LONGEST_THEME = 40
"""The most letters of a theme, which stands in one line beside others."""


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
def the_decks_hold_together(case: Case) -> None:
    """Ready-made decks keep all laws, are written and read again, and hold each card where it belongs."""
    collection = case.game.collection
    if not (collection and (decks := collection.decks)):
        raise Skipped("the game has no decks")
    places, known = decks.places(""), {card.name for card in collection.cards("")}
    require(set(places) <= known, "a place is for a card that the collection does not list")
    for name in decks.ready_made:
        deck = decks.read(name, "")
        require(all(law.is_kept for law in decks.laws(deck, "")), f"the deck {name} breaks a law, but `read` takes it")
        text = decks.write(deck, "")
        again = decks.read_unfinished(text, "")
        require(decks.write(again, "") == text, f"the deck {name} reads back from its text as another deck")
        for section, pile in deck.items():
            right = all(places[card].section == section and n <= places[card].most for card, n in pile.items())
            require(right, f"the deck {name} has a card in a wrong section, or too often")
        require({decks.hand.chosen, decks.hand.rest} <= set(deck), "the first hand is drawn from no section of a deck")
    require(
        any(not law.is_kept for law in decks.laws(decks.read_unfinished("", ""), "")),
        "a deck without cards keeps all laws",
    )


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


@check
def every_best_move_has_themes(case: Case) -> None:
    """The themes of any legal action are a few short words, from what its seat sees, and leave the state as it is."""
    if not (themes := case.game.themes):
        raise Skipped("the game knows no themes of puzzles")
    for book, s in case.sample(7, 5):
        for seat in range(case.seats):
            blinded = case.game.blinded(book, s, seat)
            before = blinded.copy()
            for action in case.game.legal_actions(book, s, seat):
                found = themes(book, blinded, seat, action)
                is_words = isinstance(found, tuple) and all(isinstance(each, str) and each.strip() for each in found)
                require(is_words and found, f"themes must return a tuple of words, not {quoted(found)}")
                require(len(set(found)) == len(found), f"themes returns a theme twice: {quoted(found)}")
                require(max(map(len, found)) <= LONGEST_THEME, f"a theme is too long: {quoted(found)}")
            require(blinded == before, "themes changes the state that it is given")


@check
def the_puzzles_can_be_read(case: Case) -> None:
    """The rules read every puzzle in the file puzzles.json of the game's folder."""
    if not puzzles(case.game):
        raise Skipped("the game has no puzzles")
