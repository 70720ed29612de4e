"""Round Table: reads, checks and writes deck lists, and describes the collection. RT-1, RT-2, RT-3, RT-4.

The cards themselves come from `cards`; `collection` is the form in which programs outside the game ask for both.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from quintain.engine import (
    UNKNOWN,
    BadDeck,
    Blank,
    CardPlace,
    DeckList,
    Held,
    Law,
    ListedCard,
    PaperParts,
    Stat,
    plain_text,
    quoted,
    toml_lines,
)
from quintain.games.round_table import state as st
from quintain.games.round_table.card_fields import VOCABULARY, base_text
from quintain.games.round_table.cards import ParsedSet, RegionCard, card_set
from quintain.games.round_table.deck_laws import (
    DEMESNE,
    HAND,
    MAIN,
    MOST_CARDS,
    REGIONS,
    SECTIONS,
    check_laws,
    laws_of,
    places_of,
)
from quintain.games.round_table.play_area import in_play
from quintain.games.round_table.scene import printed
from quintain.games.round_table.words import KIND_GROUPS, KINDS, card_name, face, kind_words, printed_numbers

CLAUSES = (("RT-8", "RT-9"), ("RT-15", "RT-21"), ("RT-13",), ("RT-14",), ("RT-18", "RT-26"), ("RT-19",))
"""The rules of each kind of card, from Demesnes to Redirects."""
FOLDER = Path(__file__).with_name("decks")
READY_MADE = ("hedge-host", "crowned-heads", "wandering-table", "great-houses")
MEANT = 0.8
"""How similar a known name must be for a message to suggest it, from 0 to 1."""
LINE = re.compile(r"([0-9]{1,3})\s+(\S.*)")
BLANK = "Blank"
BLANKS: Mapping[int, Mapping[str, object]] = {
    st.KNIGHT: {"influence": 0, "resistance": 0, "types": ["generic"]},
    st.EQUIPMENT: {"influence": 0, "resistance": 0, "slot": "Weapon"},
    st.TITLE: {"influence": 0, "resistance": 0},
    st.QUEST: {},
    st.REDIRECT: {},
}
"""What a blank of each kind has beside its name and its RP, which are more than a player can have."""


@dataclass
class Deck:
    """A deck list: the number of copies of each card, and the Regions, in the order of the list."""

    main: dict[str, int] = field(default_factory=dict)
    demesne: dict[str, int] = field(default_factory=dict)
    regions: list[str] = field(default_factory=list)

    @property
    def sections(self) -> DeckList:
        """The sections of the list, in their order."""
        return {MAIN: self.main, DEMESNE: self.demesne, REGIONS: dict.fromkeys(self.regions, 1)}


@cache
def ready_made(name: str) -> str:
    """Return the list of a ready-made deck."""
    return (FOLDER / f"{name}.deck").read_text(encoding="utf-8")


def list_of(given: str) -> str:
    """Return a list, given as its text or as the name of a ready-made deck; raises BadDeck."""
    if given in READY_MADE:
        return ready_made(given)
    if "\n" not in given.strip():
        words = f"there are {', '.join(READY_MADE)}, and a list of your own has a line for each card"
        raise BadDeck(f"{given.strip()[:60]!r} is no ready-made deck: {words} (RT-4)")
    return given


def read_deck(text: str, cards: ParsedSet) -> Deck:
    """Return the deck of a list that keeps all rules; raises BadDeck, which names the line or the section."""
    deck = read_unfinished(text, cards)
    check_laws(deck.sections, cards)
    return deck


def read_unfinished(text: str, cards: ParsedSet) -> Deck:
    """Return the deck of a list that may have too few or too many cards; raises BadDeck, which names the line."""
    deck, section = Deck(), ""
    for number, raw in enumerate(plain_text(text).splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if line.rstrip(":") in SECTIONS:
            section = line.rstrip(":")
        elif line:
            _read_line(deck, section, number, line, cards)
    return deck


def short_list(text: str) -> str:
    """Return a list as a match keeps it: the same lines, without remarks and empty sections.

    >>> short_list("Main:  # all of them\\n\\nDemesne\\n10  Farm")
    'Demesne\\n10 Farm\\n'
    """
    lines, section = [], ""
    for raw in plain_text(text).splitlines():
        line = _bare(raw)
        if line.rstrip(":") in SECTIONS:
            section = line.rstrip(":")
        elif line:
            lines += [section, line] if section else [line]
            section = ""
    return "\n".join(lines) + "\n"


def _bare(line: str) -> str:
    """Return a line of a list without its remark."""
    return " ".join(line.partition("#")[0].split())


def _read_line(deck: Deck, section: str, number: int, line: str, cards: ParsedSet) -> None:
    """Add the card or Region of a line to a deck; raises BadDeck with the number of the line."""

    def wrong(words: str, clause: str) -> BadDeck:
        return BadDeck(f"line {number}: {words} ({clause})")

    found = LINE.fullmatch(line)
    if not section:
        raise wrong(f"a list begins with a section, {', '.join(SECTIONS)}, not with {quoted(line)}", "RT-4")
    if not found or int(found[1]) == 0:
        others = f"or a section, {', '.join(SECTIONS)}"
        raise wrong(f"a line is a number and a card, such as `2 Knight Errant`, {others}, not {quoted(line)}", "RT-4")
    count, name = int(found[1]), " ".join(found[2].split())
    if section == REGIONS:
        if name not in cards.regions:
            raise wrong(f"there is no Region {quoted(name)}{_nearest(name, cards.regions)}", "RT-4")
        if count > 1 or name in deck.regions:
            raise wrong(f"{name} is there twice, and a list has each Region once", "RT-3")
        deck.regions.append(name)
        return
    card = cards.cards.get(name)
    if name in cards.regions:
        raise wrong(f"{name} is a Region, which belongs in the section {REGIONS}", "RT-1")
    if card is None:
        raise wrong(f"there is no card {quoted(name)}{_nearest(name, cards.cards)}", "RT-4")
    belongs = DEMESNE if card.kind == st.DEMESNE else MAIN
    if section != belongs:
        raise wrong(f"{name} is a {KINDS[card.kind]}, which belongs in the section {belongs}", "RT-1")
    pile = deck.demesne if belongs == DEMESNE else deck.main
    pile[name] = pile.get(name, 0) + count
    if pile[name] > MOST_CARDS:
        words = f"{pile[name]} copies of {name} are too many: Main and Demesne together have at most {MOST_CARDS} cards"
        raise wrong(words, "RT-1")
    if card.kind == st.KNIGHT and not card.types & st.GENERIC and pile[name] > 1:
        raise wrong(f"this is a second copy of {name}, and a deck has at most one copy of a named Knight", "RT-2")


def _nearest(name: str, names: Iterable[str]) -> str:
    """Return a question that suggests the known name most similar to an unknown one, or nothing."""
    known = {other.casefold(): other for other in names}
    near = difflib.get_close_matches(name.casefold(), known, 1, MEANT)
    return f": do you mean {known[near[0]]}?" if near else ""


class RoundTableDecks:
    """The decks of this game for other programs, such as `quintain deck`."""

    option, ready_made, hand = "decks", READY_MADE, HAND

    def read(self, given: str, own: str) -> DeckList:
        """Return the sections of a deck; raises BadDeck and BadCards. RT-1, RT-2, RT-3, RT-4."""
        return read_deck(list_of(given), card_set(own)).sections

    def read_unfinished(self, given: str, own: str) -> DeckList:
        """Return the sections of a deck without checking their sizes; raises BadDeck and BadCards. RT-4."""
        return read_unfinished(ready_made(given) if given in READY_MADE else given, card_set(own)).sections

    def laws(self, deck: DeckList, own: str) -> Sequence[Law]:
        """Return the laws of decks, and how far a deck keeps them. RT-1, RT-2, RT-3."""
        return laws_of(deck, card_set(own))

    def places(self, own: str) -> Mapping[str, CardPlace]:
        """Return the section of each card, and the most copies of it. RT-1, RT-2, RT-3."""
        return places_of(card_set(own))

    def blank(self, card: str, own: str) -> Blank | None:
        """Return a blank of the kind of a Main card. RT-10, RT-33."""
        cards = card_set(own)
        found, name = cards.cards.get(card), BLANK
        if found is None or found.kind not in BLANKS:
            return None
        while name in cards.names:
            name += f" {BLANK}"
        data = {"name": name, "rp": st.MOST_NUMBER, **BLANKS[found.kind]}
        return Blank(name, f"{own}\n[[{KINDS[found.kind].lower()}]]\n{toml_lines(data)}")

    def write(self, deck: DeckList, own: str) -> str:
        """Return the list of a deck: by kind, the cheapest first. RT-4."""
        cards = card_set(own)
        parts = []
        for section in SECTIONS:
            pile = deck.get(section, {})
            names = sorted(pile, key=lambda name: (_rank(name, cards), name))
            parts += ["\n".join([section, *(f"{pile[name]} {name}" for name in names)]) + "\n"] if names else []
        return "\n".join(parts)


def _rank(name: str, cards: ParsedSet) -> tuple[int, int]:
    """Return by what cards are sorted in a list: their kind, then their RP; Regions have neither."""
    card = cards.cards.get(name)
    return (card.kind, card.rp) if card else (0, 0)


class RoundTableCollection:
    """The cards of this game for other programs. Each seat numbers the cards of its own deck list."""

    option, decks, vocabulary = "cards", RoundTableDecks(), VOCABULARY
    paper = PaperParts(brought=("A marker for the active player", "Paper and a pencil, to note who has spent which RP"))

    def base(self) -> str:
        """Return the text of the base set. RT-35."""
        return base_text()

    def cards(self, own: str) -> Sequence[ListedCard]:
        """Return the base set, with the cards of a file's text added; raises BadCards. RT-33."""
        found = card_set(own)
        return [*map(_listed, found.cards.values()), *map(_listed_region, found.regions.values())]

    def names(self, book: st.Book, seat: int) -> Sequence[str]:
        """Return the names of the cards in a seat's deck list, in their order."""
        return [card_name(book, seat, line) for line in range(book.lines[seat])]

    def held(self, book: st.Book, s: st.State, seat: int) -> Held:
        """Return the cards in a seat's list, drawn, and played; a hidden hand is not among the drawn. RT-2."""
        deck, drawn, played = Counter[str](), Counter[str](), Counter[str]()
        for line, name in enumerate(self.names(book, seat)):
            deck[name] = book.copies[seat][line]
            played[name] = s.spent[seat][line] + in_play(book, s, seat, line)
            is_hidden = s.deck[seat][line] == UNKNOWN
            drawn[name] = played[name] if is_hidden else deck[name] - s.deck[seat][line]
        return Held(+deck, +drawn, +played)


def _listed(card: st.Card) -> ListedCard:
    """Return a card of the list; the RP of a Demesne are what it gives, those of other cards what they cost."""
    numbers = f"{card.rp} RP" if card.kind == st.DEMESNE else printed_numbers(card)
    costs = () if card.kind == st.DEMESNE else (Stat("cost", card.rp, words="RP"),)
    words, stats = kind_words(card, card.types), (*costs, *printed(card))
    sort = "" if words == KINDS[card.kind] else words
    pile, group = DEMESNE if card.kind == st.DEMESNE else MAIN, KIND_GROUPS[card.kind]
    clauses = CLAUSES[card.kind]
    return ListedCard(card.name, group, numbers, card.text, face(card.name), sort, stats, pile=pile, clauses=clauses)


def _listed_region(region: RegionCard) -> ListedCard:
    stats = (
        Stat("resistance", region.resistance, words="Resistance"),
        Stat("renown", region.renown, words="Renown"),
    )
    numbers = ", ".join(f"{stat.words} {stat.number}" for stat in stats)
    return ListedCard(
        region.name, REGIONS, numbers, key=face(region.name), stats=stats, pile=REGIONS, clauses=("RT-22", "RT-3")
    )


collection = RoundTableCollection()
