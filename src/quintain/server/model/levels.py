"""The levels of bots that can sit at a table: their names, and what each is like to play against."""

from __future__ import annotations

from collections.abc import Mapping

from quintain import bots
from quintain.engine.names import looks_like_one_of
from quintain.engine.rules.game import Game

OVERRUN = 0.1
"""Seconds that a bot may take besides the time of its budget, to look at its clock and to begin."""
YARDSTICKS = ("random", "greedy")
"""Levels that measure the strength of others; people rarely want to play with them."""
PRONOUNS = ("You", "Your", "Nobody", "Somebody", "Everybody", "Player", "Seat", "Spectator", "Bot", "A bot", "The bot")
"""Words at the place of a name in a log; "You takes the last move back" would be somebody else's move."""
BELOW_SQUIRE = ("random", "page", "greedy")
"""Levels that most people beat, so that a rated game cannot have them."""


def levels(game: Game | None = None) -> Mapping[str, str]:
    """Return the levels of bots that can sit at a table, each with the name that players read; yardsticks last.

    For a game, these are the levels that play it at their strength.
    """
    names = sorted(bots.levels_of(game) if game else bots.levels(), key=lambda name: name in YARDSTICKS)
    return {name: name.capitalize() for name in names}


def manner(level: str) -> str:
    """Return what a level is like to play against; empty for the level of a package that is no longer here."""
    known = bots.levels().get(level)
    return known.about if known else ""


def is_reserved(name: str) -> bool:
    """Tell whether a name looks like a bot's, with the word bot or not, or like a word that a log uses for somebody.

    >>> is_reserved("Squire"), is_reserved("b0t-Squire"), is_reserved("a bot"), is_reserved("Botolph")
    (True, True, True, False)
    """
    named = [words for each in levels().values() for words in (each, f"{each} bot", f"bot {each}")]
    return looks_like_one_of(name, [*named, *PRONOUNS])


def time_of(level: str) -> float:
    """Return the seconds that a bot may think about a question, whether its hidden hand leaves it a choice or not."""
    return (playable(level).budget.seconds or 0.0) + OVERRUN


def playable(level: str) -> bots.Level:
    """Return a level; the usual one if its package is no longer here."""
    return bots.levels().get(level) or bots.level(usual_level())


def usual_level() -> str:
    """Return the level of a bot if nobody chose one, and of the bot that plays on for a player who left."""
    return "squire"
