"""The ribbon of what has happened since a viewer's last decision, as the server draws it: also without script."""

import asyncio
import html
import random
import re
from dataclasses import replace

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.engine.rules.views import Change, Recap
from quintain.engine.seen.seen import Seen
from quintain.server.limits import Rate
from quintain.server.pages import since
from quintain.server.pages.contexts import table_context
from quintain.server.pages.rendering import environment
from quintain.server.pages.since import MOST_PLACES, MOST_RINGS, MOST_STEPS, Back, looked_back, rings, steps_json, words
from quintain.server.people.players import Visitor
from quintain.server.slices import Slices
from quintain.server.tables.live_table import LiveTable, Viewing
from server.guests import Serving
from server.logged import table_of
from server.samples import played, table_page

NEWS = re.compile(r'<a id="ribbon-(\d+)"[^>]*>.*?class="ribbon-words">([^<]*)<')
MARKS = re.compile(r' id="([^"]*)" data-news="([^"]*)"')
NOTHING = '<p class="ribbon-news none">'
HOUSES = ("Artois", "Bellerophon")
"""The houses on which the first two counters lie."""
PARTIAL = {"HX-Request": "true"}


def at_table(serving, *moves: int):
    """Return Ann, Bo and their table of King's Court after Ann has put one counter and Bo this many."""
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open", options={"garnets": "0,0"})
    bo.sit(table, 1)
    for guest, times in zip((ann, bo), moves, strict=True):
        for _ in range(times):
            put_first(guest, table)
    return ann, bo, table


def put_first(guest, table):
    seen = guest.view(table)
    assert guest.move(table, seen["menu"][0]["action"], seen["table"]["decision"]).status_code == 200


def page(guest, table, query="", **more):
    return guest.get(f"/tables/{table}{query}", **more)


def log_of(shown: str) -> list[str]:
    log = shown[shown.index('id="log"') : shown.index("</ol></div>", shown.index('id="log"'))]
    return [html.unescape(line) for line in re.findall(r'<li(?: class="new")?>([^<]*)</li>', log)]


def test_a_page_says_the_last_news_and_links_to_the_rest(serving):
    ann, bo, table = at_table(serving, 1, 2)
    shown = page(ann, table).text
    assert 'id="ribbon" aria-label="Since your turn" data-asks>' in shown and not NEWS.findall(shown)
    assert ">Bo puts a counter on Bellerophon.</a>" in shown
    assert f'href="/tables/{table}?since="' in shown and f'href="/tables/{table}?since=1"' in shown
    assert NOTHING in page(bo, table).text, "what Bo has done is no news to Bo"


def test_the_news_is_numbered_and_so_are_its_places(serving):
    ann, _, table = at_table(serving, 1, 2)
    shown = page(ann, table, "?since").text
    assert NEWS.findall(shown) == [(str(n), f"Bo put a counter on {house}") for n, house in enumerate(HOUSES, 1)]
    assert dict(MARKS.findall(shown)).items() >= {"house.0": "1", "house.1": "2"}.items()
    assert "data-asks" not in shown and not MARKS.findall(page(ann, table).text)


def test_one_step_shows_the_table_as_it_was_while_the_question_waits(serving):
    ann, _, table = at_table(serving, 1, 3)
    now, before = page(ann, table).text, ann.view(table)
    for step in (1, 2, 3):
        shown = page(ann, table, f"?since={step}").text
        assert f'data-step="{step}"' in shown and f"{step} of 3" in shown
        assert log_of(shown) == log_of(now)[: len(log_of(now)) - 3 + step]
        links = [int(number) for number in re.findall(r'id="ribbon-(?:back|on)" href="[^"]*since=(\d+)"', shown)]
        assert links == [number for number in (step - 1, step + 1) if 1 <= number <= 3]
        assert 'id="ribbon-to-now"' in shown and not MARKS.findall(shown)
        assert f'id="counter.1.{step - 1}" data-ringed' in shown and shown.count(" data-ringed") <= MOST_RINGS
        assert html.escape(before["view"]["question"]["words"]) in shown and "This waits" in shown
        assert not re.search(r'name="action"', shown), "nothing can be done in the past"
        assert '<meta http-equiv="refresh"' not in shown
    assert ann.view(table) == before


def test_after_a_reload_the_marks_are_the_same_and_a_decision_ends_them(serving):
    ann, bo, table = at_table(serving, 1, 2)
    first = MARKS.findall(page(ann, table, "?since").text)
    assert first and MARKS.findall(page(ann, table, "?since").text) == first
    put_first(ann, table)
    shown = page(ann, table, "?since").text
    assert not MARKS.findall(shown) and NOTHING in shown
    assert NEWS.findall(page(bo, table, "?since").text) == [("1", "Ann put a counter on Bellerophon")]


@pytest.mark.parametrize("asked", ["0", "3", "-1", "1.5", "one", "1" * 40, "\u0661", "1;2"])
def test_a_step_that_is_not_there_is_refused_with_a_reason(serving, asked):
    ann, _, table = at_table(serving, 1, 2)
    answer = ann.get(f"/tables/{table}", params={"since": asked})
    assert answer.status_code == 422
    assert "since your last turn: they are numbered 1 to 2" in answer.text and len(NEWS.findall(answer.text)) == 2


def test_without_news_every_step_is_refused(serving):
    ann, _, table = at_table(serving, 0, 0)
    assert page(ann, table, "?since").status_code == 200 and NOTHING in page(ann, table, "?since").text
    answer = page(ann, table, "?since=1")
    assert answer.status_code == 422 and "since your last turn: there is none" in answer.text


def test_a_table_that_waits_and_one_that_is_over_have_no_ribbon(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("kings-court", "me", "open")
    assert page(ann, table, "?since=1").status_code == 200
    bo.sit(table, 1)
    bo.post(f"/tables/{table}/resign")
    assert 'id="ribbon"' not in page(ann, table, "?since").text
    answer = page(ann, table, "?since=1")
    assert answer.status_code == 409 and "the game is over" in answer.text


def test_a_spectator_gets_the_news_since_the_last_mover_began(serving):
    _, _, table = at_table(serving, 1, 2)
    eve = serving.guest()
    shown = page(eve, table, "?since").text
    assert 'aria-label="This turn"' in shown
    assert [text for _, text in NEWS.findall(shown)] == [f"Bo put a counter on {house}" for house in HOUSES]
    assert "1 of 2" in page(eve, table, "?since=1").text


def test_htmx_gets_the_part_of_the_page_that_changes(serving):
    ann, _, table = at_table(serving, 1, 2)
    for query, mark in (("?since", "data-news"), ("?since=2", "data-ringed")):
        part = page(ann, table, query, headers=PARTIAL).text
        assert part.lstrip().startswith('<div id="table-body"') and mark in part


def test_who_asks_too_often_must_wait(tmp_path):
    with Serving(tmp_path, replay_rate=Rate(2, 0.001)) as serving:
        ann, _, table = at_table(serving, 1, 2)
        assert [page(ann, table, "?since").status_code for _ in range(3)] == [200, 200, 429]
        assert page(ann, table).status_code == 200


# Which elements are ringed


def moment(change: Change) -> Seen:
    match = played(game("kings-court"), lambda match: len(match.moves_made) > 20)
    return replace(match.seen(0), changes=(change,))


def changed(*places: str, zone: str = "hand.1") -> Seen:
    return moment(Change(1, "Bo plays.", 1, places, tuple(zone for _ in places)))


def test_places_on_the_page_get_rings_of_their_own():
    places = ["hand.1.0", "hand.1.1"]
    assert rings(changed(*places), {*places, "zone.hand.1", "seat.1"}) == places


def test_a_place_that_is_not_there_rings_its_zone_or_the_plate_of_its_owner():
    seen = changed("hand.1.0", "hand.1.8")
    assert rings(seen, {"hand.1.0", "zone.hand.1", "seat.1"}) == ["hand.1.0", "zone.hand.1"]
    assert rings(seen, {"hand.1.0", "seat.1"}) == ["hand.1.0", "seat.1"]
    assert rings(seen, {"seat.0"}) == []


def test_many_places_of_a_zone_ring_the_zone_and_a_change_of_everything_rings_nothing():
    places = [f"hand.1.{number}" for number in range(MOST_PLACES + 1)]
    assert rings(changed(*places), {*places, "zone.hand.1"}) == ["zone.hand.1"]
    scattered = Change(1, "A round begins.", None, tuple("abcdefg"), tuple("ABCDEFG"))
    assert rings(moment(scattered), set("abcdefg")) == []


def test_news_without_words_names_the_player():
    assert words(changed("hand.1.0")) == "Bo plays."
    assert words(moment(Change(1, "", 1, (), ()))) == "Bo of Bellinghausen has moved."
    assert words(moment(Change(1, "", None, (), ()))) == "Something has changed."


def test_a_long_list_numbers_only_its_chips_each_on_one_piece():
    match = played(game("round-table"), lambda match: len(match.moments(0)) > 12, seats=4)
    back = Back(match, 0)
    page = table_page(match, 0) | {"since": back.context}
    shown = back.marked(environment().render_template("table.html", **page))
    numbers = [int(number) for _, number in MARKS.findall(shown)]
    assert numbers and {*numbers} <= {1, 2, 3, 4} and len(numbers) == len({*numbers})
    assert sorted(map(int, re.findall(r'<span class="n">(\d+)</span>', shown))) == sorted(numbers)
    assert f">+{len(back.chips) - 4}<" in shown


def test_no_card_wears_the_number_of_the_news_that_a_collection_is_laid_out():
    match = played(game("robin"), lambda match: match.view(0).phase.round == 2 and 0 in match.to_act)
    back = Back(match, 0)
    assert any(chip.words == "The round was drawn" for chip in back.chips)
    page = table_page(match, 0) | {"since": back.context}
    shown = back.marked(environment().render_template("table.html", **page))
    assert 'id="collection.0.0"' in shown and not MARKS.findall(shown)
    assert '<span class="n">' not in shown, "a number that nothing wears does not stand in the ribbon"


def test_results_come_first_and_then_what_each_player_did():
    def told(number, seat, words, is_result=False):
        return moment(Change(number, words, seat, (), (), Recap(words, is_result)))

    match = played(game("kings-court"), lambda match: len(match.moves_made) > 20)
    news = [told(1, 1, "a"), told(2, None, "b"), told(3, 1, "won", True), told(4, 1, "c"), told(5, 0, "", True)]
    back = Back(match, 0, moments=news)
    assert [(chip.words, chip.number) for chip in back.chips] == [("won", 3), ("a", 1), ("c", 4), ("b", 2)]


def test_of_many_pieces_of_news_only_the_last_are_drawn(monkeypatch):
    match = played(game("heirless"), lambda match: len(match.moments(0)) > MOST_STEPS, seats=6)
    table, drawn = table_of(match), []
    table.match = match
    monkeypatch.setattr(since, "table_context", lambda *given, **more: drawn.append(1) or table_context(*given, **more))
    ann = Visitor(table.seats[0].player, "Ann", "", "auto")
    shown = asyncio.run(
        steps_json(Slices(), Viewing.of(LiveTable(table), ann), environment(), "http://localhost", "", after=0)
    )
    assert len(shown["steps"]) == len(drawn) == MOST_STEPS
    assert shown["steps"][-1]["html"] != shown["steps"][0]["html"]


def test_news_and_table_are_of_one_moment_though_somebody_moves_meanwhile():
    match = played(game("kings-court"), lambda match: match.to_act == {1} and match.moments(0))
    table = table_of(match)
    table.match = match
    live, ann = LiveTable(table), Visitor(table.seats[0].player, "Ann", "", "auto")

    async def look_while_bo_moves():
        looking = asyncio.create_task(looked_back(Slices(), live, ann, ""))
        await asyncio.sleep(0)
        match.play(1, match.moves(1)[0].action)
        table.seq += 1
        return await looking

    before = len(match.log(0))
    viewing, back, _ = asyncio.run(look_while_bo_moves())
    assert len(viewing.seen.log) == len(back.moments[-1].log) > before
    assert back.chips == Back(match, 0).chips


# Secrecy


def everything(match: Match, viewer: int | None) -> list[object]:
    """Return all that a viewer can get by looking back: the ribbon, and the table after each piece of news."""
    back = Back(match, viewer)
    steps = [(seen.view, seen.log, rings(seen, {piece.id for piece in seen.view.pieces()})) for seen in back.moments]
    return [back.context, *steps]


@pytest.mark.parametrize("id_", ["goofspiel", "rune-war", "heirless"])
def test_a_step_in_secret_changes_nothing_for_whoever_looks_back(id_):
    match, chooser, unnoticed = Match.new(id_, seed=bytes(32)), random.Random(6), 0
    while match.to_act and len(match.moves_made) < 80:
        seat = chooser.choice(sorted(match.to_act))
        action = chooser.choice(match.moves(seat)).action
        others = [viewer for viewer in (None, *range(match.seats)) if viewer != seat]
        blind = [viewer for viewer in others if not match.is_noticed(seat, action, viewer)]
        before = {viewer: everything(match, viewer) for viewer in blind}
        match.play(seat, action)
        assert {viewer: everything(match, viewer) for viewer in blind} == before
        unnoticed += len(blind)
    assert unnoticed > 10 or id_ == "goofspiel"


@pytest.mark.parametrize("viewer", [1, None])
def test_a_secret_choice_looks_the_same_whatever_was_chosen(viewer):
    shown = []
    for choice in (0, -1):
        match = Match.new("kings-court", names=["Ann", "Bo"], options={"garnets": "0,0"}, seed=bytes(32))
        for _ in range(3):
            match.play(0, match.moves(0)[choice].action)
        shown.append(everything(match, viewer))
    assert shown[0] == shown[1] and len(shown[0]) == 4
