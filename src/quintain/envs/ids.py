"""The names under which libraries of learning know our games."""

from __future__ import annotations

from quintain.engine.rules.game import Game

__all__ = ["env_id"]


def env_id(game: Game) -> str:
    """Return the name of a game, such as ``quintain/RockPaperScissors-v0`` for the id ``rock-paper-scissors``."""
    return f"quintain/{''.join(part.capitalize() for part in game.id.split('-'))}-v0"
