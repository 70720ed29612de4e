"""Ratings at the tables: what a rated game changes, for whom, and what is refused there."""

import asyncio
import random
from html import unescape

import pytest

from quintain.engine.rules.registry import game
from quintain.server.model import entries as kinds
from quintain.server.model.ratings import NEWCOMER, Rated, anchors, points, rate
from quintain.server.store.finished_games import Filter, GameHistory
from quintain.server.store.standings import SETTLED, Standings
from quintain.server.store.store import Store
from server.filled import add_game, log_of_game, name_players, played
from server.guests import Serving, is_over, wait_until

NOW = 1_700_000_000.0
HTML = {"accept": "text/html"}


def in_store(address, do):
    async def run():
        async with Store.open(address) as store:
            return await do(store, await name_players(store, ("Ann", "Bo", "Cy")))

    return asyncio.run(run())


async def standing(store, number, game_id="kings-court"):
    """Return the rating of a player, and the games behind it; None before the first."""
    found = {each.game: each for each in await Standings(store).of_player(number)}
    return found.get(game_id)


@pytest.mark.both_stores
def test_a_rated_game_changes_the_ratings_of_its_people_once_and_others_change_nothing(database):
    match = played("kings-court", 2)

    async def do(store, numbers):
        ann, bo = numbers["Ann"], numbers["Bo"]
        await add_game(store, "fun", match, [ann, bo], NOW)
        before = await standing(store, ann)
        await add_game(store, "rated", match, [ann, bo], NOW + 1, rated=True)
        once = [await standing(store, number) for number in (ann, bo)]
        log = await store.entries("rated")
        agreed = kinds.LogEntry("rated", len(log) + 1, 0, kinds.AGREED, "yes", NOW + 2)
        assert await store.add([agreed], [kinds.fold([*log, agreed])])
        assert not await store.add([log[-1]], [kinds.fold(log)]), "the end is in the log already"
        twice = [await standing(store, number) for number in (ann, bo)]
        page = await GameHistory(store).page(Filter(str(ann), seen_by=str(ann)), 5)
        return before, once, twice, {each.own.table: each.own.change for each in page.games}

    before, once, twice, changes = in_store(database, do)
    ranks = match.outcome.ranks
    expected = rate([Rated(NEWCOMER, rank) for rank in ranks])
    assert before is None and once == twice
    assert [each.rating for each in once] == expected and [each.games for each in once] == [1, 1]
    assert changes == {"fun": None, "rated": points(expected[0]) - points(NEWCOMER)}
    assert changes["rated"] * (ranks[1] - ranks[0]) > 0


@pytest.mark.both_stores
def test_bots_stand_where_their_ladder_puts_them_and_who_leaves_loses(database):
    match, gone = played("kings-court", 2), played("kings-court", 2, resigns=0)

    async def do(store, numbers):
        ann, bo, cy = numbers.values()
        await add_game(store, "bot", match, [ann, "knight"], NOW, rated=True)
        await add_game(store, "gone", gone, [bo, cy], NOW, rated=True)
        return [await standing(store, number) for number in (ann, bo, cy)]

    ann, bo, cy = in_store(database, do)
    knight = anchors(game("kings-court"))["knight"]
    ranks = match.outcome.ranks
    assert ann.rating == rate([Rated(NEWCOMER, ranks[0]), Rated(knight, ranks[1], is_bot=True)])[0]
    assert bo.rating.mu < NEWCOMER.mu < cy.rating.mu


@pytest.mark.both_stores
def test_whoever_lets_a_bot_win_the_game_has_left_and_loses(database):
    match = played("kings-court", 2)
    first = match.outcome.ranks.index(1)

    async def do(store, numbers):
        ann, bo, _ = numbers.values()
        *log, closed = log_of_game("left", match, [ann, bo] if first == 0 else [bo, ann], NOW, rated=True)
        log.append(kinds.LogEntry("left", closed.seq, first, kinds.STAND_IN, "Squire", NOW))
        log.append(closed._replace(seq=closed.seq + 1))
        assert await store.add(log, [kinds.fold(log)])
        return [await standing(store, number) for number in (ann, bo)]

    ann, bo = in_store(database, do)
    assert ann.rating.mu < NEWCOMER.mu < bo.rating.mu


@pytest.mark.both_stores
def test_ratings_can_be_made_anew_from_the_logs(database):
    async def do(store, numbers):
        chance, who = random.Random(4), list(numbers.values())
        games = [played("kings-court", 2), played("kings-court", 2, 2), played("rune-war", 3)]
        for number in range(12):
            match = games[number % 3]
            seats = chance.sample([*who, "squire"], match.seats)
            await add_game(store, f"g{number}", match, seats, NOW + number, rated=number != 5)
        asked = [(number, id_) for number in who for id_ in ("kings-court", "rune-war")]
        before = [await standing(store, *each) for each in asked]
        await store.rebuild()
        return before, [await standing(store, *each) for each in asked]

    before, after = in_store(database, do)
    assert before == after and all(before)


@pytest.mark.both_stores
def test_the_best_have_places_once_they_have_played_enough(database):
    match = played("kings-court", 2)
    winner = match.outcome.ranks.index(1)

    async def do(store, numbers):
        ann, bo, cy = numbers.values()
        seats = [ann, bo] if winner == 0 else [bo, ann]
        for number in range(SETTLED):
            await add_game(store, f"g{number}", match, seats, NOW + number, rated=True)
        await add_game(store, "c", match, [cy, "page"], NOW, rated=True)
        standings = Standings(store)
        best = await standings.best("kings-court")
        places = [await standings.place((await standings.of_player(number))[0]) for number in (ann, bo, cy)]
        return [each.number for each in best] == [ann, bo], places, await standings.best("robin")

    in_order, places, nobody = in_store(database, do)
    assert in_order and places == [(1, 2), (2, 2), None] and nobody == []


@pytest.fixture
def serving(tmp_path):
    with Serving(tmp_path) as there:
        yield there


def test_at_a_rated_table_nothing_is_taken_back_and_there_are_no_hints(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open", rated=True)
    bo.sit(table, 1)
    seen = ann.view(table)
    assert seen["table"]["rated"] and not seen["table"]["can_hint"] and not seen["table"]["can_undo"]
    decision = seen["table"]["decision"]
    assert ann.move(table, seen["menu"][0]["action"], decision).status_code == 200
    refused = ann.post(f"/tables/{table}/undo", decision=decision + 1)
    assert refused.status_code == 409 and ann.view(table)["table"]["can_undo"] is False
    hinted = ann.post(f"/tables/{table}/hint")
    assert hinted.status_code == 409 and "no hints in a rated game" in hinted.json()["error"]


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("heirless", {"tables": "[[cards]]"}),
        ("kings-court", {"garnets": [3, 0]}),
        ("round-table", {"decks": ["hedge-host", "hedge-host"]}),
    ],
)
def test_options_that_may_favour_a_seat_are_not_for_rated_games(serving, game_id, options):
    ann = serving.guest("Ann")
    answer = ann.post("/tables", game=game_id, seats=["me", "open"], rated=True, clock="day", options=options)
    assert answer.status_code == 422 and "clock" not in answer.json()["error"]
    for wrong in ([1], "perhaps", 2):
        refused = ann.post("/tables", game=game_id, seats=["me", "open"], rated=wrong)
        assert refused.status_code == 400 and "rated must be true or false" in refused.json()["error"]


def test_a_rated_game_has_a_clock_and_no_bot_below_squire(serving):
    ann = serving.guest("Ann")
    refused = ann.post("/tables", game="kings-court", seats=["me", "open"], rated=True)
    assert refused.status_code == 422 and "a rated game has a clock" in refused.json()["error"]
    for level in ("page", "random", "greedy"):
        refused = ann.post("/tables", game="kings-court", seats=["me", level], rated=True, clock="60")
        assert refused.status_code == 422 and "no bot below Squire plays in a rated game" in refused.json()["error"]
    for level in ("squire", "knight", "champion"):
        assert ann.post("/tables", game="kings-court", seats=["me", level], rated=True, clock="60").status_code == 201
    form = ann.submit("/tables", **{"game": "kings-court", "seat.0": "me", "seat.1": "page", "rated": "on"})
    assert form.status_code == 422 and "a rated game has a clock" in unescape(form.text).lower()


def test_a_rated_seat_stays_with_its_player(serving):
    ann, bo, cy = (serving.guest(name) for name in ("Ann", "Bo", "Cy"))
    table = ann.make("kings-court", "me", "open", rated=True)
    bo.sit(table, 1)
    seat = serving.table(table).seats[0]
    token = serving.site.signer.seat_token(table, 0, seat.player, 0)
    assert f"/seat/{token}" not in unescape(ann.get(f"/tables/{table}", headers=HTML).text)
    refused = cy.post(f"/seat/{token}")
    assert refused.status_code == 409 and "stays with its player" in refused.json()["error"]
    assert cy.post(f"/tables/{table}/resign").status_code == 403


def test_nobody_plays_again_with_a_player_who_has_been_deleted(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open", rated=True)
    bo.sit(table, 1)
    assert bo.post(f"/tables/{table}/resign").status_code == 200
    assert bo.post(f"/tables/{table}/rematch", agrees="yes").status_code == 200
    assert bo.submit("/me/forget", name="Bo").status_code == 200
    refused = ann.post(f"/tables/{table}/rematch", agrees="yes")
    assert refused.status_code == 409 and "left for good" in refused.json()["error"]
    assert ann.view(table)["table"]["seats"][1]["name"] == "Player 2"


def test_the_usual_cards_may_be_rated(serving):
    ann = serving.guest("Ann")
    answer = ann.post("/tables", game="round-table", seats=["me", "open"], rated="on", clock="60")
    assert answer.status_code == 201 and answer.json()["table"]["rated"]


def play_out(ann, bo, table):
    chance = random.Random(3)
    wait_until(lambda: [one.move_at_random(table, chance) for one in (ann, bo)] and is_over(ann.view(table)))


def test_a_rated_game_says_if_its_players_share_an_address_and_changes_what_their_pages_show(serving, goofspiel):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", rated=True, options={"cards": 3})
    bo.sit(table, 1)
    wait_until(lambda: ann.view(table)["table"]["alike"] == ["Ann", "Bo"])
    play_out(ann, bo, table)
    shown = unescape(ann.get("/games", headers=HTML).text)
    assert "two players share a browser or an address" in shown and "rated" in shown
    page = unescape(ann.get("/players/1", headers=HTML).text)
    assert "few games yet" in page and "Goofspiel" in page
    again = [one.post(f"/tables/{table}/rematch", agrees="yes") for one in (ann, bo)]
    assert [answer.status_code for answer in again] == [200, 200]
    assert again[1].json()["table"]["rated"]


def test_players_at_other_addresses_share_nothing(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    bo.http.headers["x-forwarded-for"] = "203.0.113.7"
    table = ann.make("kings-court", "me", "open", rated=True)
    bo.sit(table, 1)
    bo.get("/", headers=HTML)
    wait_until(lambda: serving.table(table).folded.alike is not None)
    found = serving.table(table).folded.alike
    assert found in ((), (0, 1))


def test_the_pages_of_ratings_show_people_and_bots_and_unknown_games_are_not_found(serving):
    ann = serving.guest("Ann")
    assert "How ratings are reckoned" in unescape(ann.get("/ratings", headers=HTML).text)
    page = unescape(ann.get("/ratings/kings-court", headers=HTML).text)
    assert page.index("Champion") < page.index("Knight") < page.index("Squire") < page.index("Page</a>")
    assert ann.get("/ratings/chess", headers=HTML).status_code == 404
    assert "1500" in unescape(ann.get("/players/squire", headers=HTML).text)
