"""The registry of games: those in `quintain.games`, those of other packages, and those from Python files.

Packages bring their games, and card sets for games, as plug-ins (see `plugins`).
"""

from __future__ import annotations

import copyreg
import hashlib
import importlib
import importlib.util
import pickle
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from quintain.engine import plugins
from quintain.engine.errors import BadCards, BadGame, UnknownGame, quoted
from quintain.engine.plugins import Plugin
from quintain.engine.rules.checks import check_rules
from quintain.engine.rules.collection import CardSet
from quintain.engine.rules.contract import CONTRACT
from quintain.engine.rules.game import Game
from quintain.engine.rules.linking import reached

_games: dict[str, Game] = {}
_arrived: dict[tuple[str, bytes], Game] = {}
"""Games that came from other processes, by the path and the text of their files."""
_followers: list[Callable[[Game], None]] = []


def register(game: Game) -> None:
    """Add a game to those that commands, the server, the lab and the environments list; raises BadGame.

    An id is taken once and for all: if another game has it, this one needs an id of its own.
    """
    taken = {known.id: known for known in all_games()}.get(game.id)
    if taken is not None and taken is not game:
        raise BadGame(f"there is a game {game.id} already, {_origin(taken)}: give this one an id of its own")
    _add(game)


def for_each_game(follow: Callable[[Game], None]) -> None:
    """Call a function with every game that is registered now, and with each that will be registered later."""
    for known in all_games():
        follow(known)
    _followers.append(follow)


def _add(game: Game) -> None:
    _games[game.id] = game
    for follow in _followers:
        follow(game)


def _origin(game: Game) -> str:
    """Return in words where a game comes from."""
    if game.package:
        return f"of the package {game.package}"
    return "one of Quintain's own" if game in own_games() else f"in {game.module.__file__}"


def register_file(path: Path | str) -> Game:
    """Register the game that a Python file defines as GAME, and return it; raises BadGame.

    It replaces the game of an id that came from a file, too: authors change their files and work on copies.
    """
    path = Path(path)
    if not path.is_file():
        raise BadGame(f"{path} is not a Python file" if path.exists() else f"there is no file {path}")
    made = _made(path, path.read_bytes())
    taken = {known.id: known for known in all_games()}.get(made.id)
    if taken is not None and not taken.is_from_file:
        raise BadGame(f"{path} defines a game {made.id}, which is here already, {_origin(taken)}: give it another id")
    _add(made)
    return made


def _made(path: Path, source: bytes) -> Game:
    """Return the game that the text of a file defines; raises BadGame.

    Its module is named after the file and its text: two files may have one name in two folders, and matches that travel
    to another process find their classes there by the name of the module.
    """
    digest = hashlib.sha256(str(path.resolve()).encode() + source).hexdigest()
    name = f"game_file_{re.sub(r'[^A-Za-z0-9]', '_', path.stem)}_{digest[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadGame(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:  # not by the loader: it takes old bytecode for a file that was rewritten within a second
        exec(compile(source, path.absolute(), "exec"), vars(module))
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
    made.is_from_file, made.source = True, (str(path.absolute()), source)
    return made


def _reduced(given: Game) -> tuple[Callable[..., Game], tuple[object, ...]]:
    """Let a game travel to another process: by its source if it is from a file, otherwise by its id."""
    if given.source is not None:
        return _travelled, (given.id, *given.source)
    if given in all_games():
        return game, (given.id,)
    raise pickle.PicklingError(f"{given.title} cannot be pickled: register it, or read it with `register_file`")


copyreg.pickle(Game, _reduced)


def _travelled(id_: str, path: str, source: bytes) -> Game:
    """Return the game of a file as it was read elsewhere; it is registered here unless another game has its id."""
    here = _games.get(id_)
    if here is not None and here.source == (path, source):
        return here
    if (path, source) not in _arrived:
        _arrived[path, source] = _made(Path(path), source)
    made = _arrived[path, source]
    if id_ not in [known.id for known in all_games()]:
        _add(made)
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
    for found in (*own_games(), *package_games()):
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


_packaged: list[Game] = []


def package_games() -> Iterable[Game]:
    """Return the games of other packages. The first call also hands their card sets to the games."""
    plugins.load({"games": _take_game, "cards": _take_cards})
    return _packaged


def _take_game(plugin: Plugin, found: object) -> None:
    """Accept the game of a package; raises BadGame."""
    if not isinstance(found, Game):
        raise BadGame(f"{plugin.object} must be a Game, such as package:GAME, not {type(found).__name__}")
    if found.contract is None:
        raise BadGame(f"the game {found.id} does not say for which contract it was written: add contract={CONTRACT}")
    if taken := {known.id: known for known in (*own_games(), *_packaged)}.get(found.id):
        raise BadGame(f"there is a game {found.id} already, {_origin(taken)}: give this one an id of its own")
    if plugin.name != found.id:
        raise BadGame(f"the entry point is named {plugin.name}, and the game {found.id}: give both the same name")
    check_rules(reached(found, found.written.values()))
    found.package = plugin.package
    _packaged.append(found)
    for follow in _followers:
        follow(found)


def _take_cards(plugin: Plugin, found: object) -> None:
    """Accept the card set of a package; raises BadCards and other errors, which say what is wrong."""
    if not isinstance(found, CardSet):
        raise BadCards(f"{plugin.object} must be a CardSet, not {type(found).__name__}")
    game = {known.id: known for known in (*own_games(), *package_games())}.get(found.game)
    if game is None:
        raise BadCards(f"the set is for a game {found.game!r}, which is not here")
    if game.collection is None or not game.collection.option:
        raise BadCards(f"the set is for {game.title}, which takes no cards of one's own")
    if not isinstance(found.text, str) or not found.text.strip():
        raise BadCards(f"the text of the set must be that of a file, not {quoted(found.text)}")
    if plugin.name in game.card_sets:
        raise BadCards(f"{game.title} has a set {plugin.name} already: give this one another name")
    option, seats = game.collection.option, game.check_seats(None)
    options = game.read_options(seats, {option: found.text})
    game.make_book(seats, options)
    game.card_sets[plugin.name] = replace(found, text=str(options[option]))
