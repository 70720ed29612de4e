"""Statistics: what wins is counted once for each finished game, people and bots apart, and shown with intervals."""

import asyncio
import re
from collections import Counter
from html import unescape

import pytest

from quintain.engine.rules.registry import all_games
from quintain.lab.intervals import wilson
from quintain.server.model.entries import AGAIN, AGREED, NO_SEAT, YES, Folded, LogEntry, fold
from quintain.server.model.wins import CHOICE, MOVE, OPENING, SEAT, WinCount, counted, counts, move_words
from quintain.server.pages.study.win_shares import FEW, MOST_ROWS, shown_statistics
from quintain.server.store.store import Store
from quintain.server.store.win_counts import counts_of, sizes
from server.filled import add_game, log_of_game, name_players, played
from server.guests import Serving
from server.samples import VISITOR

NOW = 1_700_000_000.0
NASTY = "<script>alert(1)</script>"


def in_store(address, do):
    async def run():
        async with Store.open(address) as store:
            await name_players(store, ("Ann", "Bo"))
            return await do(store)

    return asyncio.run(run())


def record(ranks, *acts, **options):
    """Return a small record of Round Table: acts are seats with moves, or with None for an undo."""
    moves = [
        {"seat": seat, "kind": "undo"} if text is None else {"seat": seat, "kind": "move", "text": text}
        for seat, text in acts
    ]
    return {"game": "round-table", "options": options, "moves": moves, "result": {"ranks": ranks}}


def of_kind(found: list[WinCount], kind: str) -> dict:
    return {(each.key, each.bot): (each.games, each.won) for each in found if each.kind == kind}


def test_a_game_is_counted_by_seats_openings_moves_and_decks():
    found = counted(
        record(
            [1, 2],
            *[(0, "play Baron"), (1, "pass"), (0, "attack seat 1's Baron"), (0, "play Baron"), (1, "attack seat 0")],
            decks=["hedge-host", "crowned-heads"],
        ),
        [False, True],
    )
    assert {each[:2] for each in found} == {("round-table", 2)}
    assert of_kind(found, SEAT) == {("1", False): (1, 1.0), ("2", True): (1, 0.0)}
    assert of_kind(found, OPENING) == {("play Baron", False): (1, 1.0), ("pass", True): (1, 0.0)}
    assert of_kind(found, MOVE) == {
        ("play Baron", False): (1, 1.0),
        ("attack an opponent's Baron", False): (1, 1.0),
        ("pass", True): (1, 0.0),
        ("attack an opponent", True): (1, 0.0),
    }
    assert of_kind(found, CHOICE) == {("decks: hedge-host", False): (1, 1.0), ("decks: crowned-heads", True): (1, 0.0)}


def test_a_shared_first_place_is_a_part_of_a_win():
    found = counted(record([1, 3, 1], (0, "pass"), (1, "pass"), (2, "pass")), [False, False, False])
    assert of_kind(found, SEAT) == {("1", False): (1, 0.5), ("2", False): (1, 0.0), ("3", False): (1, 0.5)}
    assert of_kind(found, MOVE) == {("pass", False): (3, 1.0)}


def test_a_move_that_was_taken_back_does_not_count():
    found = counted(record([1, 2], (0, "play Baron"), (1, "pass"), (0, None), (0, "play Duke")), [False, False])
    assert {key for key, _ in of_kind(found, MOVE)} == {"play Duke", "pass"}
    assert {key for key, _ in of_kind(found, OPENING)} == {"play Duke", "pass"}


@pytest.mark.parametrize("options", [{"decks": [NASTY, "hedge-host"]}, {"cards": NASTY}])
def test_a_game_with_a_strangers_text_counts_without_any_words(options):
    found = counted(record([1, 2], (0, f"play {NASTY}"), (1, "pass"), **options), [False, False])
    assert of_kind(found, SEAT) and not of_kind(found, MOVE) and not of_kind(found, OPENING)
    own = {("decks: of their own", False): (1, 1.0), ("decks: hedge-host", False): (1, 0.0)}
    assert of_kind(found, CHOICE) == (own if "decks" in options else {})


def test_a_game_whose_rules_are_gone_counts_its_seats():
    found = counted(record([1, 2], (0, "pass")) | {"game": "gone-game"}, [False, False])
    assert {each.kind for each in found} == {SEAT}


def test_words_have_a_bound():
    assert len(move_words("x" * 500, 0)) == 80
    assert move_words("bid 123456", 0) == move_words("bid 100", 0) != move_words("bid 10", 0)


@pytest.mark.parametrize("game", [game for game in all_games() if game.folder], ids=lambda game: game.id)
def test_every_game_has_a_bounded_number_of_words(game):
    texts = set()
    for seed in range(4):
        record = played(game.id, game.seats[2], seed + 1).record(with_names=False)
        texts |= {each.key for each in counted(record, [False] * game.seats[2]) if each.kind == MOVE}
    assert 10 < len(texts) < 1000 and not [text for text in texts if "seat " in text.replace("own seat", "")]


def test_lessons_games_played_on_and_games_left_early_do_not_count():
    log = log_of_game("g", played("kings-court", 2), [1, "squire"], NOW)
    folded = fold(log)
    assert counts(folded)
    assert counts(fold(log[:-1])) == []
    folded.is_known = True
    assert counts(folded) == []
    folded = fold(log)
    folded.seats[0].stand_in = True
    assert counts(folded) == []
    assert counts(fold(log_of_game("h", played("kings-court", 2, resigns=0), [1, 2], NOW))) == []


async def all_counts(store):
    found = {}
    for game in ("kings-court", "rune-war"):
        for seats in await sizes(store, game):
            for each in await counts_of(store, game, seats):
                found[each[:5]] = (each.games, pytest.approx(each.won))
    return found


async def some_games(store):
    two, three = played("kings-court", 2), played("rune-war", 3)
    await add_game(store, "a", two, [1, 2], NOW)
    await add_game(store, "b", two, ["squire", 1], NOW)
    await add_game(store, "c", three, [1, "page", "page"], NOW, private=True)
    await add_game(store, "left", played("kings-court", 2, resigns=0), [1, 2], NOW)
    return two


@pytest.mark.both_stores
def test_counts_of_people_and_bots_are_kept_apart_and_made_anew(database):
    async def do(store):
        two = await some_games(store)
        before = await all_counts(store)
        await store.rebuild()
        return two, before, await all_counts(store), await sizes(store, "kings-court")

    two, before, after, numbers = in_store(database, do)
    won = [float(rank == 1) for rank in two.outcome.ranks]
    assert numbers == {2: 2}
    assert before["kings-court", 2, SEAT, "1", False] == (1, won[0])
    assert before["kings-court", 2, SEAT, "1", True] == (1, won[0])
    assert before["kings-court", 2, SEAT, "2", False] == (2, 2 * won[1])
    assert ("kings-court", 2, SEAT, "2", True) not in before
    assert {key[4] for key in before if key[:4] == ("rune-war", 3, SEAT, "1")} == {False}
    moves = Counter(key[4] for key in before if key[2] == MOVE)
    assert moves[False] and moves[True]
    assert before == after


@pytest.mark.both_stores
def test_a_write_that_fails_counts_nothing_and_a_game_counts_once(database, monkeypatch):
    async def do(store):
        entries = log_of_game("a", played("kings-court", 2), [1, 2], NOW)
        folded = fold(entries)

        async def broken(*_):
            raise OSError("killed")

        with monkeypatch.context() as patched:
            patched.setattr(Store, "tell", broken)
            patched.setattr(Store, "_count", _and_then(Store._count, broken))
            with pytest.raises(OSError, match="killed"):
                await store.add(entries, [folded])
        nothing = await all_counts(store)
        assert await store.add(entries, [folded])
        once = await all_counts(store)
        assert not await store.add(entries, [folded])
        last = len(entries)
        for seat in (0, 1):
            agreed = LogEntry("a", last + 1 + seat, seat, AGREED, YES, NOW)
            folded.take(agreed)
            assert await store.add([agreed], [folded])
        again = LogEntry("a", last + 3, NO_SEAT, AGAIN, "b", NOW)
        folded.take(again)
        assert await store.add([again], [folded])
        return nothing, once, await all_counts(store)

    nothing, once, later = in_store(database, do)
    assert nothing == {} and once == later
    assert once["kings-court", 2, SEAT, "1", False][0] == 1


def _and_then(first, second):
    async def both(*given):
        await first(*given)
        await second()

    return both


@pytest.mark.both_stores
def test_many_games_that_end_at_once_are_all_counted(database):
    async def do(store):
        matches = [played("kings-court", 2, seed) for seed in (1, 2, 3)] * 6
        games = [add_game(store, f"g{number}", match, [1, 2], NOW) for number, match in enumerate(matches)]
        await asyncio.gather(*games)
        return await sizes(store, "kings-court")

    assert in_store(database, do) == {2: 18}


def shown(*found: WinCount, seats: int = 2):
    (game,) = [each for each in all_games() if each.id == "round-table"]
    return shown_statistics(game, VISITOR, {seats: 40}, seats, found)


def cells(page, table):
    (found,) = [each for each in page["tables"] if each["title"] == table]
    return {row["words"]: row["cells"] for row in found["rows"]}


def test_a_share_comes_with_its_interval_and_with_few_games_there_is_none():
    page = shown(
        WinCount("round-table", 2, SEAT, "1", False, 40, 30.0),
        WinCount("round-table", 2, SEAT, "2", False, 40, 10.0),
        WinCount("round-table", 2, SEAT, "2", True, FEW - 1, 9.0),
    )
    people, bots = cells(page, "Seats")["seat 1"]
    low, high = wilson(0.75, 40)
    assert people["share"] == "75 %" and people["interval"] == f"{100 * low:.0f} to {100 * high:.0f} %"
    assert people["tone"] == "above" and bots == {"games": 0, "is_few": True}
    people, bots = cells(page, "Seats")["seat 2"]
    assert people["tone"] == "below" and bots == {"games": FEW - 1, "is_few": True}


def test_the_most_frequent_moves_are_shown_first_and_seats_in_their_order():
    moves = [WinCount("round-table", 2, MOVE, f"play {number}", False, number, 0.0) for number in range(1, 51)]
    seats = [WinCount("round-table", 2, SEAT, str(number), False, number, 0.0) for number in (10, 2, 1)]
    page = shown(*moves, *seats)
    assert list(cells(page, "Moves and cards")) == [f"play {number}" for number in range(50, 50 - MOST_ROWS, -1)]
    assert list(cells(page, "Seats")) == ["seat 1", "seat 2", "seat 10"]
    assert next(table for table in page["tables"] if table["title"] == "Moves and cards")["more"] == 50 - MOST_ROWS


@pytest.fixture
def serving(tmp_path):
    with Serving(tmp_path) as there:
        yield there


def fill(serving, do):
    async def run():
        async with Store.open(serving.site.config.database) as store:
            await do(store)

    asyncio.run(run())


def html(guest, path, status=200):
    answer = guest.get(path, headers={"accept": "text/html"})
    assert answer.status_code == status, answer.text
    return answer.text


def test_a_page_shows_what_was_counted(serving):
    match = played("kings-court", 2)

    async def games(store):
        for number in range(12):
            await add_game(store, f"g{number}", match, [1, "squire"], NOW)

    guest = serving.guest("Ann")
    fill(serving, games)
    page = unescape(html(guest, "/statistics/kings-court"))
    first = "100 %" if match.outcome.ranks[0] == 1 else "0 %"
    assert "12 games with 2 seats" in page and re.search(rf"seat 1</th><td.*?<b>{first}</b>", page, re.DOTALL)
    assert "style=" not in page and "12 games counted" in html(guest, "/statistics")
    assert all(f'href="/statistics/{game.id}"' in html(guest, "/rules") for game in all_games())
    assert 'href="/statistics/kings-court"' in html(guest, "/rules/kings-court")


def test_a_game_that_nobody_has_finished_says_so(serving):
    guest = serving.guest()
    assert "has been counted here yet" in html(guest, "/statistics/kings-court")
    assert "has been counted here yet" in html(guest, "/statistics/rune-war?seats=4")
    html(guest, "/statistics/nothing", 404)
    for seats in ("7", "-1", "x", "\u0662", "999999999999"):
        html(guest, f"/statistics/rune-war?seats={seats}", 422)


def test_words_in_the_database_are_escaped(serving):
    guest, match = serving.guest("Ann"), played("round-table", 2)

    async def games(store):
        entries = log_of_game("own", match, [1, 1], NOW)
        folded: Folded = fold(entries)
        folded.record["options"]["decks"] = [NASTY, "hedge-host"]
        await store.add(entries, [folded])
        odd = log_of_game("odd", match, [1, 1], NOW)
        folded = fold(odd)
        folded.record["moves"] = [{"seat": 0, "kind": "move", "text": f"a {NASTY}"}]
        await store.add(odd, [folded])

    fill(serving, games)
    page = html(guest, "/statistics/round-table")
    assert NASTY not in page and "of their own" in page
    assert f"a {NASTY}" in unescape(page)
