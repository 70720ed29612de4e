"""Players' games: what is listed, for whom, in which pages; and the records of many games in one zip."""

import asyncio
import io
import json
import re
import time
import zipfile
from dataclasses import replace
from html import unescape

import pytest
from sqlalchemy import event

from quintain.engine.errors import BadOption
from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.play.signatures import check_signature
from quintain.server.model import results
from quintain.server.model.entries import fold
from quintain.server.model.results import DRAWN, LEFT, LOST, RESIGNED, WON, Sums
from quintain.server.people.players import COOKIE
from quintain.server.store.finished_games import BOTS, NOT_WON, PEOPLE, Filter, GameHistory, ListPlace
from quintain.server.store.store import Store
from server.filled import EACH_BUSY, add_game, fill_with_games, log_of_game, name_players, played
from server.guests import Serving

NOW = 1_700_000_000.0
NAMES = ("Ann", "Bo", "Cy")


def in_store(address, do):
    async def run():
        async with Store.open(address) as store:
            return await do(store, await name_players(store, NAMES))

    return asyncio.run(run())


def winner(match):
    """Return the seat that is alone in first place."""
    (seat,) = (seat for seat, rank in enumerate(match.outcome.ranks) if rank == 1)
    return seat


async def some_games(store, numbers):
    """Write seven games: six of Ann's, the newest first, and one without her."""
    ann, bo, cy = (numbers[name] for name in NAMES)
    two, three = played("kings-court", 2), played("rune-war", 3)
    first, second = winner(two), 1 - winner(two)
    sat = {first: ann, second: bo}
    await add_game(store, "won", two, [sat[0], sat[1]], NOW, rated=True)
    await add_game(store, "lost", two, [sat[1], sat[0]], NOW - 10, private=True)
    await add_game(store, "bot", two, [ann, "squire"], NOW - 20)
    await add_game(store, "three", three, [bo, ann, "page"], NOW - 30)
    await add_game(store, "gone", played("kings-court", 2, resigns=0), [ann, cy], NOW - 40)
    await add_game(store, "same", two, [ann, bo], NOW - 40)
    await add_game(store, "others", two, [bo, cy], NOW - 50)
    return ann, bo, cy


def ids(page):
    return [each.own.table for each in page.games]


@pytest.mark.both_stores
def test_a_filter_lists_the_games_that_it_names_newest_first(database):
    async def do(store, numbers):
        ann, bo, cy = await some_games(store, numbers)
        history, own = GameHistory(store), Filter(str(ann), seen_by=str(ann))
        found = {
            "all": own,
            "game": replace(own, game="rune-war"),
            "rival": replace(own, opponent=str(bo)),
            "people": replace(own, opponent=PEOPLE),
            "bots": replace(own, opponent=BOTS),
            "page": replace(own, opponent="page"),
            "resigned": replace(own, result=RESIGNED),
            "not won": replace(own, result=NOT_WON, rated=False),
            "rated": replace(own, rated=True),
            "since": replace(own, since=NOW - 15),
            "bo asks": replace(own, seen_by=str(bo)),
            "cy asks": replace(own, seen_by=str(cy)),
            "nobody asks": replace(own, seen_by=None),
        }
        return {name: ids(await history.page(wanted, 10)) for name, wanted in found.items()}

    found = in_store(database, do)
    everything = ["won", "lost", "bot", "three", "same", "gone"]
    assert found["all"] == everything
    assert found["game"] == ["three"] and found["page"] == ["three"]
    assert found["rival"] == ["won", "lost", "three", "same"]
    assert found["people"] == ["won", "lost", "three", "same", "gone"]
    assert found["bots"] == ["bot", "three"]
    assert found["resigned"] == ["gone"] and found["rated"] == ["won"]
    assert "gone" in found["not won"] and "lost" in found["not won"] and "won" not in found["not won"]
    assert found["since"] == ["won", "lost"]
    assert found["bo asks"] == everything
    assert found["cy asks"] == found["nobody asks"] == [one for one in everything if one != "lost"]


@pytest.mark.both_stores
def test_pages_go_through_a_list_forth_and_back_and_miss_nothing(database):
    async def do(store, numbers):
        ann, *_ = await some_games(store, numbers)
        history, own = GameHistory(store), Filter(str(ann), seen_by=str(ann))
        forth, page = [], await history.page(own, 2)
        forth.append(page)
        while page.has_older:
            last = page.games[-1].own
            page = await history.page(own, 2, before=ListPlace(last.ended, last.table))
            forth.append(page)
        back = [page]
        while page.has_newer:
            first = page.games[0].own
            page = await history.page(own, 2, after=ListPlace(first.ended, first.table))
            back.append(page)
        return forth, back

    forth, back = in_store(database, do)
    assert [ids(page) for page in forth] == [["won", "lost"], ["bot", "three"], ["same", "gone"]]
    assert [ids(page) for page in back] == [ids(page) for page in reversed(forth)]
    assert [page.has_newer for page in forth] == [False, True, True]
    assert not back[-1].has_newer and all(page.has_older for page in back[1:])


@pytest.mark.both_stores
def test_sums_and_tallies_count_each_game_once_and_who_left_as_behind(database):
    async def do(store, numbers):
        ann, bo, cy = await some_games(store, numbers)
        history = GameHistory(store)
        tallies = {(each.opponent, each.game): each for each in await history.tallies(str(ann))}
        sums = await history.sums(Filter(str(ann), seen_by=str(ann)))
        nobody = await history.sums(Filter("99"))
        return sums, nobody, tallies, (await history.tallies(str(cy), str(ann))), str(bo), str(cy)

    sums, nobody, tallies, of_cy, bo, cy = in_store(database, do)
    two, three = played("kings-court", 2), played("rune-war", 3)
    same, alone = winner(two) == 0, three.outcome.ranks[1] == 1
    assert sums == Sums(6, 1 + 2 * same + alone, 1, 1, 0, 0) and nobody == Sums(0, 0, 0, 0, 0, 0)
    ahead = [1, 0, same]
    assert (tallies[bo, "kings-court"].ahead, tallies[bo, "kings-court"].behind) == (sum(ahead), 3 - sum(ahead))
    ranks = three.outcome.ranks
    assert (tallies[bo, "rune-war"].ahead, tallies["page", "rune-war"].ahead) == (
        ranks[1] < ranks[0],
        ranks[1] < ranks[2],
    )
    assert tallies["page", "rune-war"].is_bot and not tallies[bo, "rune-war"].is_bot
    assert (tallies[cy, "kings-court"].ahead, tallies[cy, "kings-court"].behind) == (0, 1)
    assert [(each.ahead, each.behind, each.games) for each in of_cy] == [(1, 0, 1)]


def test_a_shared_first_place_is_drawn_and_a_bot_that_played_to_the_end_means_left():
    match = played("kings-court", 2)
    log = log_of_game("t", match, [1, "knight"], NOW)
    folded = fold(log)
    assert [(each.who, each.bot, each.rank) for each in results.played(folded)] == [
        ("1", False, match.outcome.ranks[0]),
        ("knight", True, match.outcome.ranks[1]),
    ]
    assert {each.result for each in results.played(folded)} == {WON, LOST}
    folded.record["result"]["ranks"] = [1, 1]
    assert [each.result for each in results.played(folded)] == [DRAWN] * 2
    folded.seats[0].stand_in = True
    assert [each.result for each in results.played(folded)] == [LEFT, DRAWN]
    assert results.played(fold(log[:-1])) == []


def plans(connection, statements):
    """Return how the database would find the rows of each of these statements, with their parameters."""
    explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET enable_seqscan = off")
    return [
        "\n".join(str(row) for row in connection.exec_driver_sql(f"{explain} {sql}", given))
        for sql, given in statements
    ]


@pytest.mark.both_stores
def test_lists_sums_and_tallies_of_a_player_are_found_by_an_index(database):
    async def do(store, numbers):
        ann, bo, _ = await some_games(store, numbers)
        history, key, statements = GameHistory(store), str(ann), []

        def note(_, __, sql, given, *___):
            statements.append((sql, given))

        event.listen(store.engine.sync_engine, "before_cursor_execute", note)
        for wanted in (Filter(key, seen_by=key), Filter(key, "robin", seen_by=None), Filter(key, opponent=str(bo))):
            await history.page(wanted, 5, before=ListPlace(NOW, "won"))
            await history.page(wanted, 5, after=ListPlace(0.5, "won"))
            await history.number(wanted)
            await history.sums(wanted)
            await history.results(wanted, NOW - 60, NOW)
            await history.tables(wanted, 5)
        await history.tallies(key)
        await history.tallies(key, str(bo))
        await history.met(key, 5)
        await store.tables_of(["ann"], 5)
        event.remove(store.engine.sync_engine, "before_cursor_execute", note)
        async with store.engine.connect() as connection:
            return await connection.run_sync(plans, [each for each in statements if each[0].startswith("SELECT")])

    found = in_store(database, do)
    assert len(found) >= 20
    for plan in found:
        assert not re.search(r"SCAN (played|tallies|tables|seats)|Seq Scan", plan), plan
        assert re.search(r"USING (COVERING )?INDEX|Index (Only )?Scan|Bitmap Index Scan", plan), plan


@pytest.mark.both_stores
@pytest.mark.long
def test_paging_through_a_thousand_of_very_many_games_gives_each_once(database):
    async def do(store, numbers):
        (busy, *_), history = (
            await asyncio.to_thread(fill_with_games, database, 100_000, NOW),
            GameHistory(store),
        )
        own, seen = Filter(str(busy), seen_by=str(busy)), []
        page = await history.page(own, 50)
        while page.games:
            seen += page.games
            last = page.games[-1].own
            page = await history.page(own, 50, before=ListPlace(last.ended, last.table))
        return seen, await history.number(own), await history.tallies("squire", str(busy))

    seen, number, tallies = in_store(database, do)
    ended = [(each.own.ended, each.own.table) for each in seen]
    assert EACH_BUSY <= len(set(ended)) == len(ended) == number
    assert ended == sorted(ended, reverse=True)
    squires = [each for each in seen if any(seat.who == "squire" for seat in each.seats)]
    assert sum(each.games for each in tallies) == len(squires)


@pytest.mark.both_stores
def test_tallies_follow_from_the_games_when_they_are_made_anew(database):
    async def do(store, numbers):
        found = await some_games(store, numbers)
        history = GameHistory(store)
        before = [await history.tallies(str(each)) for each in (*found, "squire", "page")]
        await store.rebuild()
        return before, [await history.tallies(str(each)) for each in (*found, "squire", "page")]

    before, after = in_store(database, do)
    assert all(before) and before == after


@pytest.mark.parametrize("text", ["", "x", "1~", "~t", "1e999~t", "nan~t", "1~a b", "-1~t", "1~" + "t" * 41])
def test_a_place_in_a_list_that_is_none_is_refused(text):
    with pytest.raises(BadOption, match="go back to its first page"):
        ListPlace.read(text)


def test_a_place_in_a_list_can_be_read_again():
    for ended in (0.1 + 0.2, 1_700_000_000.123456, 3.0):
        assert ListPlace.read(str(ListPlace(ended, "a-b_9"))) == ListPlace(ended, "a-b_9")


@pytest.fixture
def serving(tmp_path):
    with Serving(tmp_path) as there:
        yield there


def filled(serving, number=45):
    """Return Ann as a guest of a server where she has played many games, one of them at a private table."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    match, month = played("kings-court", 2), 30 * 86400.0

    async def fill():
        async with Store.open(serving.site.config.database) as store:
            for i in range(number):
                await add_game(store, f"g{i:03}", match, [1, 2], time.time() - i * month / 10, private=i == 0)

    asyncio.run(fill())
    return ann, bo


def html(guest, path):
    answer = guest.get(path, headers={"accept": "text/html"})
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def test_my_games_lists_what_runs_and_what_is_over_page_by_page(serving):
    ann, bo = filled(serving)
    running = ann.make("kings-court", "me", "open")
    bo.sit(running, 1)
    page = html(ann, "/games")
    assert "1 running, 45 finished" in page and f"/tables/{running}" in page
    seen, following = [], "/games"
    while following:
        page = html(ann, following)
        seen += [id_ for id_ in (f"g{i:03}" for i in range(45)) if f'href="/tables/{id_}"' in page]
        older = [part.split('"')[0] for part in page.split('href="')[1:] if part.split('"', 1)[1].startswith(">Older")]
        following = older[0] if older else None
    assert seen == [f"g{i:03}" for i in range(45)]
    assert "No finished game is like that" in html(ann, "/games?game=robin")


def test_a_private_game_is_listed_for_its_players_alone(serving):
    ann, bo = filled(serving, 3)
    cy = serving.guest("Cy")
    for guest, sees in ((ann, True), (bo, True), (cy, False), (serving.guest(), False)):
        for path in ("/players/1", "/players/1/with/2", "/players/2/with/1"):
            assert ("/tables/g000" in html(guest, path)) is sees, path
            assert "/tables/g001" in html(guest, path)


def test_a_page_of_a_player_shows_no_id_of_a_cookie(serving):
    ann, _ = filled(serving, 3)
    id_ = serving.site.sessions.of_cookie(ann.http.cookies[COOKIE])[0]
    cy = serving.guest("Cy")
    for path in ("/players/1", "/players/1/with/2", "/players/page"):
        assert id_ not in html(cy, path)


def test_a_zip_holds_the_records_that_the_filter_names_signed_and_with_todays_names(serving):
    ann, bo = filled(serving, 25)
    assert bo.post("/name", name="Bob").status_code == 200
    answer = ann.get("/games/records.zip")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None and len(archive.namelist()) == 25
        record = json.loads(archive.read(archive.namelist()[3]))
    assert record["names"] == ["Ann", "Bob"] and record == ann.get("/tables/g003/record.json").json()
    assert check_signature(record).table == "g003" and Match.load(record).outcome
    narrowed = ann.get("/games/records.zip?when=month&result=left")
    with zipfile.ZipFile(io.BytesIO(narrowed.content)) as archive:
        assert archive.namelist() == []
    assert serving.guest().get("/games/records.zip").status_code == 404


@pytest.mark.parametrize(
    "path",
    [f"/players/{who}" for who in ("99", "0", "-1", "\u0661", "9999999999", "nobody", "careful:Careful", "1/with/99")],
)
def test_a_player_who_does_not_exist_is_not_found(serving, path):
    serving.guest("Ann")
    assert serving.guest().get(path, headers={"accept": "text/html"}).status_code == 404


@pytest.mark.parametrize("query", ["before=x", "result=best", "rated=maybe", "when=never"])
def test_a_filter_that_does_not_exist_says_what_would_be_right(serving, query):
    ann = serving.guest("Ann")
    answer = ann.get(f"/games?{query}")
    assert answer.status_code == 422 and len(answer.json()["error"]) > 20


def brought_in(guest, record, **fields):
    """Return the answer to a record that somebody brings in, as a browser sends it."""
    return guest.submit("/games/import", record=record if isinstance(record, str) else json.dumps(record), **fields)


def test_a_record_that_is_brought_in_becomes_a_game_that_counts_for_nothing(serving):
    ann, bo = filled(serving, 2)
    match = played("kings-court", 2, 3)
    record = match.record()
    asked = brought_in(ann, record)
    assert asked.status_code == 200 and "Who were you in this game?" in asked.text and "P1" in asked.text
    answer = brought_in(ann, record, seat="1")
    assert answer.status_code == 201 and "no server has signed it" in unescape(answer.text)
    page = html(ann, "/games")
    assert "brought in as a record" in page and "3 finished" in page and "P0" in page
    (table,) = set(re.findall(r'href="/tables/([\w-]+)"', page)) - {"g000", "g001"}
    seen = ann.view(table)
    assert [seat["name"] for seat in seen["table"]["seats"]] == ["P0", "Ann"] and seen["table"]["you"] == 1
    assert seen["result"]["scores"] == list(match.outcome.scores)
    again = ann.get(f"/tables/{table}/record.json").json()
    assert again["names"] == ["P0", "Ann"] and again["moves"] == record["moves"] and "signature" not in again
    assert ann.get(f"/tables/{table}/replay?step=3", headers={"accept": "text/html"}).status_code == 200
    twice = brought_in(ann, record, seat="1")
    assert twice.status_code == 409 and "brought this game in already" in unescape(twice.text)
    sealed = sealed_again(record, log=["<b>Somebody won.</b>"])
    assert brought_in(ann, sealed, seat="1").status_code == 409, "the same game in other words"
    for path in ("/players/1", "/players/2"):
        assert table not in html(bo, path)
    assert bo.get("/players/~P0", headers={"accept": "text/html"}).status_code == 404
    assert brought_in(bo, record, seat="0").status_code == 201


def test_the_record_of_another_server_is_brought_in_with_its_signature_and_from_a_file(serving, tmp_path):
    ann, _ = filled(serving, 1)
    signed = ann.get("/tables/g000/record.json").text
    with Serving(tmp_path / "other") as other:
        cy = other.guest("Bo")
        answer = cy.http.post(
            "/games/import",
            data={"csrf": cy.csrf, "record": ""},
            files={"record": ("game.json", signed, "application/json")},
            headers={"accept": "text/html"},
        )
        assert answer.status_code == 201 and "has signed it" in unescape(answer.text)
        assert "brought in as a record" in html(cy, "/games")


def test_lessons_and_games_that_were_played_on_are_listed_and_add_to_no_sum(serving):
    ann, _ = filled(serving, 1)
    on = ann.post("/tables/g000/play-on", step=20, seat=0, level="random")
    assert on.status_code == 201
    assert ann.post(f"/tables/{on.json()['table']['id']}/resign").status_code == 200
    games, own = html(ann, "/games"), html(ann, "/players/1")
    assert "2 finished, 1 of them not counted" in games and "resigned" in games
    assert all("Not counted: lessons, practice" in page for page in (games, own))
    assert "<dt>games</dt><dd>1</dd>" in own and "<dt>not counted</dt><dd>1</dd>" in own
    assert '<a href="/games">all 2</a>' in own and "<dt>not counted</dt>" not in html(serving.guest("Cy"), "/players/1")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda record: "[]", "neither a save nor a record"),
        (lambda record: "{", "not JSON"),
        (lambda record: "", "not JSON"),
        (lambda record: record | {"names": ["A", "B"]}, "changed or damaged"),
        (lambda record: sealed_again(record, moves=record["moves"][:-3]), ""),
        (lambda record: sealed_again(record, names=["<b>", "B"]), ""),
    ],
)
def test_a_record_that_is_not_true_is_refused_and_leaves_nothing(serving, change, words):
    ann = serving.guest("Ann")
    answer = brought_in(ann, change(played("kings-court", 2).record()), seat="0")
    assert answer.status_code == 422 and words in unescape(answer.text), answer.text
    assert "You have played no game here yet" in html(ann, "/games")
    assert brought_in(ann, played("kings-court", 2).record(), seat="7").status_code == 422


def sealed_again(record, **changes):
    """Return a record with something changed, and a checksum that fits."""
    forged = {**record, **changes}
    return {**forged, "sha256": checksum(forged)}


def test_on_the_page_of_a_player_and_a_bot_the_player_comes_first_and_two_bots_have_none(serving):
    ann, _ = filled(serving, 1)
    assert "Ann and Squire" in html(ann, "/players/squire/with/1") and 'href="/players/1/with/squire"' in html(
        ann, "/players/squire"
    )
    assert ann.get("/players/squire/with/page", headers={"accept": "text/html"}).status_code == 404


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 25, 2**63, -(2**40), "\u0661", "1e3", [1], None, True])
def test_numbers_that_no_database_holds_are_refused_and_break_nothing(serving, number):
    ann = serving.guest("Ann")
    assert ann.post("/tables", game="robin", seats=["me", "open"], invite=number).status_code in (201, 400, 403)
    assert ann.get("/new/robin", params={"invite": str(number)}, headers={"accept": "text/html"}).status_code == 200
    assert ann.get(f"/players/{number}", headers={"accept": "text/html"}).status_code == 404
    refused = brought_in(ann, played("kings-court", 2).record(), seat=str(number))
    assert refused.status_code in (200, 422)
