"""Databases with finished games in them, for the tests of lists, players and ratings."""

import random
from collections.abc import Iterable, Sequence
from functools import cache

from sqlalchemy import insert, select, text

from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.server.model.entries import BEGUN, CLOSED, MADE, NO_SEAT, OVER, LogEntry, Made, Sitter, encoded, fold
from quintain.server.model.results import RESULTS, WON
from quintain.server.store.addresses import Address, sync_engine
from quintain.server.store.finished_games import TALLIED, tallied
from quintain.server.store.schema import ListedSeat, ListedTable, PlayedRow, PlayerRow, TallyRow
from quintain.server.store.store import Store
from server.logged import ACTS

SEED = "ab" * 32
GAMES = ("kings-court", "rune-war", "robin")
USUAL = {each: {option.name: option.default_for(2) for option in game(each).text.OPTIONS} for each in GAMES}


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


BUSY, OTHERS = 4, 300
"""Players with many games in a large database, and players with fewer."""
EACH_BUSY = 1000
"""The games of a busy player."""


def fill_with_games(database: Address, number: int, last: float) -> list[int]:
    """Write rows of finished games without logs to a database, and return the numbers of the busy players.

    A game ends each quarter of an hour. The first players of the database are the busy ones; missing players are made.
    At seven tables in ten a Squire sits, at one another bot, and at two another person; at each third there is one bot
    more.
    """
    chance, engine = random.Random(1), sync_engine(database)
    with engine.begin() as connection:
        known = len(connection.execute(select(PlayerRow.number)).all())
        made = [{"id": f"p{i}", "name": f"P{i}", "made": 0.0, "named": 0.0} for i in range(known, BUSY + OTHERS)]
        connection.execute(insert(PlayerRow), made)
        people = list(connection.scalars(select(PlayerRow.number).order_by(PlayerRow.number)))
        busy, others = people[:BUSY], people[BUSY:]
        every = max(number // (BUSY * EACH_BUSY), 1)
        tables, seats, lists = [], [], []
        for i in range(number):
            first = busy[i // every % BUSY] if i % every == 0 else chance.choice(others)
            rivals = busy if first in busy else others
            sat: list[int | str] = [first, _rival(chance, [each for each in rivals if each != first])]
            sat += ["page"] if i % 3 == 0 else []
            title = chance.choice(GAMES)
            ended, private = last - 900.0 * (number - i), chance.random() < 0.05
            id_, rated = f"many{i}", chance.random() < 0.4
            row = {"id": id_, "game": title, "version": 1, "options": USUAL[title], "clock": "none", "speed": "usual"}
            row |= {"private": private, "status": OVER, "made": ended - 1300, "begun": ended - 1200, "rated": rated}
            tables.append(row)
            for seat, who in enumerate(sat):
                number_, bot = (who, None) if isinstance(who, int) else (None, who)
                row = {"table": id_, "seat": seat, "number": number_, "bot": bot, "stand_in": False, "moved": 0}
                seats.append(row | {"since": ended - 1300})
                result = chance.choice(RESULTS)
                row = {"table": id_, "seat": seat, "who": str(who), "bot": bot is not None, "game": title}
                row |= {"ended": ended, "result": result, "rank": 1 if result == WON else 2, "score": seat}
                lists.append(row | {"moves": 100, "rated": rated, "private": private})
        for model, rows in ((ListedTable, tables), (ListedSeat, seats), (PlayedRow, lists)):
            connection.execute(insert(model), rows)
        connection.execute(insert(TallyRow).from_select(TALLIED, tallied()))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    return busy


def _rival(chance: random.Random, people: Sequence[int]) -> int | str:
    """Return who sits opposite."""
    kind = chance.random()
    return "squire" if kind < 0.7 else chance.choice(("knight", "greedy")) if kind < 0.8 else chance.choice(people)
