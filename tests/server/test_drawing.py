"""Drawing in another process: what it draws is what is drawn here, and nobody notices when it is lost."""

import asyncio
import logging
import multiprocessing
import random
from collections import OrderedDict
from types import SimpleNamespace

import pytest

from quintain.engine.game import game
from quintain.server import drawing as drawing_module
from quintain.server.drawing import HEAD, JOBS, Drawing, Drawn, Order, _message, _pages, draw
from quintain.server.pages import environment
from quintain.server.players import Signer, Visitor
from quintain.server.store import PLAYING, Seat
from quintain.server.store import Table as Row
from quintain.server.table import Hint, Table, Watcher
from server.guests import PATIENCE, Serving, wait_until

HERE = "http://localhost"


@pytest.fixture(scope="module")
def templates():
    made = environment()
    made.undefined_behavior = "semi_strict"
    return made


def begun(id_: str, seats: int) -> Table:
    """Return a table that has begun, watched by the players of the first two seats and by two others."""
    found = game(id_)
    row = Row("T", id_, found.version, found.read_options(seats, {}), "5" * 64, "none", "usual", False, PLAYING, 0.0)
    table = Table(row, [Seat("T", seat, f"O'{'Neil' * (seat + 1)}", player=f"player {seat}") for seat in range(seats)])
    table.begin()
    for place, player in enumerate(("player 0", "player 1", "a guest", "another guest")):
        table.watchers.add(Watcher(Visitor(player, None, f"csrf {place}", "auto"), HERE))
    return table


def step(table: Table, chance: random.Random) -> None:
    """Take back or give up now and then, else make a move at random."""
    match, seat = table.match, chance.choice(sorted(table.match.to_act))
    if match.can_undo(seat) and chance.random() < 0.2:
        entry = table.entry(seat, "undo", match.decision(seat))
    elif match.seats > 2 and chance.random() < 0.005:
        entry = table.entry(seat, "resign")
    else:
        entry = table.entry(seat, "move", match.decision(seat), chance.choice(match.moves(seat)).action)
    table.apply([entry])


@pytest.mark.parametrize(
    ("id_", "every"),
    [("goofspiel", 1), ("kings-court", 2), ("robin", 2), ("rune-war", 7), ("heirless", 9), ("round-table", 40)],
)
def test_a_copy_that_follows_a_match_is_drawn_as_the_match_is(templates, id_, every):
    table, chance, copies = begun(id_, game(id_).seats[2]), random.Random(7), OrderedDict()
    drawing = Drawing(templates, Signer("k" * 64))
    seen, told, ply = set(), {}, 0
    while not (over := table.match.outcome) or not seen:
        if not over:
            step(table, chance)
        ply += 1
        if ply % every and not table.match.outcome:
            continue
        if ply % 3 == 0 and table.match.to_act:
            seat = min(table.match.to_act)
            table.hints[seat] = Hint(table.match.decision(seat), [("what it said", 0.5, 100)])
            table.notes[seat] = "still warming up"
        orders = list(drawing._waiting(table))
        assert [order.visitor.id for order in orders].count("") == 1, "all spectators are shown the same"
        job = JOBS.decode(_message(drawing._job(table, table.match, orders))[HEAD:])
        assert job.new == (not seen)
        for viewer, lines in job.sight.lines.items():
            assert lines == table.match.log(viewer)[told.get(viewer, 0) :], "of the log what is new is sent"
            told[viewer] = len(table.match.log(viewer))
        pages = _pages(templates, copies, job)
        assert pages == [draw(templates, table, order) for order in orders]
        seen.add(tuple(pages))
    assert len(seen) > 10


def test_who_has_resigned_is_not_asked_there_again_whether_to(templates):
    table, copies, drawing = begun("goofspiel", 3), OrderedDict(), Drawing(templates, Signer("k" * 64))
    table.apply([table.entry(0, "resign")])
    orders = list(drawing._waiting(table))
    pages = dict(zip(orders, _pages(templates, copies, drawing._job(table, table.match, orders)), strict=True))
    assert all(('id="resign"' in page) == (order.visitor.id == "player 1") for order, page in pages.items())
    assert all(page == draw(templates, table, order) for order, page in pages.items())


def test_what_cannot_be_drawn_there_is_drawn_here_and_sent_whole_the_next_time(templates, caplog):
    table, drawing = begun("goofspiel", 2), Drawing(templates, Signer("k" * 64))
    orders = list(drawing._waiting(table))
    drawing._copies[table.id] = {}
    job = drawing._job(table, table.match, orders)
    assert not job.new and _pages(templates, OrderedDict(), job) is None
    assert "not drawn" in caplog.text
    drawing._drawn[table.id] = Drawn(table, table.match, [[watcher] for watcher in table.watchers])
    drawing._take(drawing._drawn[table.id], None)
    assert all('id="table-body"' in watcher.html for watcher in table.watchers)
    assert drawing._job(table, table.match, orders).new


def test_pages_wait_for_the_disk_and_are_handed_out_once_even_if_the_other_process_has_ended_meanwhile(
    templates, caplog
):
    table, drawing = begun("goofspiel", 2), Drawing(templates, Signer("k" * 64))
    drawn = drawing._drawn[table.id] = Drawn(table, table.match, [[watcher] for watcher in table.watchers])
    pages = [f"page {place}" for place in range(4)]

    async def settle() -> None:
        table.settling = asyncio.get_running_loop().create_future()
        drawing._take(drawn, pages)
        drawing._take(drawn, None)
        await asyncio.sleep(0.01)
        assert not any(watcher.html for watcher in table.watchers)
        table.settling.set_result(True)
        await asyncio.sleep(0.01)

    asyncio.run(settle())
    assert [watcher.html for watchers in drawn.waiting for watcher in watchers] == pages
    assert not drawing._drawn and not caplog.records


def test_a_table_that_was_opened_anew_while_it_was_drawn_is_drawn_again(templates):
    (before, after), drawing = (begun("goofspiel", 2) for _ in range(2)), Drawing(templates, Signer("k" * 64))
    drawn = drawing._drawn[before.id] = Drawn(before, before.match, [])

    async def take() -> None:
        drawing.show(after)
        drawing._take(drawn, [])
        await asyncio.sleep(0.01)

    asyncio.run(take())
    assert all('id="table-body"' in watcher.html for watcher in after.watchers)


def test_a_table_that_cannot_be_sent_is_drawn_here(templates, caplog):
    table, drawing = begun("goofspiel", 2), Drawing(templates, Signer("k" * 64))
    drawing._there, table.row.options["cards"] = SimpleNamespace(write=None), 2**70
    drawing._changed.add(table)
    drawing._show_changed()
    assert "not sent" in caplog.text and "OverflowError" in caplog.text
    assert all('id="table-body"' in watcher.html for watcher in table.watchers)
    assert not drawing._drawn and not drawing._copies, "the next change is shown again, and the match sent whole"


def test_only_so_many_copies_are_kept_and_both_sides_know_which(templates, monkeypatch):
    monkeypatch.setattr(drawing_module, "MOST_COPIES", 2)
    drawing, copies = Drawing(templates, Signer("k" * 64)), OrderedDict()
    tables = [begun("goofspiel", 2) for _ in range(3)]
    for place, table in enumerate(tables):
        table.row.id = f"T{place}"
    whole = []
    for place in (0, 1, 0, 2, 0, 1):
        job = drawing._job(tables[place], tables[place].match, list(drawing._waiting(tables[place])))
        assert _pages(templates, copies, job)
        whole.append(job.new)
    assert whole == [True, True, False, True, False, True]
    assert list(copies) == list(drawing._copies) == ["T0", "T1"]


def test_tables_are_drawn_in_another_process_when_many_watch_and_here_when_it_is_lost(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(drawing_module, "MANY", 3)
    chance = random.Random(3)
    with Serving(tmp_path) as serving, caplog.at_level(logging.WARNING):
        ann, bo, guest = serving.guest("Ann"), serving.guest("Bo"), serving.guest()
        table = ann.make("kings-court", "me", "open")
        bo.sit(table, 1)
        drawing = serving.house.drawing
        with ann.watching(table) as hers, bo.watching(table) as his, guest.watching(table) as theirs:
            sockets = {ann: hers, bo: his, guest: theirs}

            def play(moves: int) -> None:
                for _ in range(moves):
                    while not (ann.move_at_random(table, chance) or bo.move_at_random(table, chance)):
                        pass

            def everybody_sees_the_table_as_it_is() -> bool:
                live = serving.table(table)
                for who, socket in sockets.items():
                    watcher = next(watcher for watcher in live.watchers if watcher.visitor.csrf == who.csrf)
                    link = drawing_module.move_link(drawing.signer, live, watcher.player, watcher.base_url)
                    seated = live.seat_of(watcher.player) is not None
                    visitor = watcher.visitor if seated else drawing_module.NOBODY
                    page = draw(drawing.templates, live, Order(visitor, watcher.base_url, link))
                    while socket.recv(timeout=PATIENCE) != page:
                        pass
                return True

            wait_until(lambda: drawing._there)
            play(5)
            assert everybody_sees_the_table_as_it_is()
            assert drawing._copies[table][None] == len(serving.table(table).match.log())
            (process,) = [child for child in multiprocessing.active_children() if child.name == "drawing"]
            process.kill()
            wait_until(lambda: not drawing._there)
            play(5)
            assert everybody_sees_the_table_as_it_is()
            assert "the process that draws has ended" in caplog.text
            with bo.watching(table):
                wait_until(lambda: drawing._there)
                play(5)
                assert everybody_sees_the_table_as_it_is()
                assert drawing._copies[table][None] == len(serving.table(table).match.log())
        assert "not drawn" not in caplog.text
    wait_until(lambda: "drawing" not in [child.name for child in multiprocessing.active_children()])
