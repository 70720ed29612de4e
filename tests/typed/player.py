"""A program that plays a match, for the type checker and for a test."""

import quintain
from quintain.bots import Budget, Ismcts, Level, Player, level, levels


def winner_of(seed: int) -> str:
    """Let a level and a bot of its own play a match; return who won."""
    match = quintain.Match.new("kings-court", names=["Ann", "Bo"], seed=bytes(32))
    own = Level("quick", Ismcts, Budget(simulations=20), about="thinks little")
    players = [Player(own, match.game, seed), Player(level("random"), match.game, seed)]
    while match.outcome is None:
        seat = min(match.to_act)
        match.play(seat, players[seat].choose(match.seen(seat)))
    return match.names[match.outcome.ranks.index(1)]


def refused() -> list[str]:
    """Return what is wrong with some input."""
    said: list[str] = []
    try:
        quintain.game("chess")
    except quintain.UnknownGame as error:
        said.append(str(error))
    try:
        quintain.Match.load("{}")
    except quintain.BadRecord as error:
        said.append(str(error))
    return said + [known.about for known in levels().values() if known.package]
