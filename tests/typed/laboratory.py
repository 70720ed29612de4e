"""A program that simulates, compares and reports, for the type checker and for a test."""

import quintain
from quintain.lab.analysis import JudgedStep, analyse
from quintain.lab.balance import balance, field_shares
from quintain.lab.compare import Setting, compare, comparison
from quintain.lab.ladder import Pairing, climb
from quintain.lab.pages import html, markdown
from quintain.lab.pools import LocalPool, WorkerPool
from quintain.lab.report import Report, report
from quintain.lab.simulation import Summary, simulate
from quintain.lab.skill import Strength, strengths
from quintain.lab.tournament import Tournament, tournament


def figures(pool: WorkerPool) -> tuple[Summary, list[Pairing], Tournament, Report]:
    """Return some figures of games."""
    court = quintain.game("kings-court")
    summary = simulate(court, 50, ["random", "random"], {}, 1, pool=pool)
    ladder = list(climb(court, ["greedy", "random"], 2, 1, pool=pool))
    held = tournament(court, ["random", "page"], 4, 1, pool=pool)
    found = report(court, 50, ["random", "random"], {}, 1, watched=1, pool=pool)
    return summary, ladder, held, found


def strongest(pairings: list[Pairing]) -> Strength:
    """Return the strongest bot."""
    return max(strengths(pairings), key=lambda each: each.points)


def best_deck() -> str:
    """Return the deck that would win most in a field of two."""
    decks = ["wandering-table", "great-houses"]
    pairings = balance(quintain.game("round-table"), decks, 2, 1, bot="random")
    return max(field_shares(decks, pairings).items(), key=lambda each: each[1])[0]


def verdict() -> tuple[str, str]:
    """Return a comparison of two settings, as Markdown and as HTML."""
    court = quintain.game("kings-court")
    settings = [Setting.new("usual", court, {}), Setting.new("poor", court, {"garnets": [0, 0]})]
    page = comparison(settings, compare(settings, 20, 1), actions=3)
    return markdown(page), html(page)


def worst(match: quintain.Match) -> JudgedStep:
    """Return the decision that gave most away."""
    return max(analyse(match, 10).decisions, key=lambda each: each.lost)


def two_workers() -> WorkerPool:
    """Return a pool of two processes."""
    return LocalPool(2)
