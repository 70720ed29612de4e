"""Hints on the server: who gets them, what they claim, and what the page says while the search thinks."""

import threading

from quintain.bots.ismcts import SOUND, Judgement
from quintain.engine.play.match import Match
from quintain.engine.seen.layout import Advice
from quintain.server.pages.rendering import view_context
from quintain.server.tables import acts
from server.guests import PATIENCE, wait_until


def test_only_the_player_who_asked_sees_a_hint(serving):
    ann, bo = serving.guest("Ann"), serving.guest("Bo")
    table = ann.make("goofspiel", "me", "open", hints=True)
    bo.sit(table, 1)
    ann.http.timeout = 10 * PATIENCE  # the search may have to be compiled
    ann.post(f"/tables/{table}/hint")
    wait_until(lambda: ann.view(table)["table"]["hint"], 10 * PATIENCE)
    seen = ann.view(table)
    words = [choice["words"] for choice in seen["menu"]]
    hint = seen["table"]["hint"]
    assert len(hint) == 3 and {move["words"] for move in hint} <= set(words)
    shares = [move["share"] for move in hint]
    assert shares == sorted(shares, reverse=True) and all(move["low"] < move["share"] < move["high"] for move in hint)
    assert all(move["simulations"] >= SOUND for move in hint) and not seen["table"]["hinting"]
    assert bo.view(table)["table"]["hint"] is None
    assert seen["table"]["hint"][0]["words"] in ann.get(f"/tables/{table}").text
    ann.move(table, words[0], seen["table"]["decision"])
    assert ann.view(table)["table"]["hint"] is None, "the question has been answered"
    assert ann.post(f"/tables/{table}/hint").status_code == 409
    assert serving.guest("Eve").post(f"/tables/{table}/hint").status_code == 403


def test_among_people_there_are_hints_only_if_the_maker_allows_them_and_everybody_sees_that(serving):
    ann, bo, eve = serving.guest("Ann"), serving.guest("Bo"), serving.guest("Eve")
    plain = ann.make("kings-court", "me", "open")
    bo.sit(plain, 1)
    assert not ann.view(plain)["table"]["can_hint"] and "Hints allowed" not in ann.get(f"/tables/{plain}").text
    refused = ann.post(f"/tables/{plain}/hint")
    assert refused.status_code == 409 and "has not allowed hints" in refused.json()["error"]
    allowed = ann.make("kings-court", "me", "open", hints=True)
    for guest in (ann, bo, eve):
        assert "hints are allowed" in guest.get(f"/tables/{allowed}").text, "before they sit down"
    bo.sit(allowed, 1)
    for guest in (ann, bo, eve):
        assert "Hints allowed" in guest.get(f"/tables/{allowed}").text
    views = [guest.view(allowed) for guest in (ann, bo)]
    assert any(view["menu"] for view in views)
    assert all(view["table"]["can_hint"] == bool(view["menu"]) for view in views)
    refused = ann.post("/tables", game="kings-court", seats=["me", "open"], clock="120", rated=True, hints=True)
    assert refused.status_code == 422 and "no hints in a rated game" in refused.json()["error"]


def test_alone_against_bots_there_are_always_hints(serving):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "squire")
    wait_until(lambda: ann.view(table)["menu"])
    assert ann.view(table)["table"]["can_hint"] and "Hints allowed" not in ann.get(f"/tables/{table}").text


def test_a_search_that_gets_ready_says_so_and_claims_nothing_and_the_hint_comes_by_itself(serving, monkeypatch):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "squire")
    wait_until(lambda: ann.view(table)["menu"])
    is_compiled, move = threading.Event(), ann.view(table)["menu"][0]

    async def judge(asker, seen):
        return [Judgement(move["action"], 2000, 0.4)] if is_compiled.is_set() else None

    monkeypatch.setattr(serving.site.tables.workers, "judge", judge)
    monkeypatch.setattr(acts, "PATIENCE", 0.1)
    monkeypatch.setattr(acts, "COMPILING", 0.1)
    seen = ann.post(f"/tables/{table}/hint").json()
    assert seen["table"]["hinting"] and seen["table"]["hint"] is None
    page = ann.get(f"/tables/{table}").text
    assert "made ready for this game" in page and 'class="advice' not in page and 'aria-busy="true"' in page
    is_compiled.set()
    wait_until(lambda: ann.view(table)["table"]["hint"])
    page = ann.get(f"/tables/{table}").text
    assert f"Hint: {move['words']}, wins 40 %" in page and "38\N{EN DASH}42 %" in page
    assert 'aria-busy="true"' not in page


def test_moves_that_were_tried_a_few_times_have_no_chances_and_one_can_ask_again(serving, monkeypatch):
    ann = serving.guest("Ann")
    table = ann.make("kings-court", "me", "squire")
    wait_until(lambda: ann.view(table)["menu"])
    moves, tries = ann.view(table)["menu"], iter([SOUND - 1, SOUND])

    async def judge(asker, seen):
        number = next(tries)
        return [Judgement(moves[0]["action"], number, 0.93), Judgement(moves[1]["action"], 7, 1.0)]

    monkeypatch.setattr(serving.site.tables.workers, "judge", judge)
    assert ann.post(f"/tables/{table}/hint").json()["table"]["hint"] == []
    page = ann.get(f"/tables/{table}").text
    assert "too few games to tell" in page and "93 %" not in page and 'class="advice' not in page
    hint = ann.post(f"/tables/{table}/hint").json()["table"]["hint"]
    assert [move["action"] for move in hint] == [moves[0]["action"]], "seven games say nothing"
    page = ann.get(f"/tables/{table}").text
    assert "93 %" in page and "100 %" not in page.partition('id="hints-over"')[2].partition("</details>")[0]


def test_a_card_whose_place_is_chosen_next_wears_the_hint():
    match = Match.new("rune-war", seed=bytes(32))
    view = match.view(0)
    act = next(act for piece in view.pieces() for act in piece.acts if act.then is not None)
    advice = Advice(act.action, 1, 50, 40, 60, 1000)
    assert view_context(match.game, view, 0, advice=(advice,))["advised"][act.moves] == advice
