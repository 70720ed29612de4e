"""What judged games say of a player, for their page: how much their decisions give away, and what the cards gave."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.server.model.ratings import POINTS, points
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.judged_games import LAST, judged_row, mean
from quintain.server.pages.study.played_games import Who
from quintain.server.store.standings import Standings
from quintain.server.store.study.analyses import Analyses

SOUND = 20
"""With fewer games than this of the player or of the others nobody is compared."""
NEAR = 100
"""Players whose ratings differ by at most so many points are of one strength."""


async def decisions_context(analyses: Analyses, standings: Standings, who: Who, is_you: bool) -> list[Context]:
    """Return a row for each game of which a player has judged games, those of most games first.

    Private games are shown to the player alone.
    """
    games = await analyses.games_of(who.key, private=is_you)
    return [
        await _row(analyses, standings, who, game, is_you)
        for game, _ in sorted(games.items(), key=lambda each: -each[1])
    ]


async def _row(analyses: Analyses, standings: Standings, who: Who, game: str, is_you: bool) -> Context:
    judged = await analyses.seats_of(who.key, game, LAST, private=is_you)
    peers = await _peers(analyses, standings, who, game, [each.lost for each in judged])
    return judged_row(game, judged, peers)


async def _peers(analyses: Analyses, standings: Standings, who: Who, game: str, lost: Sequence[float]) -> str:
    """Return what players of the same rating give away, in words; empty if too little is known."""
    if who.is_bot or len(lost) < SOUND:
        return ""
    own = next((each for each in await standings.of_player(int(who.key)) if each.game == game), None)
    if own is None:
        return ""
    mu, near = own.rating.mu, NEAR / POINTS
    others = await analyses.lost_by_peers(game, int(who.key), (mu - near, mu + near))
    if len(others) < SOUND:
        return ""
    theirs = mean(others, sign=False)
    low, high = (points(own.rating) + by for by in (-NEAR, NEAR))
    return f"Players rated {low} to {high} give away {theirs['mean']} \N{PLUS-MINUS SIGN} {theirs['margin']}."
