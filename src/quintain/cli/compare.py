"""`quintain compare`: two ways to play a game, side by side.

It plays a trial, which `trials` shows, or makes a report on each, which takes longer.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quintain.cli import files, trials
from quintain.cli.arguments import (
    BatchSeed,
    GameFile,
    GameId,
    Options,
    RayAddress,
    Workers,
    bots_option,
    find,
    new_progress,
    open_pool,
    read_seed,
)
from quintain.cli.output import AsJson
from quintain.cli.report import POLICY, ReportFiles, Writers, publish, writer_of
from quintain.engine.errors import BadOption, nearest, quoted
from quintain.engine.rules.game import Game
from quintain.engine.rules.options import FILE_KINDS
from quintain.engine.rules.registry import register_file

if TYPE_CHECKING:
    from quintain.lab.compare import Setting
    from quintain.lab.pools import WorkerPool

KEYS = {"name": str, "options": dict, "bots": list, "seats": int, "game-file": str}
"""What a file of `--set` may have, and of which type."""
CALLED = {str: "a text", dict: "a table", list: "a list", int: "a whole number"}
"""The types in words."""


def compare_sets(
    game_id: GameId,
    set_: Annotated[
        list[Path],
        typer.Option("--set", metavar="FILE.toml", help="One way to play: its options, bots or cards. Give two."),
    ],
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many games with each.")] = 2000,
    bot: Annotated[str, bots_option("The bot that plays all seats, unless a file names bots.", metavar="BOT")] = POLICY,
    until_sure: Annotated[
        bool, typer.Option("--until-sure", help="Stop as soon as the verdict is certain, after at most N games.")
    ] = False,
    reports: Annotated[
        bool, typer.Option("--report", help="Make a report on each instead, with actions and courses; it is slow.")
    ] = False,
    actions: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="How many actions and cards the report lists: those that differ most."),
    ] = None,
    seed: BatchSeed = None,
    option: Options = None,
    out: ReportFiles = None,
    workers: Workers = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
    game_file: GameFile = None,
) -> None:
    """Let bots play a game in two ways on equal deals, and say what has changed: cards, decks, seats and length.

    A FILE.toml has `options = {...}`, and may have `name`, `bots`, `seats` and `game-file`; or it is a set of cards.
    `--report`, `--out` and `--actions` ask for a whole report on each.
    """
    settings = _read_settings(find(game_id, game_file), set_, option or [], bot)
    writers = [(path, writer_of(path)) for path in out or []]
    seed = read_seed(seed, None)
    with open_pool(ray, workers) as pool:
        if reports or writers or actions is not None:
            _report(settings, n, seed, pool, 50 if actions is None else actions, writers, as_json)
        else:
            trials.show(settings, n, seed, pool, until_sure, as_json)


def _read_settings(game: Game, paths: Sequence[Path], option: Sequence[str], bot: str) -> list[Setting]:
    """Return the settings of two files; raises BadOption."""
    given = files.read_options(game, option)
    if len(paths) != 2:
        raise BadOption(f"two sets are compared: give --set FILE.toml twice, not {len(paths)} times")
    return [read_setting(game, path, given, bot) for path in paths]


def _report(
    settings: Sequence[Setting], n: int, seed: int, pool: WorkerPool, actions: int, writers: Writers, as_json: bool
) -> None:
    """Make a report on each setting, and show them side by side."""
    from quintain.lab.compare import compare, comparison, differences
    from quintain.lab.report import WATCHED

    with new_progress() as progress:
        task = progress.add_task("games", total=2 * (n + min(n, WATCHED)))
        found = compare(settings, n, seed, lambda more: progress.advance(task, more), pool)
    sets = [{"name": each.name, **made.document} for each, made in zip(settings, found, strict=True)]
    document = {"sets": sets, "differences": differences(found)} if as_json else None
    publish(comparison(settings, found, actions), writers, document)


def read_setting(game: Game, path: Path, given: dict[str, Any], bot: str = POLICY) -> Setting:
    """Return the setting of a file; it may have other options and bots than those `given`. Raises BadOption."""
    from quintain.lab.compare import Setting

    text = files.read_text(path, BadOption)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadOption(f"{files.called(path)} is not TOML: {error}") from error
    if not found.keys() & KEYS.keys() and game.collection and game.collection.option:
        found = {"options": {game.collection.option: text}}
    with files.naming(path):
        for key, value in found.items():
            if key not in KEYS:
                raise BadOption(f"a set has no {key!r}; it may have {', '.join(KEYS)}{nearest(key, list(KEYS))}")
            if type(value) is not KEYS[key]:
                raise BadOption(f"{key} must be {CALLED[KEYS[key]]}, not {value!r}")
        if "game-file" in found:
            game = register_file(path.parent / found["game-file"])
        options = {
            name: _read_files(game, name, value, path.parent) for name, value in found.get("options", {}).items()
        }
        bots = [str(each) for each in found.get("bots", [bot])]
        name = found.get("name", files.called(path) if path == files.STDIN else path.stem)
        if not name.isprintable() or not name.strip():
            raise BadOption(f"name must be a text of one line that can be printed, not {quoted(name)}")
        return Setting.new(name, game, {**given, **options}, bots, found.get("seats"))


def _read_files(game: Game, name: str, value: Any, folder: Path) -> Any:
    """Return an option's value, with the text of each file that is beside the file of the set instead of its name."""
    kinds = {option.name: option for option in game.text.OPTIONS}
    if name not in kinds or kinds[name].kind not in FILE_KINDS or files.is_set(game, name, value):
        return value

    def read(part: Any) -> Any:
        is_name = isinstance(part, str) and part not in kinds[name].choices and "\n" not in part
        return files.read_text(folder / part, BadOption) if is_name else part

    return [read(part) for part in value] if isinstance(value, Sequence) and not isinstance(value, str) else read(value)
