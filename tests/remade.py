"""Games made anew with something changed."""

from typing import Any

from quintain.engine.rules.game import Game

KEPT = ("id", "title", "version", "seats", "clauses", "pitch", "minutes", "weight", "text")


def remade(game: Game, **changes: Any) -> Game:
    """Return a game with some of what it is made of changed; its modules may be any namespaces."""
    kept: dict[str, Any] = {name: getattr(game, name) for name in KEPT}
    return Game(**{**kept, "rules": game.module, **changes})
