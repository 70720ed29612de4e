"""Heirless battles: reads attribute tracks and Battlecards from TOML, checks them, and writes them into the book.

The usual tables are in `tables.toml`; a match may bring its own by the option `tables`. At the end is the collection,
which lists the cards for any program that asks.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from quintain.engine import (
    MOST_LETTERS,
    CardEntry,
    Held,
    ListedCard,
    PaperParts,
    SetField,
    SetKind,
    Stat,
    Vocabulary,
    check_numbers,
    composed,
    folded,
    is_name,
    quoted,
    read_entries,
    write_entries,
)
from quintain.games.heirless import state as st
from quintain.games.heirless.paper import PLAYERS, paper
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import TRACK_NAMES, VALUE_NAMES, key_of, signed

SETS = {"cards": st.PLAYERS_SET, "bandit_cards": st.BANDITS_SET}
KINDS = ("Battlecards", "Battlecards of the Bandits")
TABLES_KEPT = 16
FALLING = ("Delay",)
"""The tracks on which a lower value is better."""
LEAST_VALUE = {"Delay": st.LEAST_DELAY, "Health": 1}
LEAST_STEPS, LEAST_CARDS = 2, 2


class HeirlessVocabulary(Vocabulary):
    """What the tracks and the Battlecards say. HB-29."""

    clause = "HB-29"
    kinds = (
        SetKind(
            "tracks",
            "Tracks",
            "tables of tracks",
            most=1,
            is_table=True,
            may_miss=True,
            counted="bandits",
            more="the Bandits {}stronger",
            less="the Bandits {}weaker",
        ),
        SetKind("cards", "Battlecard", "Battlecards", LEAST_CARDS, st.MOST_CARDS, may_miss=True),
        SetKind(
            "bandit_cards",
            "Battlecard of the Bandits",
            "Battlecards of the Bandits",
            LEAST_CARDS,
            st.MOST_CARDS,
            may_miss=True,
            counted="bandits",
            more="the camps {}more dangerous",
            less="the camps {}safer",
        ),
    )

    def fields(self, kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> tuple[SetField, ...]:
        """Return the fields of the tracks or of a Battlecard."""
        if kind == "tracks":
            return tuple(_track(name) for name in TRACK_NAMES)
        sides = (("attack", "Attack", st.ATTACK_SIDE), ("defence", "Defence", st.DEFENCE_SIDE))
        return (
            SetField("name", "name", "Name", "HB-29"),
            *(_side(key, words, values) for key, words, values in sides),
        )


VOCABULARY = HeirlessVocabulary()


def _track(name: str) -> SetField:
    return SetField(
        name,
        "numbers",
        name,
        "HB-29",
        least=LEAST_VALUE.get(name, 0),
        most=st.MOST_VALUE,
        count=(LEAST_STEPS, st.MOST_STEPS),
        step=-1 if name in FALLING else 1,
    )


def _side(key: str, words: str, values: tuple[int, ...]) -> SetField:
    """Return the field of a side of a Battlecard; no card heals, so its Wound is at least 0."""
    lows = tuple(0 if value == st.WOUND else -st.MOST_VALUE for value in values)
    parts = tuple(VALUE_NAMES[value] for value in values)
    return SetField(key, "numbers", words, "HB-29", least=-st.MOST_VALUE, most=st.MOST_VALUE, parts=parts, lows=lows)


def fill_tables(book: Book, text: str) -> None:
    """Write tracks and cards into a book: those of the text, else the usual ones; raises BadCards. HB-29."""
    given = [*_read(text)]
    there = {entry.kind for entry in given}
    given += [entry for entry in _read(_usual_text()) if entry.kind not in there]
    for entry in given:
        if entry.is_table:
            _fill_tracks(book, entry)
    for part, which in SETS.items():
        _fill_cards(book, which, [entry for entry in given if entry.kind == part])


@lru_cache(1)
def _usual_text() -> str:
    return Path(__file__).with_name("tables.toml").read_text(encoding="utf-8")


def short_tables(text: str) -> str:
    """Return a text of the same tables without comments, to be saved with a match; raises BadCards."""
    return write_entries(_read(text))


@lru_cache(TABLES_KEPT)
def _read(text: str) -> tuple[CardEntry, ...]:
    """Return the tracks and Battlecards of a text, each checked by its fields; raises BadCards."""
    entries = read_entries(text, VOCABULARY)
    check_numbers(entries, VOCABULARY)
    for entry in entries:
        header = f"[{entry.kind}]" if entry.is_table else f"[[{entry.kind}]]"
        entry.check(header, VOCABULARY.fields(entry.kind, entry.data, {}))
    return tuple(entries)


def _fill_tracks(book: Book, entry: CardEntry) -> None:
    for track, name in enumerate(TRACK_NAMES):
        values = entry.data[name]
        book.steps[track] = len(values)
        book.track[track][: len(values)] = values


def _fill_cards(book: Book, which: int, entries: list[CardEntry]) -> None:
    seen = dict[str, int]()
    for number, entry in enumerate(entries):
        name = _card_name(entry)
        if folded(name) in seen:
            words = f"line {seen[folded(name)]} has a card of this name already: the names must differ"
            raise entry.wrong(words, "HB-29", key="name")
        seen[folded(name)] = entry.line
        book.card_name[which][number] = name
        book.attack[which][number], book.defence[which][number] = entry.data["attack"], entry.data["defence"]
    book.cards[which] = len(entries)


def _card_name(entry: CardEntry) -> str:
    given: Any = entry.data.get("name")
    name = composed(given) if isinstance(given, str) else given
    if not is_name(name) or name[0].isdigit() or name != " ".join(name.split()):
        raise entry.wrong(
            f"it cannot be called {quoted(name)}: a name has 1 to {MOST_LETTERS} letters, digits, single blanks, "
            "hyphens and apostrophes, begins with a letter, and does not contain seat with a number",
            "HB-29",
            key="name",
        )
    return str(name)


class HeirlessCollection:
    """The Battlecards, as any program can ask for them. The numbers of the cards are the same for all seats."""

    option, decks, vocabulary = "tables", None, VOCABULARY

    @property
    def paper(self) -> PaperParts:
        """What a game on paper needs beside the Battlecards. HB-20, HB-26."""
        tracks = next(entry.data for entry in _read(_usual_text()) if entry.is_table)
        return paper(tracks)

    def base(self) -> str:
        """Return the text of the usual tracks and Battlecards. HB-26, HB-27, HB-28."""
        return _usual_text()

    def cards(self, own: str) -> Sequence[ListedCard]:
        """Return the Battlecards of a text, or the usual ones if it has none; raises BadCards. HB-29."""
        book = Book()
        fill_tables(book, own)
        return [_listed(book, which, card) for which in SETS.values() for card in range(book.cards[which])]

    def names(self, book: Book, seat: int) -> Sequence[str]:
        """Return the names of the players' Battlecards, in the order of their numbers."""
        return book.card_name[st.PLAYERS_SET][: book.cards[st.PLAYERS_SET]]

    def held(self, book: Book, s: State, seat: int) -> Held:
        """Return where a seat's Battlecards are: all are drawn, and all that are not in its hand are played. HB-7."""
        names, hand = self.names(book, seat), s.hand[seat]
        played = Counter(name for card, name in enumerate(names) if not hand >> card & 1)
        return Held(Counter(names), Counter(names), played)


def _listed(book: Book, which: int, card: int) -> ListedCard:
    """Return a Battlecard with its two sides, in words and as stats."""
    name, stats = book.card_name[which][card], list[Stat]()
    sides = (("attack", st.ATTACK_SIDE, book.attack), ("defend", st.DEFENCE_SIDE, book.defence))
    for role, values, changes in sides:
        for value, change in zip(values, changes[which][card], strict=True):
            words = VALUE_NAMES[value]
            stats.append(Stat(f"{role}.{key_of(words)}", change, words=words, signed=True))
    half = len(st.ATTACK_SIDE)
    attack, defence = (
        ", ".join(f"{stat.words} {signed(stat.number)}" for stat in of) for of in (stats[:half], stats[half:])
    )
    numbers = f"attack {attack}; defence {defence}"
    key, copies = f"card_{key_of(name)}", (PLAYERS, st.CAMPS)[which]
    return ListedCard(
        name,
        KINDS[which],
        numbers,
        key=key,
        stats=tuple(stats),
        copies=copies,
        pile=KINDS[which],
        clauses=("HB-5", "HB-8", "HB-9"),
    )


collection = HeirlessCollection()
