"""How often a card wins when drawn, as pages tell it: from the records that come with its game."""

from __future__ import annotations

from quintain.engine.rules.game import Game
from quintain.lab.card_records import card_records
from quintain.lab.intervals import LEAST
from quintain.server.pages.rendering import Context
from quintain.server.pages.study.chances import percent, whole_percent


def won_words(found: Game, name: str) -> str:
    """Return how often a card wins in a few words, for its foot; empty in a game without records."""
    records = card_records(found)
    if records is None or (record := records.by_name.get(name)) is None:
        return ""
    return f"won {whole_percent(record.won)} %" if record.tries >= LEAST else "few games"


def won_context(found: Game, name: str) -> Context | None:
    """Return the share of a card with its interval, for its own page; None without records of it."""
    records = card_records(found)
    if records is None or (record := records.by_name.get(name)) is None:
        return None
    bounds = {"share": percent(record.won), "low": percent(record.low), "high": percent(record.high)}
    row = {
        "name": f"Those who {'drew' if records.counted == 'drawn' else 'played'} it won",
        **bounds,
        "tries": f"{record.tries:,}",
        "reason": "",
    }
    return {
        "rows": [row] if record.tries >= LEAST else [],
        "even": percent(records.even),
        "tries": f"{record.tries:,}",
        "games": f"{records.games:,}",
        "bot": records.bot,
        "counted": records.counted,
        "verdict": _verdict(record.low, record.high, records.even),
    }


def _verdict(low: float, high: float, even: float) -> str:
    """Return the sentence that stands first: whether the card wins more or less than its even share."""
    if low > even:
        return "It wins more than its even share."
    return "It wins less than its even share." if high < even else "It wins about its even share."
