"""The optional parts of the contract: cards, recaps of events, a report and a story at the end, themes of puzzles.

A game with cards worth listing has a `collection`, in the `cards.py` of its folder. A game with counts worth gathering
over many games has a `report`, in its `report.py`, and one that tells a part of the story of a match itself a `story`,
in its `story.py`. A `recap`, in its `narration.py`, says of an event what matters to somebody who looked away. The
`themes`, in its `puzzles.py`, say what a puzzle is about. The command line, the server and the lab use these parts and
need not know the game. The functions take the game's own `Book` and `State`, which appear here as `Any`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from quintain.engine.rules.decks import FUNCTIONS, Decks
from quintain.engine.rules.state import Event
from quintain.engine.rules.views import Count, Recap, Stat
from quintain.engine.vocabulary import Vocabulary


@dataclass(frozen=True)
class ListedCard:
    """A card in words: its name, its kind (the heading in a list of cards), its numbers and its text.

    `key` is the key of its picture, as in a `Piece`; `sort` says what it is within its kind, such as ``Weapon``.
    `stats` are its numbers once more, for those who draw them with icons; the one of the key ``cost`` is what it costs.
    `copies` says how many of it a game on paper has, for the usual number of players, and `pile` names the pile in
    which it lies face down, if the game has several: its back shows the name. `clauses` are the numbers of the rules
    that say what it does, the most telling first.
    """

    name: str
    kind: str
    numbers: str = ""
    text: str = ""
    key: str = ""
    sort: str = ""
    stats: tuple[Stat, ...] = ()
    copies: int = 1
    pile: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperParts:
    """What a game on paper needs beside its cards: parts to print like cards, and things to bring along, in words."""

    printed: tuple[ListedCard, ...] = ()
    brought: tuple[str, ...] = ()


class Held(NamedTuple):
    """How many copies of each card, by name, a seat has in its deck, has drawn, and has played.

    A blinded state gives only the copies that its viewer knows of.
    """

    deck: Counter[str]
    drawn: Counter[str]
    played: Counter[str]


@dataclass(frozen=True)
class CardSet:
    """A ready-made set of cards, or table of numbers, for a game: its game's id, its title, and its text as TOML."""

    game: str
    title: str
    text: str


@dataclass(frozen=True)
class SetPart:
    """A kind of cards in a set that players choose during a game, in words for one and for many, and how many of them.

    `clause` is the number of the rule that says so.
    """

    one: str
    many: str
    needed: int
    clause: str


@dataclass(frozen=True)
class SetGroup:
    """Cards with something in common, by which people filter and count the cards of a set.

    `kind` is what the group is one of, such as ``Caste``: groups of one kind add up in filters, those of different
    kinds narrow. `key` is its short name, `words` are those of its filter, and `many` those for several of its cards.
    `help` says what is meant, if the words do not.
    """

    kind: str
    key: str
    words: str
    many: str
    cards: frozenset[str]
    help: str = ""


@dataclass(frozen=True)
class SetChoice:
    """What a seat that now chooses a set may choose from.

    `cards` are the names of the cards that it can have, each with the number of its part. `taken` are the names of
    those that it has taken already, and `last` those of the set that it can keep, which the action `keep` does; empty
    as long as there is none. `average` says what a set adds up to on average, and `groups` how cards are filtered.
    """

    parts: tuple[SetPart, ...]
    cards: Mapping[str, int]
    taken: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    average: tuple[Stat, ...] = ()
    keep: int = -1
    groups: tuple[SetGroup, ...] = ()


class ChosenSets(Protocol):
    """The sets that players of a game choose from their cards while it is played."""

    def asked(self, book: Any, s: Any, seat: int, /) -> SetChoice | None:
        """Return what a seat, which sees the blinded state `s`, may choose from; None if it chooses no set now."""

    def free(self, book: Any, seat: int, /) -> SetChoice:
        """Return what a seat may choose from before any round, for sets that are made away from a table."""

    def moves(self, book: Any, s: Any, seat: int, names: Sequence[str], deals_rest: bool, /) -> Sequence[int]:
        """Return the actions by which a seat that is asked gets the set of these cards.

        With `deals_rest` the cards that are missing are dealt. Raises BadOption, which names the card and the clause.
        """


class Collection(Protocol):
    """The cards of a game. It may also have `paper`, a PaperParts, and `sets`, a ChosenSets.

    `paper_parts` and `chosen_sets` return them.
    """

    @property
    def option(self) -> str:
        """The name of the option that takes the text of a player's own set; empty if the game takes no own sets."""

    @property
    def decks(self) -> Decks | None:
        """The decks that players bring along; None in a game without decks."""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The kinds of cards and tables in a set, and the fields of each; None in a game that takes no own sets."""

    def base(self) -> str:
        """Return the text of the base set; `cards` and the option read the same cards from it.

        Empty for a game that takes no own sets.
        """

    def cards(self, own: str, /) -> Sequence[ListedCard]:
        """Return the cards that a match can have.

        `own` is the text of a player's own set; empty for the base set, and always in a game that takes no own sets.
        Raises BadOption, which names the line and the card and says what would be right.
        """

    def names(self, book: Any, seat: int, /) -> Sequence[str]:
        """Return the names of a seat's cards; the number of a card in the state is its place in this list, from 0."""

    def held(self, book: Any, s: Any, seat: int, /) -> Held:
        """Return where a seat's cards are, as far as the state knows; a blinded state knows less.

        A game whose state forgets who had a card counts none.
        """


def paper_parts(collection: Collection) -> PaperParts:
    """Return what a game on paper needs beside the cards of its collection."""
    parts: PaperParts = getattr(collection, "paper", PaperParts())
    return parts


def chosen_sets(collection: Collection | None) -> ChosenSets | None:
    """Return the sets that players choose from the cards of a collection; None if they choose none."""
    found: ChosenSets | None = getattr(collection, "sets", None)
    return found


def missing(choice: SetChoice, names: Iterable[str]) -> tuple[tuple[SetPart, int], ...]:
    """Return the parts of which a list of cards has too few or too many, each with how many are missing."""
    counts = Counter(choice.cards[name] for name in names if name in choice.cards)
    lacks = [(part, part.needed - counts[number]) for number, part in enumerate(choice.parts)]
    return tuple((part, number) for part, number in lacks if number)


class PartedCollection(Collection, Protocol):
    """The cards of a game that has parts, such as rounds, if its state knows only the cards of the current part."""

    @property
    def part(self) -> str:
        """The field of the state, a single number, that changes whenever a part begins."""

    def ended(self, book: Any, before: Any, after: Any, seat: int, /) -> Held:
        """Return where a seat's cards were at the end of a part, from the states before and after its last action."""


class RecapFunction(Protocol):
    """A function that says of an event what somebody who looked away must know."""

    def __call__(self, book: Any, event: Event, viewer: int, /) -> Recap:
        """Return the event in a short sentence, as a viewer (-1: a spectator) may know it; empty if it needs no
        telling. Words say ``seat 0`` and so on.
        """


class ReportFunction(Protocol):
    """A function that counts things worth gathering over many games; it uses the same keys in every game played."""

    def __call__(self, book: Any, s: Any, /) -> tuple[Count, ...]:
        """Return the counts of a game that is over."""


class StoryFunction(Protocol):
    """A function by which a game tells its own part of a story, from its book and the `Course` of a finished match."""

    def __call__(self, book: Any, course: Any, /) -> Any:
        """Return what the game tells, a `Tale`; words say ``seat 0`` and so on."""


class ThemesFunction(Protocol):
    """A function that says what a puzzle is about, as far as its solver can see."""

    def __call__(self, book: Any, blinded: Any, seat: int, best: int, /) -> tuple[str, ...]:
        """Return the themes that the best action of a seat shows, each in a few plain words such as ``bluff``."""


PARTS = {
    "collection": {"base": 0, "cards": 1, "names": 2, "held": 3},
    "decks": FUNCTIONS,
    "sets": {"asked": 3, "free": 2, "moves": 5},
    "vocabulary": {"names": 1, "fields": 3},
}
"""The functions of each part, and how many parameters each takes."""
