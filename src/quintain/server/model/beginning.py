"""How the match of a table begins: with the deal, or with the position from which the game goes on.

`table.py` calls this at the entry of the log with which play begins.
"""

from __future__ import annotations

from quintain.engine.errors import BadRecord, QuintainError
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.server.model.entries import Folded

FROM_PUZZLE = "This game goes on from a puzzle. What was hidden there has been dealt anew."


def begun(found: Game, folded: Folded, commitment: str) -> Match:
    """Return the match of a table as it begins by today's rules; raises QuintainError if these refuse its position.

    That is no BadRecord, for the log is not damaged: newer rules may have other fields.
    """
    try:
        match = Match.from_position(
            found,
            folded.position,
            seats=len(folded.seats),
            names=[seat.name or "" for seat in folded.seats],
            options=folded.row.options,
            seed=folded.seed,
            bots=[seat.bot for seat in folded.seats],
            reveals=[folded.reveals[seat] for seat in sorted(folded.reveals)],
        )
    except BadRecord as error:
        raise QuintainError(f"the rules cannot go on from the position in which this game began: {error}") from error
    match.keep_commitment(commitment, folded.version, folded.committed, folded.chosen_options)
    if match.is_from_position:
        match.say(FROM_PUZZLE)
    return match
