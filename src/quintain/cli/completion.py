"""What a shell offers when somebody presses Tab: ids of games, levels of bots, and options of a game.

Typer asks these functions; `quintain --install-completion` makes a shell ask Typer. They must be quick, so they compile
nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from quintain.bots import levels
from quintain.engine.errors import QuintainError
from quintain.engine.rules.collection import Collection
from quintain.engine.rules.game import Game
from quintain.engine.rules.registry import all_games, register_files

Offers = Iterator[tuple[str, str]]
"""Words that may stand there, each with its meaning, which some shells show."""


def games(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the games, with those of the files that are given."""
    _register(ctx)
    return ((each.id, each.title) for each in all_games() if each.id.startswith(incomplete))


def bots(incomplete: str) -> Offers:
    """Offer the levels of bots; after a comma, for the next place in the list."""
    before, comma, last = incomplete.rpartition(",")
    return ((f"{before}{comma}{name}", "a bot") for name in levels() if name.startswith(last))


def options(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the options of the game that is given before them."""
    found = _game(ctx)
    listed = found.text.OPTIONS if found else ()
    return ((f"{each.name}=", each.meaning) for each in listed if each.name.startswith(incomplete))


def decks(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the ready-made decks of the game that is given before them."""
    found = _game(ctx)
    collection: Collection | None = found.collection if found else None
    ready = collection.decks.ready_made if collection and collection.decks else ()
    return ((name, "a ready-made deck") for name in ready if name.startswith(incomplete))


def _game(ctx: typer.Context) -> Game | None:
    """Return the game that is typed already; None if there is none.

    Click has not read the game yet if the word to complete is the value of an option, so this looks at all words.
    """
    _register(ctx)
    typed = (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()
    return next((each for each in all_games() if each.id in typed), None)


def _register(ctx: typer.Context) -> None:
    """Register the games of the files that are typed already, as far as they can be read."""
    files: Iterable[str] = ctx.params.get("game_file") or ()
    for file in files:
        try:
            register_files([Path(file)])
        except QuintainError:
            continue  # the command itself will say what is wrong
