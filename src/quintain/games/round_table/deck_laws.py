"""Round Table: the laws of decks, and how far a deck keeps each of them. RT-1, RT-2, RT-3, RT-6."""

from __future__ import annotations

from quintain.engine import BadDeck, CardPlace, DeckList, Law, OpeningHand
from quintain.games.round_table import state as st
from quintain.games.round_table.cards import ParsedSet

MAIN, DEMESNE, REGIONS = SECTIONS = ("Main", "Demesne", "Regions")
LEAST_MAIN, LEAST_CARDS, MOST_CARDS = 40, 60, st.LINES
FARM = "Farm"
HAND = OpeningHand(st.HAND, DEMESNE, MAIN, least=1, most=st.HAND, usual=4, aside={FARM: 1})
"""A Farm is put into play, then ten cards are drawn. RT-5, RT-6."""


def laws_of(deck: DeckList, cards: ParsedSet) -> list[Law]:
    """Return the laws of decks, in the order in which a list is checked."""
    main, demesne = (sum(deck.get(section, {}).values()) for section in (MAIN, DEMESNE))
    return [
        _least_main(main),
        _together(main, demesne),
        _farm(demesne, deck.get(DEMESNE, {}).get(FARM, 0)),
        _named_knights(deck, cards),
        _regions(deck),
    ]


def check_laws(deck: DeckList, cards: ParsedSet) -> None:
    """Raise BadDeck for the first law that a deck breaks; it names the section."""
    for law in laws_of(deck, cards):
        if not law.is_kept:
            raise BadDeck(f"section {law.section}: {law.message} ({law.clause})")


def places_of(cards: ParsedSet) -> dict[str, CardPlace]:
    """Return where each card belongs, and at most how many copies of it."""
    regions = dict.fromkeys(cards.regions, CardPlace(REGIONS, 1, "a list has each Region once", "RT-3"))
    return {name: _place(card) for name, card in cards.cards.items()} | regions


def _place(card: st.Card) -> CardPlace:
    if card.kind == st.KNIGHT and not card.types & st.GENERIC:
        return CardPlace(MAIN, 1, "a deck has at most one copy of a named Knight", "RT-2")
    section = DEMESNE if card.kind == st.DEMESNE else MAIN
    return CardPlace(section, MOST_CARDS, f"Main and Demesne together have at most {MOST_CARDS} cards", "RT-1")


def _least_main(main: int) -> Law:
    words = f"{LEAST_MAIN} Main cards or more"
    is_kept = main >= LEAST_MAIN
    fault = "" if is_kept else f"{_cards(LEAST_MAIN - main, 'Main ')} short"
    message = "" if is_kept else f"it has {main} cards, and needs at least {LEAST_MAIN}"
    return Law(words, "RT-1", MAIN, fault, message, "Main", main, LEAST_MAIN)


def _together(main: int, demesne: int) -> Law:
    both, fault, message = main + demesne, "", ""
    if both < LEAST_CARDS:
        fault = f"{_cards(LEAST_CARDS - both)} short together"
        message = f"with Main it has {both} cards, and both together need at least {LEAST_CARDS}"
    elif both > MOST_CARDS:
        fault = f"{_cards(both - MOST_CARDS)} too many together"
        message = f"with Main it has {both} cards, and both together may have at most {MOST_CARDS}"
    words = f"{LEAST_CARDS} to {MOST_CARDS} Main and Demesne cards together"
    return Law(words, "RT-1", DEMESNE, fault, message, "together", both, LEAST_CARDS)


def _farm(demesne: int, farms: int) -> Law:
    fault = "" if farms else "no Farm among the Demesnes"
    message = "" if farms else "it has no Farm, and you begin with a Farm in play"
    return Law("a Farm among the Demesnes", "RT-1", DEMESNE, fault, message, "Demesnes", demesne)


def _named_knights(deck: DeckList, cards: ParsedSet) -> Law:
    places = places_of(cards)
    several = [name for name, copies in deck.get(MAIN, {}).items() if copies > places[name].most == 1]
    fault = f"more than one {several[0]}" if several else ""
    message = f"it has {fault}, and a deck has at most one copy of a named Knight" if several else ""
    return Law("one copy of each named Knight", "RT-2", MAIN, fault, message)


def _regions(deck: DeckList) -> Law:
    number = sum(deck.get(REGIONS, {}).values())
    fault = f"{number - st.MOST_REGIONS} Regions too many" if number > st.MOST_REGIONS else ""
    message = f"it has {number}, and may have at most {st.MOST_REGIONS}" if fault else ""
    return Law(f"each Region once, {st.MOST_REGIONS} at most", "RT-3", REGIONS, fault, message, "Regions", number)


def _cards(number: int, kind: str = "") -> str:
    return f"one {kind}card" if number == 1 else f"{number} {kind}cards"
