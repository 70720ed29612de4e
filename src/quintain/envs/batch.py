"""`Batch`: many games of one kind, stepped in one call of compiled code.

Its arrays are made once; `reset` and `step` write into them. Each game has a place, the first index of every array.
Where a game ends, its place shows the returns and, unless `auto_reset` is off, the next game.

>>> batch = Batch("kings-court", 64)
>>> batch.reset(seeds=7)
>>> for _ in range(200):
...     batch.step(batch.sample())
>>> bool((batch.returns.sum(axis=1) == 0).all())
True
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np

from quintain.engine.errors import BadOption, IllegalMove, quoted
from quintain.engine.rules import rng
from quintain.engine.rules.compiling.compiled import Example
from quintain.engine.rules.game import Game
from quintain.engine.rules.state import GameState
from quintain.envs import memory, saves
from quintain.envs.arguments import (
    MOST_SEED,
    OBSERVATIONS,
    Form,
    check_observation,
    game_of,
    read_places,
    read_seeds,
    settings_of,
    whole_number,
    whole_numbers,
)
from quintain.envs.drivers import PlaceDrivers
from quintain.envs.features import Features
from quintain.envs.stepping import RIGHT

if TYPE_CHECKING:
    import numpy.typing as npt

    from quintain.engine.rules.observation import ObservationLayout

__all__ = ["Batch"]

MOST_GAMES, MOST_THREADS = 1_000_000, 256
OWN = 4
"""Sets the hash for the caller's own chance apart from those that decide the game."""

Other = Literal["random", "policy", "greedy", "page", "caller"]
"""How the seats other than the learner's choose; with "caller", the caller plays them, too."""
F = TypeVar("F", bound=Callable[..., object])


def _alone(method: F) -> F:
    """Let only one thread at a time use a batch: an action that was checked in one state must be played in that one."""

    @functools.wraps(method)
    def locked(batch: Batch, *arguments: object, **named: object) -> object:
        if not batch._lock.acquire(blocking=False):
            raise BadOption("another thread is using this batch: give each thread a batch of its own")
        try:
            return method(batch, *arguments, **named)
        finally:
            batch._lock.release()

    return cast(F, locked)


class Batch:
    """Games of one kind that are stepped together.

    `games` is their number, `seats` and `options` are those of each game, `observation` is "float32", "int8", or None
    for none; "open" is "float32" with all that is hidden from the seat, which is unfair to play by. Secret choices of
    several seats come one after another, the lowest seat first, or, with `together`, in one step. With `learner`, the
    caller plays only that seat, and the others play at random, by the policy of a game that has one ("policy"), or as
    the levels "greedy" and "page" do. With a list of these as `others`, each game draws one of them by its seed; in
    games that draw "caller", the caller is asked for the other seats, too. `threads` share the games among them; the
    results do not depend on it. `boundscheck`, for tests, compiles code that checks every index.

    These arrays change in place. N is the number of games, S that of seats, A that of actions, and W the width of an
    observation. With `together`, the first three have an axis of the seats after the first one.

    - `observation`: (N, W), float32 or int8, as the seat in `seat` sees it; columns are described by `layout`;
    - `mask`: (N, A) int8, 1 for each legal action;
    - `actions` of `step`: (N,) whole numbers;
    - `seat`: (N,) int64, the lowest seat that is asked; -1 where the game is over;
    - `to_act`: (N,) int64, all seats that are asked, as bits;
    - `opponent`: (N,) int64, which of the `others` plays in this game, 0 for the first;
    - `reward`: (N, S) float32, what each seat got by the last step: its return if the game ended, otherwise 0;
    - `done`: (N,) bool, whether the last step ended the game;
    - `returns`: (N, S) float32, and `scores`: (N, S) int64, of the game that ended last in this place.

    Raises UnknownGame, and BadOption for a wrong argument.
    """

    def __init__(
        self,
        game: str | Game,
        games: int,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        observation: Form | None = "float32",
        together: bool = False,
        auto_reset: bool = True,
        learner: int | None = None,
        others: Other | Sequence[Other] = "random",
        threads: int = 1,
        boundscheck: bool = False,
    ) -> None:
        self.game = game_of(game)
        self.games = whole_number("games", games, 1, MOST_GAMES)
        self.threads = whole_number("threads", threads, 1, MOST_THREADS)
        self.seats = self.game.check_seats(int(seats) if isinstance(seats, np.integer) else seats)
        self.options = self.game.read_options(self.seats, options or {})
        self.book = self.game.make_book(self.seats, self.options)
        check_observation(observation)
        if not isinstance(boundscheck, bool):
            raise BadOption(f"boundscheck is True or False, not {quoted(boundscheck)}")
        self.is_dealt = False
        self._observed = observation
        self._settings = settings_of(self.game, self.seats, together, auto_reset, learner, others)
        self._arguments = {
            "seats": self.seats, "options": self.options, "observation": observation, "together": together,
            "auto_reset": auto_reset, "learner": learner, "others": others, "threads": threads,
            "boundscheck": boundscheck,
        }  # fmt: skip
        self._lock = threading.Lock()
        self._check_memory()
        self._drivers = PlaceDrivers(
            self.game, self.book, self.games, self._settings, observation, self.threads, boundscheck
        )
        self._places = self._drivers.places
        self._show_arrays()

    @property
    def layout(self) -> ObservationLayout:
        """The columns of `observation`; raises BadOption for a batch without observations."""
        if self._observed is None:
            raise BadOption("this batch has no observations: make it with observation='float32' or 'int8'")
        return self.game.observation_int8 if self._observed == "int8" else self.game.observation

    def __repr__(self) -> str:
        width = f", {self.layout.size} columns, {self._observed}" if self._observed else ""
        return f"<Batch of {self.games} games of {self.game.title}, {self.seats} seats{width}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let copies and pickles be batches of their own, which go on from the same states."""
        return _copied, (self.game, self.games, self._arguments, self.save() if self.is_dealt else None)

    def check_options(self, given: Mapping[str, object] | None) -> None:
        """Raise BadOption if `reset` could not take these options."""
        if given:
            self.game.make_book(self.seats, self._merged(given))

    @_alone
    def reset(
        self,
        seeds: int | npt.ArrayLike,
        options: Mapping[str, object] | None = None,
        places: npt.ArrayLike | None = None,
    ) -> None:
        """Deal a first game in every place, or only in `places`: (N,) bool.

        `seeds` holds a whole number from 0 to 2**63 - 1 for each place; game n of a place with the seed x is dealt from
        mix(x, n), so equal seeds mean equal games. A single number x gives place i the seed mix(x, i). `options` of the
        game replace those of the same names, from this deal on; they hold for all games, so they go with no `places`.
        Raises BadOption, and changes nothing then.
        """
        read, chosen = read_seeds(seeds, self.games), read_places(places, self.games)
        if chosen is None:
            chosen = self._drivers.all
            if options:
                self._change_options(options)
        elif options:
            raise BadOption("options of the game hold in all places: change them by a reset without `places`")
        else:
            self._check_dealt()
        self._reseed(read, chosen)
        self._deal(chosen)
        self._places.done[chosen] = self._places.to_act[chosen] == 0
        self.is_dealt = True

    def _reseed(self, seeds: int | npt.NDArray[np.int64], chosen: npt.NDArray[np.bool_]) -> None:
        """Give the chosen places new seeds; what their games before brought is gone."""
        kept = self._places.seeds.copy()
        if isinstance(seeds, int):
            self._drivers.spread(seeds)
        else:
            self._places.seeds[:] = seeds
        self._places.seeds[~chosen] = kept[~chosen]
        for array in (self._places.games, self._places.reward, self._places.returns, self._places.scores):
            array[chosen] = 0
        if chosen is self._drivers.all:
            rng.seed(self._drivers.words, rng.mix(int(self._places.seeds[0]), 0, 2))

    @_alone
    def step(self, actions: npt.ArrayLike, places: npt.ArrayLike | None = None) -> None:
        """Play an action in every place: one for the seat in `seat`, or, with `together`, one for each seat in turn.

        With `together` the entries of seats that are not asked do not count. With `places`, (N,) bool, only these games
        go on; the others stand still, and their entries do not count. Raises IllegalMove if an action is not legal, or
        a game is over, and BadOption for anything but whole numbers of the right shape; nothing changes then.
        """
        chosen = read_places(places, self.games)
        self._read_actions(actions)
        self._drivers.chosen[:] = True if chosen is None else chosen
        wrong = self._drivers.find_wrong()
        if wrong != RIGHT:
            raise IllegalMove(self._what_is_wrong(wrong, np.asarray(actions)))
        self._drivers.step()
        self._show(self._drivers.all if chosen is None else chosen)

    @_alone
    def reset_done(self, places: npt.ArrayLike | None = None) -> None:
        """Deal the next game in every place whose game is over, or in those of `places`, (N,) bool, where it is.

        You only need it without `auto_reset`. Raises BadOption for wrong places.
        """
        self._check_dealt()
        chosen = read_places(places, self.games)
        over = (self._places.to_act == 0) & (True if chosen is None else chosen)
        if over.any():
            self._deal(over)

    @_alone
    def sample(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for each slot, shaped as `step` takes them; 0 for a seat that is not asked.

        The seeds of `reset` decide them.
        """
        self._check_dealt()
        self._drivers.sample()
        actions = self._drivers.sampled.copy()
        return actions if self._settings.together else actions[:, 0]

    @_alone
    def observe(self, seat: int, *, is_open: bool = False) -> npt.NDArray[Any]:
        """Return a new array with the observations of one seat, asked or not: (N, W).

        Those that are open hold what is hidden from the seat, too: for the critic of an actor that sees its own.
        """
        self._check_dealt()
        observer = np.full((self.games, 1), whole_number("seat", seat, 0, self.seats - 1), np.int64)
        out = np.zeros((self.games, 1, self.layout.size), self.observation.dtype)
        self._drivers.write_rows(observer, self._drivers.all, out, int(is_open or self._drivers.is_open))
        return out[:, 0]

    @_alone
    def features(self) -> Features:
        """Return the features of what each asked seat sees, and of its legal actions, where the game writes them.

        Raises BadOption if it writes none, or if seats choose together.
        """
        self._check_dealt()
        if not self.game.has_features:
            raise BadOption(f"{self.game.title} writes no features: learn from the observation of the batch")
        if self._settings.together:
            raise BadOption("features are those of one seat at a time: make the batch without together")
        return self._drivers.features()

    def game_seed(self, place: int) -> int:
        """Return a number for chance of your own, which follows from the seed of a place and the number of its game."""
        self._check_dealt()
        at = whole_number("place", place, 0, self.games - 1)
        return rng.mix(int(self._places.seeds[at]), int(self._places.games[at]) - 1, OWN)

    @_alone
    def state(self, place: int) -> GameState:
        """Return a copy of the true state of a place, with all its secrets. Blind it before you show it to a player."""
        self._check_dealt()
        at = whole_number("place", place, 0, self.games - 1)
        return self.game.state.unpack(self._places.states[at : at + 1].tobytes())

    @_alone
    def save(self) -> bytes:
        """Return everything that `restore` needs to go on from here, chance included."""
        self._check_dealt()
        return saves.packed(self._made_for(), self._kept())

    @_alone
    def restore(self, saved: bytes) -> None:
        """Go on from what `save` returned.

        Raises BadRecord, and changes nothing, if the save is damaged, or comes from a batch of another game, with other
        options or another number of games. Restore only what you saved yourself: a position that no game can reach
        could crash compiled code.
        """
        kept = self._kept()
        for name, array in saves.unpacked(saved, self._made_for(), kept).items():
            kept[name][...] = array
        self._drivers.offer()
        self._show(self._drivers.all)
        self.is_dealt = True

    def _merged(self, given: Mapping[str, object]) -> dict[str, object]:
        """Return all options after a change of some; raises BadOption."""
        known = self.options if isinstance(given, Mapping) else {}
        return self.game.read_options(self.seats, {**known, **given} if known else given)

    def _change_options(self, given: Mapping[str, object]) -> None:
        """Let all games go by other options from now on."""
        options = self._merged(given)
        book = self.game.make_book(self.seats, options)
        self._drivers.change_book(book)
        self.options, self.book, self._arguments["options"] = options, book, options

    def _show_arrays(self) -> None:
        """Make the arrays that callers see. Who may act, and what is legal, are copies: nobody can change the rules."""
        places, rows = self._places, self._drivers.rows
        self._masks = memory.zeros(places.mask.shape, np.int8)
        self.observation = rows[...] if self._settings.together else rows[:, 0]
        self.mask = self._masks[...] if self._settings.together else self._masks[:, 0]
        self.seat, self.to_act = np.zeros_like(places.seat), np.zeros_like(places.to_act)
        self.opponent = np.zeros_like(places.opponent)
        # Views: whoever gives one of them another shape changes nothing that compiled code works on.
        self.reward, self.done, self.returns, self.scores = (
            array[...] for array in (places.reward, places.done, places.returns, places.scores)
        )

    def _show(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Write what callers see into their arrays; of observations, those of the chosen places."""
        if self._observed:
            self._drivers.look(chosen)
        self._masks[:] = self._places.mask
        self.seat[:], self.to_act[:] = self._places.seat, self._places.to_act
        self.opponent[:] = self._places.opponent

    def _deal(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Deal the next game in the chosen places, and show what has become of them."""
        self._drivers.deal(chosen)
        self._show(chosen)

    def _check_dealt(self) -> None:
        if not self.is_dealt:
            raise BadOption("no game is dealt yet: call reset with seeds first")

    def _read_actions(self, actions: npt.ArrayLike) -> None:
        """Read the actions of a step for the drivers; raises BadOption for what can be none."""
        self._check_dealt()
        shape = self._places.choices.shape if self._settings.together else (self.games,)
        axes = "games and seats" if self._settings.together else "games"
        words = f"actions are whole numbers in an array of the shape {shape}, one for each of the {axes}"
        array = whole_numbers(actions, words)
        if array.shape != shape:
            raise BadOption(f"{words}, not of the shape {array.shape}")
        if array.dtype == np.uint64:
            array = np.minimum(array, np.uint64(MOST_SEED))
        self._drivers.actions[...] = array.reshape(self._places.choices.shape)  # what is checked is what is played

    def _what_is_wrong(self, wrong: int, actions: npt.NDArray[np.int64]) -> str:
        """Return what is wrong with the action in a slot, and what would be right."""
        place, slot = divmod(wrong, self._places.choices.shape[1])
        if self._places.to_act[place] == 0:
            return f"the game in place {place} is over: call reset_done to deal the next one"
        seat = slot if self._settings.together else int(self._places.seat[place])
        legal = np.flatnonzero(self._places.mask[place][slot]).tolist()
        shown = ", ".join(map(str, legal[:20])) + ", ..." * (len(legal) > 20)
        action = actions.reshape(self._places.choices.shape)[place, slot]
        return f"action {action} of seat {seat} in place {place} is not legal; legal are {shown}"

    def _made_for(self) -> dict[str, object]:
        """Return what a save must share with the batch that restores it, as JSON data."""
        settings = self._settings
        fields = hashlib.sha256(repr(self.game.state.dtype()).encode()).hexdigest()
        return {
            "game": self.game.id, "version": self.game.version, "state": fields, "games": self.games,
            "seats": self.seats, "options": {name: str(value) for name, value in sorted(self.options.items())},
            "together": settings.together, "learner": settings.learner, "others": settings.others.tolist(),
        }  # fmt: skip

    def _kept(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays that a save holds by name: states as bytes, and the generator of `sample`."""
        arrays = {name: getattr(self._places, name) for name in saves.KEPT} | {"words": self._drivers.words}
        return arrays | {"states": self._places.states.view(np.uint8)}

    def _check_memory(self) -> None:
        """Raise BadOption for a batch that the machine has no memory for."""
        slots = self.seats if self._settings.together else 1
        width = self.layout.size * (1 if self._observed == "int8" else 4) if self._observed else 0
        memory.check(self.games, self.game.state.dtype().itemsize + slots * (2 * self.game.actions + width))


def _copied(game: Game, games: int, arguments: dict[str, Any], saved: bytes | None) -> Batch:
    """Return a batch of its own from what its copy or pickle holds."""
    batch = Batch(game, games, **arguments)
    if saved is not None:
        batch.restore(saved)
    return batch


def drivers(game: Game) -> Iterator[Example]:
    """Yield all drivers that batches of a game call."""
    for observation in OBSERVATIONS:
        yield from Batch(game, 1, observation=observation)._drivers.examples()
