"""What the conformance suite runs over: every game of the registry and the tutorial's, with all numbers of seats."""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

import quintain
from quintain.engine import home, rng
from quintain.engine.game import Game
from quintain.engine.registry import register_file
from quintain.engine.seen import Seen
from tutorial import kept_goofspiel, write_goofspiel

OUTLAWS = (
    "Robin Hood,Little John,Will Scarlet,Friar Tuck,Much the Miller's Son,Alan-a-Dale,Will Stutely,"
    "David of Doncaster,Gilbert Whitehand,Arthur a Bland,Maid Marian"
)
EXTRA_OPTIONS = {
    "kings-court": {"garnets": "3,1"},
    "rune-war": {"runes": "off"},
    "heirless": {"bandits": "off", "knights": "2"},
    "robin": {"ante": "on", "active": "10", "modifiers": "off", "collection-1": OUTLAWS},
    "goofspiel": {"cards": "4"},
    "round-table": {"decks": "wandering-table,great-houses", "regions": "6"},
}
RARER = {"round-table": 20}
"""Games whose many moves are sampled so much less often."""
MOST_PLIES = 20_000
FIRST_POSITIONS = 6


def tutorial_game() -> Game:
    """Register the tutorial's game."""
    return register_file(kept_goofspiel())


POLICY = """
@rule
def policy(book: Book, s: State, seat: int, mask: list[int], words: list[int]) -> int:
    highest = 0
    for card in range(ACTIONS):
        if mask[card]:
            highest = card
    return highest
"""


def game_with_policy() -> Game:
    """Register Goofspiel with a policy, which always bids the highest card."""
    path = home.data() / "goofspiel_policy.py"
    write_goofspiel(own := tutorial_game().file.with_suffix(f".{os.getpid()}"))
    text = own.read_text(encoding="utf-8").replace('"goofspiel", "Goofspiel"', '"goofspiel-policy", "Goofspiel"')
    before, module, after = text.partition("here = sys.modules")
    own.write_text(before + POLICY.lstrip() + "\n\n" + module + after, encoding="utf-8")
    own.replace(path)
    return register_file(path)


def seen_by(game: Game, book: Any, s: Any, seat: int) -> Seen:
    """Return what a seat sees of a state."""
    return Seen.of(game, book, game.blinded(book, s, seat), seat)


@dataclass(frozen=True)
class Case:
    """A game with a number of seats and options."""

    game: Game
    seats: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game.id, str(self.seats), *(f"{key}={value}" for key, value in self.options.items())])

    @property
    def book(self) -> Any:
        return self.game.make_book(self.seats, self.game.read_options(self.seats, self.options))

    @property
    def is_long(self) -> bool:
        """Tell whether others try the same in less time: with the least and the most seats, or with options."""
        least, most, usual = self.game.seats
        is_slow_twin = self.game.id in RARER and self.seats == usual
        return not self.options and (least < self.seats < most or is_slow_twin)

    @property
    def rarity(self) -> int:
        """How much less often than others this game's positions are sampled."""
        return RARER.get(self.game.id, 1)

    def dealt(self, seed: int) -> Any:
        """Return a state that has just been dealt."""
        s = self.game.state()
        rng.seed(s.rng, seed)
        self.game.rules.deal(self.book, s)
        return s

    def positions(self, seed: int) -> Iterator[tuple[Any, Any]]:
        """Yield the book and each state of one random game, the last one over; a state is played on afterwards."""
        book, s, chooser = self.book, self.dealt(seed), random.Random(seed)
        for _ in range(MOST_PLIES):
            yield book, s
            seats = quintain.engine.game.seats_in(self.game.rules.to_act(book, s))
            if not seats:
                return
            seat = chooser.choice(seats)
            self.game.rules.play(book, s, seat, chooser.choice(self.game.legal_actions(book, s, seat)))
        raise AssertionError(f"{self} has not ended after {MOST_PLIES} plies")

    def sample(self, seed: int, every: int) -> Iterator[tuple[Any, Any]]:
        """Yield copies of about one position in `every` of a random game, the first ones and the last among them.

        With many seats they are fewer: the game is longer, and more viewers look at each position.
        """
        chooser, every = random.Random(seed), every * self.rarity
        for number, (book, s) in enumerate(self.positions(seed)):
            if s.over or number < FIRST_POSITIONS or chooser.randrange(every * self.seats // 2) == 0:
                yield book, s.copy()


def all_cases() -> list[Case]:
    """Return every case; the tutorial's game is registered by it."""
    tutorial_game()
    found = []
    for game in quintain.all_games():
        least, most, usual = game.seats
        found += [Case(game, seats) for seats in range(least, most + 1)]
        if game.id in EXTRA_OPTIONS:
            found.append(Case(game, usual, EXTRA_OPTIONS[game.id]))
    return found


CASES = all_cases()
over_cases = pytest.mark.parametrize(
    "case", [pytest.param(case, id=str(case), marks=[pytest.mark.long] * case.is_long) for case in CASES]
)
"""Over all cases; numbers of seats between the least and the most are among the long tests, and slow twins."""
GAMES = sorted({case.game.id for case in CASES})
over_games = pytest.mark.parametrize("game", [quintain.game(id_) for id_ in GAMES], ids=GAMES)
