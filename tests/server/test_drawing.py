"""Drawing for sockets: cached parts never show old content, and nobody sees a move that is not on disk."""

import asyncio
import contextlib
import random

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.server.model.entries import MOVED, RESIGNED, UNDONE, LogEntry
from quintain.server.pages import drawing as drawing_module
from quintain.server.pages.drawing import Drawing, draw
from quintain.server.pages.rendering import environment
from quintain.server.people.players import Signer, Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.tables.foresight import Advised, Hint
from quintain.server.tables.live_table import LiveTable
from server.logged import table_of

HERE = "http://localhost"


@pytest.fixture(scope="module")
def templates():
    made = environment()
    made.undefined_behavior = "semi_strict"
    return made


def begun(id_: str, seats: int) -> LiveTable:
    """Return a table that has begun, watched by the players of the first two seats and by two others."""
    names = [f"O'{'Neil' * (seat + 1)}" for seat in range(seats)]
    live = LiveTable(table_of(Match.new(id_, seats, names, seed="5" * 64)))
    for place, player in enumerate(("player 0", "player 1", "a guest", "another guest")):
        live.watchers.add(Watcher(Visitor(player, None, f"csrf {place}", "auto"), HERE))
    return live


def step(live: LiveTable, chance: random.Random) -> LogEntry:
    """Make a move at random; now and then take one back, or resign."""
    match, seat = live.table.match, chance.choice(sorted(live.table.match.to_act))
    if match.can_undo(seat) and chance.random() < 0.2:
        entry = live.table.entry(seat, UNDONE, match.decision(seat))
    elif match.seats > 2 and chance.random() < 0.005:
        entry = live.table.entry(seat, RESIGNED)
    else:
        entry = live.table.entry(seat, MOVED, match.decision(seat), chance.choice(match.moves(seat)).action)
    live.table.apply([entry])
    return entry


def drawn_anew(live: LiveTable, entries: list[LogEntry], drawing: Drawing) -> list[str]:
    """Return the pages of a table that is replayed from its log, with empty caches."""
    match = live.table.playing()
    again = LiveTable(table_of(Match.new(match.game, match.seats, match.names, match.options, match._seed)))
    again.table.apply(entries)
    again.watchers, again.table.hints, again.table.notes = live.watchers, live.table.hints, live.table.notes
    again.table.passing = live.table.passing
    fresh = environment()
    return [draw(fresh, again, order) for order in drawing.orders(again)]


@pytest.mark.long_for("round-table-40")  # the other games are drawn by the same cache
@pytest.mark.parametrize(
    ("id_", "every"),
    [("goofspiel", 1), ("kings-court", 2), ("robin", 2), ("rune-war", 7), ("heirless", 9), ("round-table", 40)],
)
def test_cached_parts_never_show_old_content(templates, id_, every):
    live, chance = begun(id_, game(id_).seats[2]), random.Random(7)
    drawing = Drawing(templates, Signer(["k" * 64]))
    entries, seen = [], set()
    while not live.table.match.outcome:
        entries.append(step(live, chance))
        if len(entries) % every and not live.table.match.outcome:
            continue
        if len(entries) % 3 == 0 and live.table.match.to_act:
            seat = min(live.table.match.to_act)
            move = live.table.match.moves(seat)[0]
            live.table.hints[seat] = Hint(live.table.match.decision(seat), [Advised(move.action, move.text, 0.5, 100)])
            live.table.notes[seat] = "still warming up"
            live.table.passing ^= {seat}
        orders = list(drawing.orders(live))
        assert [order.visitor.id for order in orders].count("") == 1, "all spectators are shown the same"
        drawn = [draw(templates, live, order) for order in orders]
        if len(entries) % (3 * every) == 0 or live.table.match.outcome:
            assert drawn == drawn_anew(live, entries, drawing)
        seen.add(tuple(drawn))
    assert len(seen) > 10


def test_a_player_who_has_resigned_gets_no_button_to_resign(templates):
    live, drawing = begun("goofspiel", 3), Drawing(templates, Signer(["k" * 64]))
    live.table.apply([live.table.entry(0, RESIGNED)])
    drawn = {order.visitor.id: draw(templates, live, order) for order in drawing.orders(live)}
    assert [viewer for viewer, page in drawn.items() if 'id="resign"' in page] == ["player 1"]


def test_pages_wait_until_the_move_is_on_disk_and_are_sent_once(templates, monkeypatch):
    live, drawing, shown = begun("goofspiel", 2), Drawing(templates, Signer(["k" * 64])), []
    monkeypatch.setattr(Watcher, "show", lambda watcher, html: shown.append((watcher, html)))

    async def settle() -> None:
        live.settling = asyncio.get_running_loop().create_future()
        for _ in range(3):
            drawing.show(live)
        await asyncio.sleep(0.01)
        assert not shown
        live.settling.set_result(True)
        await asyncio.sleep(0.01)

    asyncio.run(settle())
    assert {watcher for watcher, _ in shown} == live.watchers and len(shown) == len(live.watchers)
    assert all('id="table-body"' in html for _, html in shown)


def test_a_table_that_is_lost_closes_its_sockets(templates):
    live, drawing = begun("goofspiel", 2), Drawing(templates, Signer(["k" * 64]))
    live.is_lost = True

    async def show() -> None:
        drawing.show(live)
        await asyncio.sleep(0.01)

    asyncio.run(show())
    assert all(watcher.html is None and watcher.news.is_set() for watcher in live.watchers)


def test_the_arrival_of_spectators_draws_nothing_for_others_and_shows_each_the_table_as_it_is(monkeypatch):
    drawn, true_draw = [], drawing_module.draw
    monkeypatch.setattr(drawing_module, "draw", lambda *of: drawn.append(of[2].visitor.id) or true_draw(*of))
    live, drawing = begun("goofspiel", 2), Drawing(environment(), Signer(["k" * 64]))
    crowd = [Watcher(Visitor(f"{number}", None, f"csrf {number}", "auto"), HERE) for number in range(50)]

    async def arrive() -> None:
        drawing.show(live)
        await asyncio.sleep(0)
        drawn.clear()
        with contextlib.ExitStack() as stack:
            for watcher in crowd[:30]:
                stack.enter_context(drawing.watching(live, watcher))
                await asyncio.sleep(0)
            assert drawn == [] and len({watcher.html for watcher in crowd[:30]}) == 1
            step(live, random.Random(1))
            drawing.show(live)
            for watcher in crowd[30:]:
                stack.enter_context(drawing.watching(live, watcher))
            await asyncio.sleep(0)
            assert sorted(drawn) == ["", "player 0", "player 1"]
            fresh = true_draw(environment(), live, next(each for each in drawing.orders(live) if not each.visitor.id))
            assert {watcher.html for watcher in crowd} == {fresh}
            drawn.clear()
            from_elsewhere = Watcher(Visitor("abroad", None, "csrf", "auto"), "http://another.address")
            stack.enter_context(drawing.watching(live, from_elsewhere))
            assert drawn == [""] and "another.address" not in (crowd[0].html or "")
        await asyncio.sleep(0)
        assert drawn == [""], "nobody sees that spectators leave"
        with drawing.watching(live, Watcher(Visitor("player 1", None, "csrf", "auto"), HERE)):
            await asyncio.sleep(0)
            assert sorted(drawn) == ["", "", "player 0", "player 1", "player 1"], "all see that a player comes"

    asyncio.run(arrive())
