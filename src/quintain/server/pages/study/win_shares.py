"""The values for the pages of statistics: what wins in a game, among people and among bots, from its counts.

`model/wins.py` says what is counted. A share of wins comes with its 95 % interval; with few games it is not shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from quintain.engine.errors import BadOption
from quintain.engine.rules.game import Game
from quintain.lab.intervals import wilson
from quintain.server.model.wins import BETWEEN, CHOICE, MOVE, OPENING, SEAT, WinCount
from quintain.server.pages.contexts import by_weight, game_facts, label, page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor

FEW = 10
"""With fewer games than this no share is shown."""
MOST_ROWS = 30
"""The rows of a table: those of most games."""
ON_TABLES = {
    SEAT: ("Seats", "Seat", "Seat 1 is the first at the table."),
    OPENING: ("Openings", "First move", "The first move that each seat made."),
    MOVE: (
        "Moves and cards",
        "Move",
        "Games in which a seat made the move at least once. Moves that only a leader can make win often, "
        "and need not be the reason.",
    ),
}
"""The title of each table, the head of its first column, and what it counts."""


def index_context(visitor: Visitor, numbers: Mapping[str, int]) -> Context:
    """Return the values for the list of games, each with the number of games that were counted, by its id."""
    games = [{**game_facts(found), "number": numbers.get(found.id, 0)} for found in by_weight()]
    return {**page_context(visitor, "Statistics", "/statistics"), "games": games}


def shown_statistics(
    found: Game, visitor: Visitor, numbers: Mapping[int, int], chosen: int, counted: Iterable[WinCount]
) -> Context:
    """Return the values for the page of a game from its counts at a number of seats."""
    path = f"/statistics/{found.id}"
    return {
        **page_context(visitor, f"Statistics of {found.title}", path),
        "game": game_facts(found),
        "games": numbers.get(chosen, 0),
        "seats": chosen,
        "few": FEW,
        "even": _percent(1 / chosen) if chosen else "",
        "sizes": [
            {"seats": size, "games": number, "href": f"{path}?seats={size}", "chosen": size == chosen}
            for size, number in numbers.items()
        ],
        "tables": _tables(found, chosen, counted),
    }


def chosen_size(found: Game, seats: str, numbers: Mapping[int, int]) -> int:
    """Return the number of seats that an address asks for, or else that of most games; 0 without games."""
    if not seats:
        return max(numbers, key=lambda size: (numbers[size], -size), default=0)
    least, most, _ = found.seats
    if not (seats.isascii() and seats.isdecimal() and len(seats) < 3 and least <= int(seats) <= most):
        raise BadOption(f"{found.title} has {least} to {most} seats, not {seats[:20]!r}")
    return int(seats)


def _tables(found: Game, seats: int, counted: Iterable[WinCount]) -> list[Context]:
    """Return the tables of a page; the choices of each option have one of their own."""
    heads = dict(ON_TABLES)
    options = {option.name: option for option in found.text.OPTIONS if option.choices}
    heads |= {f"{CHOICE} {name}": (label(option), "Choice", "") for name, option in options.items()}
    by_table: dict[str, dict[str, dict[bool, WinCount]]] = {name: defaultdict(dict) for name in heads}
    for each in counted:
        name, _, value = each.key.partition(BETWEEN)
        table, key = (f"{CHOICE} {name}", value) if each.kind == CHOICE else (each.kind, each.key)
        if table in by_table:
            by_table[table][key][each.bot] = each
    return [
        {
            "id": name.replace(" ", "-"),
            "title": title,
            "head": head,
            "about": about,
            **_rows(by_table[name], name, seats),
        }
        for name, (title, head, about) in heads.items()
        if by_table[name]
    ]


def _rows(found: Mapping[str, Mapping[bool, WinCount]], name: str, seats: int) -> Context:
    """Return the rows of a table: seats in their order, all else by games; and how many are missing."""

    def place(key: str) -> tuple[int, str]:
        return (int(key), "") if name == SEAT else (-sum(each.games for each in found[key].values()), key)

    keys = sorted(found, key=place)
    rows = [
        {
            "words": f"seat {key}" if name == SEAT else key,
            "cells": [_cell(found[key].get(bot), seats) for bot in (False, True)],
        }
        for key in keys[:MOST_ROWS]
    ]
    return {"rows": rows, "more": len(keys) - len(rows)}


def _cell(count: WinCount | None, seats: int) -> Context:
    """Return how often something won: the share with its interval, in words and as places from 0 to 100 on a bar."""
    if count is None:
        return {"games": 0, "is_few": True}
    if count.games < FEW:
        return {"games": count.games, "is_few": True}
    share, even = count.won / count.games, 1 / seats
    low, high = wilson(share, count.games)
    return {
        "games": count.games,
        "is_few": False,
        "share": _percent(share),
        "interval": f"{100 * low:.0f} to {_percent(high)}",
        "tone": "above" if low > even else "below" if high < even else "even",
        "bar": {"share": _place(share), "low": _place(low), "width": _place(high - low), "even": _place(even)},
    }


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _place(share: float) -> float:
    return round(100 * share, 1)
