"""What judged games say of a player, for their page: how much their decisions give away, and what the cards gave."""

from __future__ import annotations

from collections.abc import Sequence

from quintain.engine.names import with_minus
from quintain.lab.intervals import mean_and_margin
from quintain.server.model.analyses import JudgedSeat
from quintain.server.model.ratings import POINTS, points
from quintain.server.pages.contexts import title_of
from quintain.server.pages.game_lists import Who
from quintain.server.pages.rendering import Context
from quintain.server.store.standings import Standings
from quintain.server.store.study.analyses import Analyses

LAST = 50
"""The last judged games that count for a player."""
FEW = 5
"""With fewer judged games than this there are no means."""
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
    lost = [each.lost for each in judged]
    return {
        "game": game,
        "title": title_of(game),
        "games": len(judged),
        "is_few": len(judged) < FEW,
        "lost": _mean(lost, sign=False),
        "cards": _mean([each.cards for each in judged], sign=True),
        "accuracy": _accuracy(judged),
        "peers": await _peers(analyses, standings, who, game, lost),
    }


def _accuracy(judged: Sequence[JudgedSeat]) -> int:
    """Return the percentage of decisions that gave nothing away."""
    decisions = sum(each.decisions for each in judged)
    return round(100 * sum(each.free for each in judged) / decisions) if decisions else 100


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
    mean = _mean(others, sign=False)
    low, high = (points(own.rating) + by for by in (-NEAR, NEAR))
    return f"Players rated {low} to {high} give away {mean['mean']} \N{PLUS-MINUS SIGN} {mean['margin']}."


def _mean(shares: Sequence[float], *, sign: bool) -> Context:
    """Return the mean of shares of a win in points, with half the width of its 95 % interval."""
    if len(shares) < 2:
        return {"mean": "", "margin": ""}
    mean, margin = mean_and_margin(shares)
    words = f"{100 * mean:+.0f}" if sign else f"{100 * mean:.0f}"
    return {"mean": with_minus(words), "margin": f"{100 * margin:.0f}"}
