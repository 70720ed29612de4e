"""The lobby: what waits for its viewer comes first, then open tables, then the games; and no section is empty."""

import asyncio
import re

import pytest
from websockets.sync.client import connect

from quintain.engine.rules.registry import all_games
from quintain.server.people.players import Visitor
from quintain.server.people.watchers import Watcher
from quintain.server.tables.lobby import Lobby
from server.simulated import SimulatedLoop
from server.test_looks import Page

HTML = {"accept": "text/html"}
OPEN, GAMES = (
    "Sit down at a table",
    "The games from the easiest to the largest; the dots say how much there is to learn",
)
PUZZLE = "Puzzle of the day"
REST = [PUZZLE, "Quick match", GAMES]
pytestmark = pytest.mark.both_stores


@pytest.fixture
def alone(start):
    """A server without any table, whose bots take their time."""
    with start(pace=1000.0) as serving:
        yield serving


def lobby_of(guest):
    return Page(guest.get("/", headers=HTML).text)


def headings(page):
    """Return the headings; that of the puzzle of the day without its game, which changes from day to day."""
    found = [" ".join(element["text"].split()) for element in page.tags if element["tag"] == "h2"]
    return [PUZZLE if words.startswith(PUZZLE) else words for words in found]


def links(page, words, sign=","):
    """Return the addresses of the tables with a button of these words, in their order."""
    return [e["href"].rpartition("/")[2] for e in page.all("a") if e["text"].startswith(f"{words}{sign}")]


def test_a_newcomer_finds_the_games_first_and_no_empty_section(alone):
    page = lobby_of(alone.guest())
    assert headings(page) == [GAMES, "Sit down at a table", PUZZLE, "Quick match"]
    assert page.all("div", **{"class": "page hall newcomer"})
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
    assert headings(page) == ["3 things wait for you 2 more tables: my games", f"{OPEN} 2 open, newest first", *REST]
    assert links(page, "To the table") == [fast, slow, sleeping]
    assert links(page, "Sit down", ":") == [foreign], "her own table is not offered to her"
    assert [e["href"] for e in page.all("a") if e["text"].startswith("Look at your table")] == [f"/tables/{own}"]
    clocks = [float(element["data-left"]) for element in page.tags if "data-left" in element]
    assert clocks == sorted(clocks) and len(clocks) == 2 and 40 < clocks[0] <= 60
    listed = [one["seconds_left"] for one in ann.get("/tables.json").json()["my_tables"]]
    assert [left and round(left, -2) for left in listed[:3]] == [100, 86400, None]
    assert headings(lobby_of(alone.guest()))[1] == f"{OPEN} 2 open, newest first"


def test_the_socket_sends_the_same_tables_as_the_page(alone):
    ann, bo = alone.guest("Ann"), alone.guest("Bo")
    table = ann.make("kings-court", "me", "open", clock="60")
    bo.sit(table, 1)
    with ann.listening() as socket:
        pushed = socket.recv(timeout=10)
    page = ann.get("/", headers=HTML).text
    same, within = (re.sub('data-left="[^"]*"><b>[^<]*', "", " ".join(html.split())) for html in (pushed, page))
    assert same in within and "data-left" in pushed


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


def test_play_now_begins_a_first_game_and_the_form_the_usual_one(alone):
    guest = alone.guest("Ann")
    table = guest.submit("/play/robin").headers["location"].rpartition("/")[2]
    first = alone.table(table).row.options
    assert (first["dealt"], first["modifiers"], first["victories"]) == (True, False, 2)
    assert {act["words"].partition(" ")[0] for act in guest.view(table)["menu"]} == {"play"}
    usual = alone.table(guest.make("robin", "me", "squire")).row.options
    assert (usual["dealt"], usual["modifiers"], usual["victories"]) == (False, True, 3)


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

        for moment in unseen:
            loop.call_at(moment, lobby.tell, ["ann"])
        loop.call_at(2.9, change)
        received = []
        with lobby.watching(ann):
            while len(received) < 2:
                await ann.news.wait()
                ann.news.clear()
                received.append((loop.time(), ann.html))
        return received

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        assert runner.run(shown()) == [(0.5, "before"), (3.0, "after")]


def test_the_filter_shows_the_open_tables_that_suit_also_on_the_socket(alone):
    ann, bo = alone.guest("Ann"), alone.guest("Bo")
    fun = ann.make("kings-court", "me", "open")
    rated = ann.make("kings-court", "me", "open", rated=True)
    slow = ann.make("rune-war", "me", "open", clock="3 days")
    wishes = {
        "": [slow, rated, fun],
        "?rated=yes": [rated],
        "?days=yes": [slow],
        "?game=kings-court": [rated, fun],
        "?game=kings-court&days=yes": [],
        "?near=yes": [slow, rated, fun],
    }
    for query, tables in wishes.items():
        page = Page(bo.get(f"/{query}", headers=HTML).text)
        assert links(page, "Sit down", ":") == tables, query
    with connect(f"{bo._sockets()}/lobby/socket?rated=yes", additional_headers=bo.headers()) as socket:
        pushed = socket.recv(timeout=10)
        assert rated in pushed and fun not in pushed and slow not in pushed
        another = ann.make("kings-court", "me", "open", rated=True)
        assert another in socket.recv(timeout=10)
    refused = bo.get("/?game=chess", headers=HTML)
    assert refused.status_code == 422 and "There is no game" in refused.text


def test_a_quick_match_seats_two_who_want_the_same_and_nobody_else(alone):
    ann, bo, cy, di = (alone.guest(name) for name in ("Ann", "Bo", "Cy", "Di"))

    def quick(guest, **fields):
        answer = guest.submit("/quick", **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]

    first = quick(ann, game="kings-court", rival="anybody", clock="60")
    assert quick(cy, game="kings-court", rival="anybody", clock="none") != first
    assert quick(di, game="robin", rival="anybody", clock="60") != first
    assert quick(ann, game="kings-court", rival="anybody", clock="60") == first, "she waits there already"
    assert quick(bo, game="kings-court", rival="near", clock="60") == first
    assert [seat["name"] for seat in bo.view(first)["table"]["seats"]] == ["Ann", "Bo"]
    assert bo.view(first)["table"]["status"] == "playing"
    bot = quick(ann, game="robin", rival="knight", clock="none")
    assert ann.view(bot)["table"]["seats"][1]["name"] == "Knight" and ann.view(bot)["table"]["private"]
    assert quick(bo, game="", rival="anybody", clock="3 days")
    new = alone.guest()
    assert 'name="name"' in new.get("/", headers=HTML).text and 'name="name"' not in bo.get("/", headers=HTML).text
    wrong = new.submit("/quick", game="robin", rival="page", clock="none", name="Squire")
    assert wrong.status_code == 422 and 'name="next" value="&#x2f;"' in wrong.text
    table = quick(new, game="robin", rival="page", clock="none", name="Eve")
    assert [seat["name"] for seat in new.view(table)["table"]["seats"]] == ["Eve", "Page"]
    for wrong in ({"game": "chess"}, {"game": "robin", "rival": "boris"}, {"game": "robin", "clock": "7"}):
        assert bo.submit("/quick", **wrong).status_code in (404, 422)


def test_who_has_met_before_can_be_invited_and_may_decline(alone):
    ann, bo, cy = (alone.guest(name) for name in ("Ann", "Bo", "Cy"))
    key = {one: number_of(one) for one in (ann, bo, cy)}
    met = ann.make("kings-court", "me", "open")
    bo.sit(met, 1)
    refused = ann.post("/tables", game="robin", seats=["me", "open"], invite=key[bo])
    assert refused.status_code == 403 and "finished a game" in refused.json()["error"]
    assert bo.post(f"/tables/{met}/resign").status_code == 200
    with bo.listening() as socket:
        socket.recv(timeout=10)
        table = ann.make("robin", "me", "open", invite=key[bo], private=True)
        assert "Ann asks you to a table" in socket.recv(timeout=10)
    assert [one["table"] for one in bo.get("/tables.json").json()["invitations"]] == [table]
    assert cy.get("/tables.json").json()["invitations"] == []
    assert ann.post("/tables", game="robin", seats=["me", "open"], invite=key[cy]).status_code == 403
    assert bo.submit(f"/tables/{table}/decline").status_code == 303
    assert bo.get("/tables.json").json()["invitations"] == []
    again = ann.make("robin", "me", "open", invite=str(key[bo]))
    bo.sit(again, 1)
    assert bo.get("/tables.json").json()["invitations"] == []


def number_of(guest):
    """Return the number of a player, as the link to their page names it."""
    return int(re.search(r'class="who" href="/players/(\d+)"', guest.get("/", headers=HTML).text)[1])


def words_of(guest, table):
    """Return what a guest reads on the page of a table, with the addresses of its links and forms."""
    html = guest.get(f"/tables/{table}", headers=HTML).text
    main = html[html.index("<main") : html.index("</main>")]
    return " ".join(re.sub(r"<(?!a |form )[^>]*>", " ", main).split())


def test_a_table_that_waits_says_first_how_to_invite_and_who_would_fill_its_seats(alone):
    ann = alone.guest("Ann")
    quick = ann.submit("/quick", game="kings-court", rival="anybody", clock="60")
    own = words_of(ann, quick.headers["location"].rpartition("/")[2])
    assert re.search(
        r"Looking for a rival for 0:0\d .*Invite somebody .*Ann.*Seat 2 is free.*Start now against Squire", own
    )
    assert "a bot: looks ahead a little" in own
    table = ann.make("heirless", "me", "open", "open", private=True)
    own, seen = words_of(ann, table), words_of(alone.guest(), table)
    assert "Waiting for players" in own and "Start now against 2 Squires" in own and "Looking for" not in own
    assert "40 to 75 minutes" in seen and "/learn/heirless" in seen and "/rules/heirless" in seen
    assert seen.index("Sit down here") < seen.index("Invite somebody")
