"""Time tells nothing: what a viewer cannot know changes neither what they are sent nor when.

Each scene is played twice on a whole server in simulated time (`simulated.py`, `worlds.py`): once from a position of a
game, once from the position with other hidden things. Bots think for times that depend on what is hidden, and take
other steps in secret. The viewer, at a seat or among the spectators, listens to the sockets of the table and of the
lobby, and asks for the JSON of the table. All that comes must be the same, at the same times, until a move has results
in one world that the viewer can tell from those in the other; and such a move itself must come at the same time.

Scenes hold bots, people and people who leave, stand-ins, clocks, undo, moves that the server makes by itself or for
who wants it, and steps in secret. Not covered: the pauses of other players' "Make it for me", which are random and
depend on their cards; a choice so rare that none of the sixteen redeals shows it, where the server waits for its player
and would not wait for others; bots that think longer than the docs allow; lessons, hints and resignations; how long the
real server computes.
"""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile, zip_longest
from math import inf

import pytest

import quintain
from quintain.engine.play.forced import Forced
from quintain.engine.play.match import Match
from quintain.engine.rules.game import Game
from quintain.server.http.site import Config
from quintain.server.model.entries import MOVED, STAND_IN, UNDONE, LogEntry
from quintain.server.run.app import create_app
from quintain.server.store.store import Store
from server.guests import UNLIMITED
from server.simulated import TICK
from server.worlds import ABSENT, BOT, NAMES, PRESENT, Scene, Visible, World, player_at, twins

GAMES = ("heirless", "kings-court", "robin", "round-table", "rune-war")
RATES = ("player_rate", "address_rate", "table_rate", "address_table_rate", "cost_rate")
SEAT, SPECTATOR = "seat", "spectator"
SHORT, LONG = 25.0, 75.0
"""Seconds of a scene; in a long one, a bot takes over for a player, who comes back."""
LATEST = 400
"""The most moves before a scene."""
WITH_ONLY_MOVES = ("kings-court", "round-table")
"""Games in which the server makes a move by itself in the scenes of the first test."""
Wanted = Callable[[Match], bool]


def is_together(match: Match) -> bool:
    """Tell whether several seats are to act."""
    return len(match.to_act) > 1


def is_secretly_forced(match: Match) -> bool:
    """Tell whether a seat has one move, which others cannot see."""
    return any(len(match.moves(seat)) == 1 and not match.is_openly_forced(seat) for seat in match.to_act)


def is_openly_forced(match: Match) -> bool:
    """Tell whether everybody sees that a seat has one move."""
    return any(match.is_openly_forced(seat) for seat in match.to_act)


def is_anything(match: Match) -> bool:
    """Tell that any moment will do."""
    return True


SCENES: list[tuple[Wanted, str, float, str]] = [
    (is_together, BOT, SHORT, "random"),
    (is_together, PRESENT, SHORT, "random"),
    (is_together, ABSENT, LONG, "random"),
    (is_secretly_forced, PRESENT, SHORT, "random"),
    (is_secretly_forced, BOT, SHORT, "champion"),
    (is_openly_forced, PRESENT, SHORT, "random"),
    (is_anything, BOT, SHORT, "knight"),
]
"""For each scene: the moment at which it begins, who sits at the other seats, its seconds, and the level of bots."""


def scenes(game: Game, viewer: str, seed: int) -> Iterator[Scene]:
    """Yield a scene of each kind; every other viewer at a seat lets the server make their only moves."""
    seats = game.seats[2]
    for number, (wanted, others, seconds, level) in enumerate(SCENES):
        match = moment(game, random.Random(f"{seed} {number}"), wanted)
        you = (seed + number) % seats if viewer == SEAT else None
        sitters = [others if others != ABSENT else BOT] * seats
        if others == ABSENT:
            sitters[0 if you != 0 else 1] = ABSENT
        if you is not None:
            sitters[you] = PRESENT
        yield Scene(match, you, tuple(sitters), bool(number % 2), seconds, 100 * seed + number, level)


def moment(game: Game, chance: random.Random, wanted: Wanted) -> Match:
    """Return a random match at a moment that is wanted, or as dealt if none comes.

    At that moment nobody is between two steps of a secret choice, as the match does not tell that to a table.
    """
    seats, seed = game.seats[2], chance.randbytes(32)
    match, between, least = Match.new(game, seats, NAMES[:seats], seed=seed), set[int](), chance.randrange(30)
    for number in range(LATEST):
        if match.outcome:
            break
        if number >= least and not between and wanted(match):
            return match
        seat = chance.choice(sorted(match.to_act))
        action = chance.choice(match.moves(seat)).action
        (between.discard if match.is_noticed(seat, action) else between.add)(seat)
        match.play(seat, action)
    return Match.new(game, seats, NAMES[:seats], seed=seed)


@pytest.fixture(scope="module")
def application(tmp_path_factory):
    """Return a function that gives the application a new database, in which all players have names."""
    folder = tmp_path_factory.mktemp("twins")
    used, kept = folder / "server.sqlite", folder / "kept.sqlite"
    app = create_app(Config(used, **dict.fromkeys(RATES, UNLIMITED)))

    async def prepare():
        async with Store.open(kept) as store:
            for seat, name in enumerate(NAMES):
                assert await store.name_player(player_at(seat), name) == seat + 1

    def renewed():
        for old in folder.glob(f"{used.name}*"):
            old.unlink()
        shutil.copy(kept, used)
        return app

    asyncio.run(prepare())
    return renewed


over_games = pytest.mark.parametrize("game", GAMES)
over_viewers = pytest.mark.parametrize("viewer", [SEAT, SPECTATOR])
QUICK = {("kings-court", SEAT), ("rune-war", SPECTATOR)}
"""The scenes that are not among the long tests: with moves by the server, and with steps in secret."""


@pytest.mark.parametrize(
    ("game", "viewer"),
    [
        pytest.param(game, viewer, marks=[pytest.mark.long] * ((game, viewer) not in QUICK))
        for game in GAMES
        for viewer in (SEAT, SPECTATOR)
    ],
)
def test_worlds_that_differ_in_hidden_things_look_the_same_at_the_same_times(
    game, viewer, application, monkeypatch, caplog
):
    happened = Counter()
    for scene in scenes(quintain.game(game), viewer, seed=0):
        happened += compared(scene, application, monkeypatch)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
    assert happened["changes"] >= 10 and happened["differences"], "the scenes show too little"
    assert happened["stand_ins"] and (happened["undone"] or viewer == SPECTATOR)
    assert happened["by_server"] or game not in WITH_ONLY_MOVES


@pytest.mark.long
@over_games
@over_viewers
@pytest.mark.parametrize("seed", range(1, 11))
def test_many_worlds_that_differ_in_hidden_things_look_the_same_at_the_same_times(
    game, viewer, seed, application, monkeypatch, caplog
):
    for scene in scenes(quintain.game(game), viewer, seed):
        compared(scene, application, monkeypatch)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


def compared(scene: Scene, application, monkeypatch) -> Counter[str]:
    """Play both worlds of a scene, compare them as the viewer sees them, and count what happened in that time."""
    first, other = twins(scene)
    one = World(scene, first)
    one.play(application(), monkeypatch)
    two = World(scene, other, one.chosen)
    two.play(application(), monkeypatch)
    until, changes = parting(one, two)
    for channel, frames in one.frames.items():
        pairs = zip_longest(before(until, frames), before(until, two.frames[channel]), fillvalue=(None, ""))
        for (at, shown), (then, shown_there) in pairs:
            assert (channel, at) == (channel, then), f"seed {scene.seed}: {at}, {then}; apart from {until}"
            assert shown == shown_there
    return Counter(changes=changes) + events(one, two, until)


def before(until: float, frames: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return what was sent before a time."""
    return list(takewhile(lambda frame: frame[0] < until, frames))


def parting(one: World, two: World) -> tuple[float, int]:
    """Return the time at which the viewer can first tell the worlds apart, and the number of changes before it.

    All these changes come at the same times. The one that parts the worlds does so, too, if the same seat made it, at
    the end of a choice that took steps in secret in both worlds or in neither.
    """
    here, there = list(one.visible()), list(two.visible())
    for number, (mine, theirs) in enumerate(zip(here, there, strict=False)):
        is_same = mine.known == theirs.known
        if mine.at != theirs.at and looks_forced(one, mine):
            return min(mine.at, theirs.at), number
        if is_same or (mine.seat, mine.was_secret) == (theirs.seat, theirs.was_secret):
            assert mine.at == theirs.at, f"{one.scene.seed}: change {number}, by seat {mine.seat}"
        if not is_same:
            return min(mine.at, theirs.at), number
    common = min(len(here), len(there))
    return min((rest[0].at for rest in (here[common:], there[common:]) if rest), default=inf), common


def looks_forced(world: World, change: Visible) -> bool:
    """Tell whether no redeal of what a spectator knew shows that the seat which made a change had a choice."""
    match = world.match
    return Forced(match.game, match.book).is_openly_forced(change.seat, change.before)


def events(one: World, two: World, until: float) -> Counter[str]:
    """Count what the viewer may not have noticed before a time, and what the server did by itself."""
    early = [[entry for entry in world.log if entry.at - world.log[0].at < until] for world in (one, two)]
    acts = [Counter((entry.seat, entry.kind, entry.text, entry.at) for entry in log) for log in early]
    kinds = Counter(entry.kind for entry in early[0])
    return Counter(
        differences=((acts[0] - acts[1]) + (acts[1] - acts[0])).total(),
        stand_ins=kinds[STAND_IN],
        undone=kinds[UNDONE],
        by_server=sum(is_by_server(one, entry) for entry in early[0]),
    )


def is_by_server(world: World, entry: LogEntry) -> bool:
    """Tell whether the server made a move for a person: on a tick, between which people move."""
    is_person = entry.kind == MOVED and world.scene.sitters[entry.seat] == PRESENT
    return is_person and (entry.at - world.log[0].at) % TICK == 0
