"""The nets that come with a game, and the two levels that play by them: Minstrel and Grandmaster.

The file `nets.toml` in a game's folder names its nets, for how many seats each of them plays, and the hash of its file.
A net is read when a bot first asks it. Where there is none for a number of seats, where a net is damaged or was made
for other rules, both levels search without one, and say so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Annotated

import msgspec

from quintain.bots import background, net, net_tree
from quintain.bots.bot import Budget
from quintain.bots.drawing import drawn_action
from quintain.bots.ismcts import Ismcts, Judgement, Turn
from quintain.bots.net_search import NetSearch
from quintain.bots.net_tree import search_by_net
from quintain.engine.errors import BadGame, BadOption
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import Example, is_warm
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import Record
from quintain.engine.seen.seen import Seen

SHARPNESS = 200
"""How much Minstrel sharpens the chances of a net, in hundredths: half as probable is taken a quarter as often."""
WITHOUT = Budget(simulations=200)
"""The budget of a Minstrel that has no net, a Squire's."""
NET_SURVEY, NET_TRIAL = Budget(simulations=400, seconds=1.0), Budget(simulations=200, seconds=0.7)
"""What advice with a net may spend on finding the best moves, and on each of them: no more time than without one."""


class ShippedNet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A net in `nets.toml`: its file in the folder `nets`, the SHA-256 of what is in it, and its numbers of seats.

    `book` are fields of the book that must have these values: with others the net plays badly.
    """

    file: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]+\.safetensors$")]
    sha256: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
    seats: list[int]
    book: dict[str, int] = {}


class _Nets(msgspec.Struct, forbid_unknown_fields=True):
    nets: list[ShippedNet]


@cache
def nets_of(game: Game) -> tuple[ShippedNet, ...]:
    """Return the nets that come with a game; raises BadGame, which names the file, if `nets.toml` is wrong."""
    file = game.folder / "nets.toml" if game.folder else None
    if file is None or not file.is_file():
        return ()
    try:
        return tuple(msgspec.toml.decode(file.read_bytes(), type=_Nets).nets)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadGame(f"{file.parent.name}/{file.name} is not valid: {error}") from error


def _shipped(game: Game, seats: int) -> ShippedNet:
    """Return what `nets.toml` says of the net for a number of seats; raises BadOption if there is none."""
    found = next((each for each in nets_of(game) if seats in each.seats), None)
    if found is None:
        raise BadOption(f"no net comes with {game.title} for {seats} players")
    return found


@cache
def net_for(game: Game, seats: int) -> type[net.Net]:
    """Return the class of bots that play by the net that comes with a game for a number of seats.

    Raises BadOption, which says why there is none, or why it cannot be used.
    """
    found = _shipped(game, seats)
    assert game.folder
    kind = net.bot_of(game.folder / "nets" / found.file)
    if hashlib.sha256((game.folder / "nets" / found.file).read_bytes()).hexdigest() != found.sha256:
        raise BadOption(f"the net {found.file} of {game.title} is damaged: its hash is not the one in nets.toml")
    kind.file.check(game, found.file)
    return kind


def has_net(game: Game, seats: int, book: Record | None = None) -> bool:
    """Tell whether a net that can be used comes with a game for a number of seats, and for a book if one is given."""
    return lack_of_net(game, seats, book) == ""


def lack_of_net(game: Game, seats: int, book: Record | None = None) -> str:
    """Return why no net plays a game with a number of seats, and with a book if one is given; empty if one does."""
    lack = _lack(game, seats)
    if lack or book is None:
        return lack
    if any(getattr(book, name) != value for name, value in _shipped(game, seats).book.items()):
        return f"the net that comes with {game.title} is for other options"
    return ""


@cache
def _lack(game: Game, seats: int) -> str:
    """Return why no net can be used for a number of seats; empty if one can."""
    try:
        net_for(game, seats)
    except BadOption as error:
        return str(error)
    wrong = [name for name in _shipped(game, seats).book if not hasattr(game.book(), name)]
    return f"the nets.toml of {game.title} names {wrong[0]}, which its book does not have" if wrong else ""


class Minstrel:
    """Plays by the net alone, without a search: it draws from the actions that the net finds good."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.words = [0] * 4
        rng.seed(self.words, seed)
        self.note = ""
        self._bots: dict[int, net.Net] = {}
        self._search: Ismcts | None = None

    def choose(self, seen: Seen, budget: Budget) -> int:
        """Return an action; where the game has no net for this table, search as a Squire does."""
        if len(seen.legal) == 1:
            return seen.legal[0]
        seats = self.game.seats_of(seen.book)
        if lack := lack_of_net(self.game, seats, seen.book):
            self.note = f"{lack}, so it searches as a Squire does"
            self._search = self._search or Ismcts(self.game, self.seed)
            return self._search.choose(seen, WITHOUT)
        if seats not in self._bots:
            self._bots[seats] = net_for(self.game, seats)(self.game, self.seed)
        said, _ = self._bots[seats].say(seen)
        return seen.legal[drawn_action([1] * len(said), said, SHARPNESS, self.words)]


class Grandmaster(NetSearch):
    """Searches with the net that comes with the game; where there is none for this table, it searches as a Champion."""

    def _ready_net(self) -> None:
        """Let a process compile the search with a net, so that nobody waits for it."""
        self.lack = ""
        if nets_of(self.game) and not is_warm(self.game, search_by_net):
            background.begin(self.game)

    def net_for(self, seats: int) -> type[net.Net]:
        """Return the class of the bots with the net that comes with the game; raises BadOption if there is none."""
        return net_for(self.game, seats)

    @property
    def note(self) -> str:
        """What people should know about this bot now; empty when it searches with a net."""
        if self.lack:
            return f"{self.lack}, so it searches without one"
        if not is_warm(self.game, search_by_net) and background.is_running(self.game):
            return "its search with a net is getting ready, and until then it searches without one"
        return super().note

    def _begin(self, seen: Seen, budget: Budget) -> Turn:
        self.lack = lack_of_net(self.game, self.game.seats_of(seen.book), seen.book)
        return Ismcts._begin(self, seen, budget) if self.lack else super()._begin(seen, budget)


class Adviser(Grandmaster):
    """Gives the advice of a search with the net that comes with the game, or of one without it.

    A net knows the game as its usual options make it, unless it reads features, which tell it of all cards. Where a
    table has other options than it knows, no net advises.
    """

    note = Ismcts.note  # a search without a net advises well, too

    def advise(self, seen: Seen, survey: Budget = NET_SURVEY, trial: Budget = NET_TRIAL) -> list[Judgement]:
        """Return the judgement of the best three legal actions, the best first."""
        if self._is_known(seen) and is_warm(self.game, search_by_net):
            return super().advise(seen, survey, trial)
        return Ismcts(self.game, self.seed, self.threads).advise(seen)

    def _begin(self, seen: Seen, budget: Budget) -> Turn:
        return super()._begin(seen, budget) if self._is_known(seen) else Ismcts._begin(self, seen, budget)

    def _is_known(self, seen: Seen) -> bool:
        """Tell whether a net that can be used comes with the game for this table."""
        seats = self.game.seats_of(seen.book)
        return has_net(self.game, seats, seen.book) and (
            self.game.has_features or _usual_book(self.game, seats) == seen.book
        )


@cache
def _usual_book(game: Game, seats: int) -> Record:
    """Return the book of a game with its usual options; making one takes as long as a short search."""
    return game.make_book(seats, game.read_options(seats, {}))


def drivers(game: Game) -> Iterator[Example]:
    """Yield what the levels with a net run; nothing if no net comes with the game."""
    if nets_of(game):
        yield from net.drivers(game)
        yield from net_tree.drivers(game)
