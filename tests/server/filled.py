"""Databases with finished games in them, for the tests of lists, players and ratings."""

import random
from collections.abc import Iterable, Sequence
from functools import cache

from quintain.engine.match import Match
from quintain.server.entries import BEGUN, CLOSED, MADE, NO_SEAT, LogEntry, Made, Sitter, encoded, fold
from quintain.server.store import Store
from server.logged import ACTS

SEED = "ab" * 32


@cache
def played(game_id: str, seats: int, seed: int = 1, resigns: int | None = None) -> Match:
    """Return a match that was played at random to its end; one seat may resign after some moves."""
    chance = random.Random(seed)
    match = Match.new(game_id, seats, [f"P{seat}" for seat in range(seats)], None, SEED)
    while not match.outcome:
        if resigns is not None and len(match.moves_made) > 20 and not match.has_resigned(resigns):
            match.resign(resigns)
            continue
        seat = chance.choice(sorted(match.to_act))
        match.play(seat, chance.choice(match.moves(seat)).action)
    return match


def log_of_game(id_: str, match: Match, sitters: Sequence[int | str], ended: float, **more: object) -> list[LogEntry]:
    """Return the log of a finished game between players, by number, and bots, by level; it took twenty minutes."""
    seats = [Sitter(player=one) if isinstance(one, int) else Sitter(bot=one) for one in sitters]
    given = {"clock": "none", "speed": "usual", "private": False, **more}
    made = Made(match.game.id, match.game.version, match.options, match._seed.hex(), seats=seats, **given)
    record = encoded(match.record(with_names=False))
    acts = [(NO_SEAT, MADE, encoded(made)), (NO_SEAT, BEGUN, "")]
    acts += [(one.seat, ACTS[one.kind], one.text) for one in match.moves_made if not one.auto]
    acts.append((NO_SEAT, CLOSED, record))
    times = [ended - 1200, ended - 1200, *[ended - 600] * (len(acts) - 3), ended]
    return [LogEntry(id_, seq, *act, at) for seq, (act, at) in enumerate(zip(acts, times, strict=True), 1)]


async def add_game(store: Store, id_: str, match: Match, sitters: Sequence[int | str], ended: float, **more) -> None:
    """Write a finished game to a database, as the server would."""
    entries = log_of_game(id_, match, sitters, ended, **more)
    assert await store.add(entries, [fold(entries)])


async def name_players(store: Store, names: Iterable[str]) -> dict[str, int]:
    """Give a player a name for each of these names; their ids are the names in small letters. Return their numbers."""
    return {name: await store.name_player(name.lower(), name) for name in names}
