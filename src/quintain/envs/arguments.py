"""The arguments of `Batch`: each is checked before anything is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from quintain.engine.errors import BadOption, quoted
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import game as find_game
from quintain.envs.stepping import AS_PAGE, AT_RANDOM, BY_CALLER, BY_POLICY, GREEDILY, NOBODY, Settings

if TYPE_CHECKING:
    import numpy.typing as npt

MOST_SEED = 2**63 - 1
OTHERS = {"random": AT_RANDOM, "policy": BY_POLICY, "greedy": GREEDILY, "page": AS_PAGE, "caller": BY_CALLER}
WAYS = ", ".join(f"'{name}'" for name in OTHERS)
Form = Literal["float32", "int8", "open"]
OBSERVATIONS: tuple[Form, ...] = ("float32", "int8", "open")
"""The kinds of observations: as floats or as bytes, and, as floats, with all that is hidden from the seat."""


def game_of(given: str | Game) -> Game:
    """Return a game, given itself or its id; raises UnknownGame and BadOption."""
    if not isinstance(given, str | Game):
        raise BadOption(f"a game is an id such as those of quintain.all_games(), or a Game, not {quoted(given)}")
    return find_game(given) if isinstance(given, str) else given


def check_observation(given: object) -> None:
    """Raise BadOption for anything but a kind of observation, or None for none."""
    if given is not None and (not isinstance(given, str) or given not in OBSERVATIONS):
        raise BadOption(f"an observation is 'float32', 'int8', 'open' or None, not {quoted(given)}")


def settings_of(
    game: Game, seats: int, together: object, auto_reset: object, learner: int | None, others: object
) -> Settings:
    """Return the settings of a batch; raises BadOption for a wrong one."""
    if not isinstance(together, bool) or not isinstance(auto_reset, bool):
        raise BadOption(f"together and auto_reset are True or False, not {quoted(together)} and {quoted(auto_reset)}")
    names = names_of(others)
    if "policy" in names and "policy" not in game.written:
        raise BadOption(f"{game.title} has no policy of its own: let the others play 'random'")
    if learner is not None and together:
        raise BadOption("together is for a caller that plays all seats; with a learner it must be off")
    alone = NOBODY if learner is None else whole_number("learner", learner, 0, seats - 1)
    return Settings(seats, together, auto_reset, alone, np.array([OTHERS[name] for name in names], np.int64))


def names_of(others: object) -> list[str]:
    """Return the ways in which others may choose, by name; raises BadOption for anything else."""
    names = list(others) if isinstance(others, list | tuple) else [others]
    for name in names:
        if not isinstance(name, str) or name not in OTHERS:
            raise BadOption(f"the others play {WAYS}, or by a list of these, not {quoted(name)}")
    if not names:
        raise BadOption(f"a list of others is empty: name at least one of {WAYS}")
    return [str(name) for name in names]


def whole_number(name: str, given: object, least: int, most: int) -> int:
    """Return a whole number within bounds; raises BadOption, which names it."""
    if not isinstance(given, int | np.integer) or isinstance(given, bool) or not least <= int(given) <= most:
        raise BadOption(f"{name} is a whole number from {least} to {most}, not {quoted(given)}")
    return int(given)


def whole_numbers(given: npt.ArrayLike, words: str) -> npt.NDArray[Any]:
    """Return an array of whole numbers; raises BadOption, which begins with these words."""
    if isinstance(given, np.ma.MaskedArray):
        raise BadOption(f"{words}, not a masked array")
    try:
        array = np.asarray(given)
    except (ValueError, TypeError, OverflowError) as error:
        raise BadOption(f"{words}; numpy cannot make an array of them: {error}") from None
    if array.dtype.kind not in "iu":
        raise BadOption(f"{words}, not of the type {array.dtype}")
    return array


def read_places(places: npt.ArrayLike | None, games: int) -> npt.NDArray[np.bool_] | None:
    """Return the places that a call is about, as flags, or None for all; raises BadOption."""
    if places is None:
        return None
    words = f"places are an array of {games} of True and False, one for each game"
    try:
        array = np.asarray(places)
    except (ValueError, TypeError) as error:
        raise BadOption(f"{words}; numpy cannot make an array of them: {error}") from None
    if array.dtype != np.bool_ or array.shape != (games,):
        raise BadOption(f"{words}, not of the type {array.dtype} and the shape {array.shape}")
    return array.copy()  # what is checked is what is used


def read_seeds(seeds: int | npt.ArrayLike, games: int) -> int | npt.NDArray[np.int64]:
    """Return the single seed of a batch, or an array with that of each place; raises BadOption."""
    words = f"seeds are a whole number from 0 to {MOST_SEED}, or {games} of them, one for each game"
    if isinstance(seeds, int | np.integer) and not isinstance(seeds, bool):
        if not 0 <= int(seeds) <= MOST_SEED:
            raise BadOption(f"{words}, not {quoted(seeds)}")
        return int(seeds)
    array = whole_numbers(seeds, words)
    if array.shape != (games,):
        raise BadOption(f"{words}, not an array of the shape {array.shape}")
    if len(wrong := np.flatnonzero((array < 0) | (array > MOST_SEED))):
        raise BadOption(f"{words}; place {wrong[0]} has {array[wrong[0]]}")
    return array.astype(np.int64)
