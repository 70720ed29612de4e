"""Previews say what an action does, and never more than its player may know."""

from itertools import count
from random import Random

import pytest

import quintain
from quintain.conformance import Case
from quintain.conformance.previews import told
from quintain.engine.play.match import Match
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.views import TOKEN, Count, Label, Phase, Preview, Scene, Score, Side, Stat, View, Zone, token
from quintain.engine.seen.previews import LIKELY, facts, previews
from quintain.engine.seen.seen import Seen
from quintain.games.rune_war import state as st

MANY = 10_000
ENOUGH = 0.9
"""The share of the lines called likely that must be true."""


def preview_of(match: Match, seat: int, words: str) -> Preview | None:
    """Return the preview of a move, given in words."""
    seen = match.seen(seat)
    action = seen.understood(words)
    return dict(previews(seen.game, seen.book, seen.state, seen.seat, [(action,)])).get((action,))


def view_with(scores: tuple[int, ...] = (), totals: tuple[int, ...] = (), title: str = "A battle") -> View:
    """Return a view with only scores and the totals of a scene."""
    sides = tuple(Side(seat, f"seat {seat}", total=total) for seat, total in enumerate(totals))
    made = tuple(Score(seat, number, "points", True, (), 1) for seat, number in enumerate(scores))
    scene = Scene("battle", "panel", title, sides=sides) if totals else None
    return View((), Phase("", (), 0), scores=made, scene=scene)


@pytest.mark.parametrize(
    ("was", "now", "seat", "short", "tone"),
    [
        ((5, 5), (8, 5), 0, "+3 points", "good"),
        ((5, 5), (5, 8), 0, "rival +3 points", "bad"),
        ((5, 5), (7, 7), 0, "+2 points", "even"),
        ((5, 5), (2, 1), 0, "\N{MINUS SIGN}3 points", "good"),
        ((1, 9, 4), (1, 4, 4), 0, "rival \N{MINUS SIGN}5 points", "good"),
    ],
)
def test_what_counts_first_is_the_lead_of_the_player(was, now, seat, short, tone):
    found = facts(view_with(scores=was), view_with(scores=now), seat)
    assert (found[0].short, found[0].tone) == (short, tone)
    assert [fact.words for fact in found[1:]] == [
        f"{'you' if owner == seat else f'seat {owner}'}: {one} \N{RIGHTWARDS ARROW} {other} points"
        for owner, (one, other) in enumerate(zip(was, now, strict=True))
        if one != other
    ]


@pytest.mark.parametrize(("seat", "short", "tone"), [(0, "rounds won +1", "good"), (1, "rival rounds won +1", "bad")])
def test_where_scores_count_something_else_afterwards_the_public_counts_tell(seat, short, tone):
    def table(unit: str, number: int, rounds: int) -> View:
        scores = tuple(Score(one, number, unit, True, (), 1) for one in (0, 1))
        return View((), Phase("", (), 0), scores=scores, counts=(Count("rounds", 0, rounds, None, "rounds won"),))

    fact, *_ = facts(table("of 4 stages", 3, 0), table("of 2 rounds", 1, 1), seat)
    whose = "seat 0: " if seat else "your "
    assert (fact.short, fact.tone, fact.words) == (short, tone, f"{whose}rounds won 0 \N{RIGHTWARDS ARROW} 1")
    found = facts(table("of 4 stages", 1, 0), table("of 4 stages", 2, 0), seat)
    assert found[0].short == "stages +1"


@pytest.mark.parametrize(("seat", "short", "tone"), [(0, "9 : 16 behind", "bad"), (1, "16 : 9 ahead", "good")])
def test_the_totals_of_a_battle_come_with_the_own_one_first(seat, short, tone):
    (fact,) = facts(view_with(totals=(4, 16)), view_with(totals=(9, 16)), seat)
    assert (fact.short, fact.tone, fact.words) == (short, tone, f"A battle: {short.rpartition(' ')[0]}")


def test_an_even_rank_shows_the_influence_it_brings_and_a_one_says_that_it_depends():
    match = Match.new("kings-court", seed="05" * 32)
    while not match.seen(0).view.question or match.seen(0).view.question.key != "play":
        seat = min(match.to_act)
        match.play(seat, match.moves(seat)[0].action)
    shown = {act.words: preview_of(match, 0, act.words) for act in match.seen(0).menu}
    even = {words: preview for words, preview in shown.items() if words[-1] in "2468"}
    assert even
    for words, preview in even.items():
        assert any(f"Influence 0 \N{RIGHTWARDS ARROW} {words[-1]}" in line.words for line in preview.lines), words
        assert not any(line.words.startswith(LIKELY) for line in preview.lines)
    ones = [preview for words, preview in shown.items() if words.endswith(" 1")]
    assert all(preview.tone == "open" and preview.short == "? depends" for preview in ones), (
        "what the rival's counter is counts"
    )


def test_an_attack_on_a_hidden_card_promises_nothing():
    chooser, match = Random(7), Match.new("rune-war", seed="07" * 32)
    seat = min(match.to_act)
    while not any(move.text.startswith("attack Player") for move in match.moves(seat)):
        match.play(seat, chooser.choice(match.moves(seat)).action)
        seat = min(match.to_act)
    seen = match.seen(seat)
    hidden = [act.path for act in seen.menu if act.words.startswith("attack")]
    found = dict(previews(seen.game, seen.book, seen.state, seen.seat, hidden))
    assert {preview.tone for preview in found.values()} == {"open"}
    assert not any(line for preview in found.values() for line in preview.lines if not line.words.startswith(LIKELY))


def test_a_number_is_said_with_the_state_that_the_table_gives_it():
    legend = (Label("half", "only one counter known"),)

    def table(number: int, state: str) -> View:
        worth = token("worth", Stat("worth", number, words="worth"), state=frozenset(filter(None, (TOKEN, state))))
        return View((Zone("worth", "middle", None, "row", (worth,), 1, "Worth"),), Phase("", (), 0), legend=legend)

    def lines(before: View, after: View) -> list[str]:
        return [fact.words for fact in facts(before, after, 0)]

    step = "worth \N{MINUS SIGN}2 \N{RIGHTWARDS ARROW} 3"
    assert lines(table(-2, "half"), table(3, "half")) == [f"{step} (only one counter known)"]
    assert lines(table(-2, ""), table(3, "")) == [step]
    assert lines(table(-2, "half"), table(3, "")) == [], "a part and a whole are no change"


def test_kings_court_previews_the_worth_of_a_lead_as_far_as_its_counters_are_known():
    case, halves = Case(quintain.game("kings-court"), 2), 0
    for book, s in case.positions(1):
        for seat in seats_in(case.game.rules.to_act(book, s)):
            seen = Seen.of(case.game, book, case.game.blinded(book, s, seat), seat)
            whole = {
                piece.stats[0].written
                for piece in seen.view.pieces()
                if piece.name == "worth of the lead" and "half" not in piece.state
            }
            for _, preview in seen.previews([(action,) for action in seen.legal[:12]]):
                for line in preview.lines:
                    if line.words.startswith("worth of the lead "):
                        is_half = line.words.endswith(" (only one counter known)")
                        assert is_half or line.words.split()[4] in whole, line.words
                        halves += is_half
    assert halves > 10


def test_rune_war_compares_no_totals_of_different_battles():
    case, further = Case(quintain.game("rune-war"), 2), 0
    for seed in range(6):
        for book, s in case.positions(seed):
            if s.phase == st.FURTHER and not s.over:
                seen = Seen.of(case.game, book, case.game.blinded(book, s, s.attacker), s.attacker)
                found = seen.previews([(action,) for action in seen.legal])
                lines = [line.words for _, preview in found for line in preview.lines]
                assert not any("total" in line or "counts" in line for line in lines), lines
                further += 1
    assert further > 5


def test_words_name_the_players():
    match = Match.new("kings-court", names=["Ann", "Bo"], seed="05" * 32)
    seat = min(match.to_act)
    seen = match.seen(seat)
    lines = [line for _, preview in seen.previews([(action,) for action in seen.legal]) for line in preview.lines]
    assert any(line.words.startswith("your ") for line in lines)
    assert not any(match.names[seat] in line.words for line in lines), "the viewer is you"
    assert not any("seat 0" in line.words or "seat 1" in line.words for line in lines)


@pytest.mark.long
@pytest.mark.parametrize("game", quintain.all_games(), ids=lambda game: game.id)
def test_ten_thousand_previews_are_true(game):
    case, made, plain, likely = Case(game, game.seats[2]), 0, [], []
    for seed in count():
        for each in told(case, seed):
            made += 1
            plain += [line for line in each.plain if line not in each.true]
            likely += [line in each.true for line in each.likely]
        if made >= MANY:
            break
    assert plain == []
    assert sum(likely) >= ENOUGH * len(likely), f"{sum(likely)} of {len(likely)} likely lines are true"
