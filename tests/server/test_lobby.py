"""The lobby: what waits for its viewer comes first, then open tables, then the games; and no section is empty."""

import asyncio
import re

import pytest

from quintain.engine.registry import all_games
from quintain.server.lobby import Lobby
from quintain.server.players import Visitor
from quintain.server.table import Watcher
from server.simulated import SimulatedLoop
from server.test_looks import Page

HTML = {"accept": "text/html"}
pytestmark = pytest.mark.both_stores


@pytest.fixture
def alone(start):
    """A server without any table, whose bots take their time."""
    with start(pace=1000.0) as serving:
        yield serving


def lobby_of(guest):
    return Page(guest.get("/", headers=HTML).text)


def headings(page):
    return [" ".join(element["text"].split()) for element in page.tags if element["tag"] == "h2"]


def links(page, words):
    """Return the addresses of the tables with a button of these words, in their order."""
    return [e["href"].rpartition("/")[2] for e in page.all("a") if e["text"].startswith(f"{words},")]


def test_a_newcomer_finds_the_games_first_and_no_empty_section(alone):
    page = lobby_of(alone.guest())
    assert headings(page) == ["The games"]
    assert not page.all("section")[0]["inside"].count("section")
    titles = [element["text"] for element in page.tags if element["tag"] == "h3"]
    by_weight = [found.title for found in sorted(all_games(), key=lambda found: (found.weight, found.title))]
    assert titles == by_weight and len({found.weight for found in all_games()}) > 2


def test_tables_that_wait_for_you_come_first_the_shortest_time_before_all(alone):
    ann, bo = alone.guest("Ann"), alone.guest("Bo")
    slow, sleeping, fast = (ann.make("kings-court", "me", "open", clock=clock) for clock in ("day", "none", "60"))
    for table in (slow, sleeping, fast):
        bo.sit(table, 1)
    others = bo.make("kings-court", "me", "open"), ann.make("kings-court", "me", "open")
    foreign, own = others
    done = ann.make("goofspiel", "me", "open")
    bo.sit(done, 1)
    seen = ann.view(done)
    assert ann.move(done, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200
    page = lobby_of(ann)
    assert headings(page) == ["Waiting for you", "Your other tables", "Open tables", "The games"]
    assert links(page, "Play on") == [fast, slow, sleeping]
    assert links(page, "Look") == [done, own], "games in play come before tables that wait for players"
    assert links(page, "Join") == [foreign], "her own table is not offered to her"
    clocks = [element["data-deadline"] for element in page.tags if "data-deadline" in element]
    assert clocks == sorted(clocks) and len(clocks) == 2
    assert headings(lobby_of(alone.guest())) == ["Open tables", "The games"]


def test_long_lists_are_folded_so_that_the_games_stay_in_reach(alone):
    ann = alone.guest("Ann")
    tables = [ann.make("kings-court", "me", "open") for _ in range(7)]
    page = lobby_of(alone.guest())
    assert links(page, "Join") == tables[::-1]
    (folded,) = page.all("details", id="open-more")
    assert "open" not in folded and folded["text"].startswith("3 more")
    inside = [e["href"].rpartition("/")[2] for e in page.all("a") if e["inside"].count("details")]
    assert inside[-3:] == tables[2::-1]


def test_the_socket_sends_the_same_tables_as_the_page(alone):
    ann, bo = alone.guest("Ann"), alone.guest("Bo")
    table = ann.make("kings-court", "me", "open", clock="60")
    bo.sit(table, 1)
    with ann.listening() as socket:
        pushed = socket.recv(timeout=10)
    page = ann.get("/", headers=HTML).text
    (drawn,) = re.findall(r'<div id="lobby-tables".*?</section>\s*</div>', page, re.DOTALL)
    assert drawn.split() == pushed.split()


def test_play_now_names_the_bots_that_it_seats(alone):
    guest = alone.guest("Ann")
    buttons = [" ".join(button["text"].split()).partition(" against ") for button in lobby_of(guest).all("button")]
    named = [rivals for words, _, rivals in buttons if words == "Play now"]
    games = sorted(all_games(), key=lambda found: (found.weight, found.title))
    assert len(named) == len(games)
    for found, rivals in zip(games, named, strict=True):
        table = guest.submit(f"/play/{found.id}").headers["location"].rpartition("/")[2]
        you, *bots = [seat["name"] for seat in guest.view(table)["table"]["seats"]]
        assert you == "Ann" and all(name.startswith("Squire") for name in bots)
        assert rivals == ("Squire" if len(bots) == 1 else f"{len(bots)} Squires")


@pytest.mark.parametrize("unseen", [(), (2.7,), (2.4, 2.7), (2.8, 2.85)], ids=str)
def test_changes_that_nobody_sees_delay_no_page_of_the_lobby(unseen):
    page = "before"

    async def draw(players):
        return dict.fromkeys(players, page)

    async def shown() -> list[tuple[float, str]]:
        loop, lobby, ann = asyncio.get_running_loop(), Lobby(draw), Watcher(Visitor("ann", "Ann", "", "auto"))

        def change() -> None:
            nonlocal page
            page = "after"
            lobby.tell(["ann"])

        lobby.add(ann)
        for moment in unseen:
            loop.call_at(moment, lobby.tell, ["ann"])
        loop.call_at(2.9, change)
        received = []
        while len(received) < 2:
            await ann.news.wait()
            ann.news.clear()
            received.append((loop.time(), ann.html))
        return received

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        assert runner.run(shown()) == [(0.5, "before"), (3.0, "after")]
