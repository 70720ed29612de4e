"""Heirless battles: reads attribute tracks and Battlecards from TOML, checks them, and writes them into the book.

The usual tables are in `tables.toml`; a match may bring its own by the option `tables`. At the end is the collection,
which lists the cards for any program that asks.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from quintain.engine import (
    MOST_LETTERS,
    BadOption,
    Held,
    ListedCard,
    Stat,
    composed,
    folded,
    is_name,
    plain_text,
    quoted,
    read_toml,
    toml_lines,
)
from quintain.games.heirless import state as st
from quintain.games.heirless.state import Book, State
from quintain.games.heirless.words import TRACK_NAMES, VALUE_NAMES, key_of, signed

PARTS = ("tracks", "cards", "bandit_cards")
SETS = {"cards": st.PLAYERS_SET, "bandit_cards": st.BANDITS_SET}
KINDS = ("Battlecards", "Battlecards of the Bandits")
TABLES_KEPT = 16
LEAST_STEPS, LEAST_CARDS = 2, 2
FALLING = ("Delay",)
"""The tracks on which a lower value is better."""
LEAST_VALUE = {"Delay": st.LEAST_DELAY, "Health": 1}


def fill_tables(book: Book, text: str) -> None:
    """Write tracks and cards into a book: those of the text, else the usual ones; raises BadOption. HB-29."""
    given = {**_usual(), **_read(text)}
    _fill_tracks(book, given["tracks"])
    for part, which in SETS.items():
        _fill_cards(book, part, which, given[part])


@lru_cache(1)
def _usual() -> dict[str, Any]:
    return tomllib.loads(_usual_text())


def _usual_text() -> str:
    return Path(__file__).with_name("tables.toml").read_text(encoding="utf-8")


def short_tables(text: str) -> str:
    """Return a text of the same tables without comments, to be saved with a match; raises BadOption."""
    return toml_lines(_read(text))


@lru_cache(TABLES_KEPT)
def _read(text: str) -> dict[str, Any]:
    try:
        given = read_toml(plain_text(text))
    except ValueError as error:
        raise _wrong(f"the tables are not TOML: {error}") from error
    if unknown := set(given) - set(PARTS):
        raise _wrong(f"the tables have a part {quoted(sorted(unknown)[0])}, but the parts are {', '.join(PARTS)}")
    return given


def _fill_tracks(book: Book, tracks: Any) -> None:
    if not isinstance(tracks, Mapping) or set(tracks) != set(TRACK_NAMES):
        raise _wrong(f"the part tracks must hold {', '.join(TRACK_NAMES)}, all of them and no others")
    for track, name in enumerate(TRACK_NAMES):
        values = tracks[name]
        if not isinstance(values, list) or not LEAST_STEPS <= len(values) <= st.MOST_STEPS:
            raise _wrong(f"the track {name} must be a list of {LEAST_STEPS} to {st.MOST_STEPS} numbers")
        for value in values:
            _check_number(value, LEAST_VALUE.get(name, 0), f"the steps of the track {name} must be")
        better = [-value if name in FALLING else value for value in values]
        if better != sorted(set(better)):
            way = "fall" if name in FALLING else "rise"
            raise _wrong(f"the numbers of the track {name} must {way} with every step, not go {values}")
        book.steps[track] = len(values)
        book.track[track][: len(values)] = values


def _fill_cards(book: Book, part: str, which: int, cards: Any) -> None:
    if not isinstance(cards, list) or not LEAST_CARDS <= len(cards) <= st.MOST_CARDS:
        given = len(cards) if isinstance(cards, list) else quoted(cards)
        raise _wrong(f"the part {part} must be a list of {LEAST_CARDS} to {st.MOST_CARDS} cards, not {given}")
    names: list[str] = []
    for number, card in enumerate(cards):
        where = f"card {number + 1} of {part}"
        if not isinstance(card, Mapping) or set(card) != {"name", "attack", "defence"}:
            raise _wrong(f"{where} must have a name, attack and defence, and nothing else")
        names.append(_card_name(where, card["name"]))
        book.attack[which][number] = _side(f"{where}, attack,", card["attack"], st.ATTACK_SIDE)
        book.defence[which][number] = _side(f"{where}, defence,", card["defence"], st.DEFENCE_SIDE)
        if book.defence[which][number][-1] < 0:
            raise _wrong(f"{where}, defence, cannot heal: its Wound is at least 0")
    if len(set(map(folded, names))) != len(names):
        raise _wrong(f"the names of {part} must differ: {', '.join(names)}")
    book.cards[which] = len(names)
    book.card_name[which][: len(names)] = names


def _card_name(where: str, name: Any) -> str:
    name = composed(name) if isinstance(name, str) else name
    if not is_name(name) or name[0].isdigit() or name != " ".join(name.split()):
        raise _wrong(
            f"{where} cannot be called {quoted(name)}: a name has 1 to {MOST_LETTERS} letters, digits, single blanks, "
            "hyphens and apostrophes, begins with a letter, and does not contain seat with a number"
        )
    return str(name)


def _side(where: str, numbers: Any, values: tuple[int, ...]) -> list[int]:
    names = ", ".join(VALUE_NAMES[value] for value in values)
    if not isinstance(numbers, list) or len(numbers) != len(values):
        raise _wrong(f"{where} must be a list of three numbers: {names}")
    for number in numbers:
        _check_number(number, -st.MOST_VALUE, f"{where} must hold {names}:")
    return list(numbers)


def _check_number(number: Any, least: int, what: str) -> None:
    if type(number) is not int or not least <= number <= st.MOST_VALUE:
        raise _wrong(f"{what} whole numbers from {least} to {st.MOST_VALUE}, not {quoted(number)}")


def _wrong(words: str) -> BadOption:
    return BadOption(f"the option tables: {words} (HB-29)")


class HeirlessCollection:
    """The Battlecards, as any program can ask for them. The numbers of the cards are the same for all seats."""

    option, decks = "tables", None

    def base(self) -> str:
        """Return the text of the usual tracks and Battlecards. HB-26, HB-27, HB-28."""
        return _usual_text()

    def cards(self, own: str) -> Sequence[ListedCard]:
        """Return the Battlecards of a text, or the usual ones if it has none; raises BadOption. HB-29."""
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
    return ListedCard(name, KINDS[which], numbers, key=f"card_{key_of(name)}", stats=tuple(stats))


collection = HeirlessCollection()
