"""The registry of games: those in `quintain.games`, and those that `register_file` reads from Python files."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import re
import sys
import traceback
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from quintain.engine.errors import BadGame, UnknownGame
from quintain.engine.rules.checks import check_rules
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import reached

_games: dict[str, Game] = {}


def register(game: Game) -> None:
    """Add a game, or replace the game with the same id."""
    _games[game.id] = game


def register_file(path: Path | str) -> Game:
    """Register the game that a Python file defines as GAME, and return it; raises BadGame."""
    path = Path(path)
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()  # two files may have one name in two folders
    name = f"game_file_{re.sub(r'[^A-Za-z0-9]', '_', path.stem)}_{digest[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise BadGame(f"{path} is not a Python file" if path.exists() else f"there is no file {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:  # not by the loader: it takes old bytecode for a file that was rewritten within a second
        exec(compile(path.read_bytes(), path.absolute(), "exec"), vars(module))
    except BadGame as error:
        raise BadGame(f"{path} cannot be loaded: {error}") from error
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) == path.absolute()]
        place = f"line {lines[-1]}: " if lines else ""
        raise BadGame(f"{path} cannot be loaded: {place}{type(error).__name__}: {error}") from error
    if not isinstance(getattr(module, "GAME", None), Game):
        raise BadGame(f"{path} defines no GAME = Game(...)")
    made: Game = module.GAME
    check_rules(reached(made, made.written.values()))
    if made.id in [found.id for found in own_games()]:
        raise BadGame(f"{path} defines a game {made.id}, which is here already: give it an id of its own")
    register(made)
    return made


def register_files(paths: Iterable[Path]) -> list[Game]:
    """Register the games of several Python files; raises BadGame, for two files that define a game of one id, too."""
    made: dict[str, Path] = {}
    for path in paths:
        id_ = register_file(path).id
        if made.setdefault(id_, path) != path:
            raise BadGame(f"{made[id_]} and {path} both define a game {id_}: give one of them another id")
    return [_games[id_] for id_ in made]


def all_games() -> list[Game]:
    """Return every registered game, sorted by id."""
    for found in own_games():
        _games.setdefault(found.id, found)
    return [_games[id_] for id_ in sorted(_games)]


def game(id_: str) -> Game:
    """Return the game with this id; raises UnknownGame, which names all games."""
    if id_ not in _games and id_ not in (ids := [known.id for known in all_games()]):
        raise UnknownGame(f"there is no game {id_!r}; there are {', '.join(ids)}")
    return _games[id_]


@cache
def own_games() -> tuple[Game, ...]:
    """Return the games of this package. To look into its folder takes 0.2 ms, and pages ask many times."""
    package = importlib.import_module("quintain.games")
    modules = [
        importlib.import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)
    ]
    return tuple(module.GAME for module in modules)
