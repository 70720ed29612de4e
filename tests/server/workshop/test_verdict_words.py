"""The words of verdicts: one bound decides what is said and shown, and each verdict says what to do next."""

from collections import Counter

import pytest

from quintain.engine.rules.registry import game
from quintain.lab import noted
from quintain.lab.noted import Thing
from quintain.lab.verdicts import JudgedThing, TrialFigures, paired, verdict
from quintain.server.model.kept_trials import KeptTrial
from quintain.server.pages.cards.balance.advice import advice_for
from quintain.server.pages.cards.balance.counted import counted_context
from quintain.server.pages.cards.balance.growth import growth
from quintain.server.pages.cards.balance.panel import Trialed
from quintain.server.pages.cards.balance.sentences import verdict_context
from quintain.server.workshop.drafts import base_draft
from quintain.server.workshop.subjects import Subject
from quintain.server.workshop.trial_work import TrialFound, TrialOrder, pack_found
from server.workshop.sample_sets import with_values

ROBIN, ROUND_TABLE, HEIRLESS = game("robin"), game("round-table"), game("heirless")
GARETH = Thing(noted.DRAWN, "Gareth")


def figures_of(thing, before, after, games, most, counts=(), both=None):
    """Return the figures of a trial: a thing won `before` and `after` of so many games each, in the same deals."""
    same = min(before, after) if both is None else both
    fours = Counter(
        {
            (2, 1, 2, 1): same,
            (2, 1, 0, 1): before - same,
            (0, 1, 2, 1): after - same,
            (0, 1, 0, 1): games - before - after + same,
        }
    )
    won = paired(thing, +fours, 2, games / most)
    judged = JudgedThing(thing.name, won, None, verdict(won.after, 0.5, games / most), True)
    kinds = ([judged], []) if thing.kind != noted.DECK else ([], [judged])
    return TrialFigures(games, most, 0.5, (thing.name,), *kinds, [], None, None, None, [], list(counts))


def lines(shown):
    return [shown["head"], *shown["rest"]]


def test_what_is_not_sure_yet_is_too_early_and_not_shown_as_good():
    shown = verdict_context(figures_of(GARETH, 34, 48, 60, 400), True)
    assert (shown["word"], shown["tone"]) == ("too early", "early")
    assert lines(shown)[0].startswith("Gareth, too early: wins 80 % (")
    assert ("real" in lines(shown)[1]) != ("not sure" in lines(shown)[1])


@pytest.mark.parametrize("after", range(100, 201, 10))
def test_the_word_on_a_change_is_that_of_the_interval_beside_it(after):
    said = lines(verdict_context(figures_of(GARETH, 100, after, 300, 400), True))[1]
    if after == 100:
        assert "never mattered" in said
    else:
        assert said.endswith("real.") == ("(+" in said or ("(\N{MINUS SIGN}" in said and " to \N{MINUS SIGN}" in said))


def test_a_change_that_did_nothing_is_called_so_and_zeros_have_no_sign():
    shown = verdict_context(figures_of(GARETH, 160, 160, 319, 2000), True)
    assert "In these 319 games the change never mattered." in lines(shown)[1]
    assert "+0" not in " ".join(lines(shown)) and "not sure" not in " ".join(lines(shown))


def test_a_real_gain_that_leaves_a_card_fair_is_one_judgement():
    shown = verdict_context(figures_of(GARETH, 980, 1030, 2000, 2000), True)
    assert shown["word"] == "fair" and lines(shown)[1].endswith("real.")
    assert lines(shown)[2] == "So it became stronger, and it is fair: no more is needed."


@pytest.mark.parametrize(
    ("won", "word", "tone"),
    [
        (1140, "better than even", "good"),
        (860, "worse than even", "off"),
        (1000, "about even", "good"),
    ],
)
def test_a_deck_is_better_or_worse_than_even_and_never_fair(won, word, tone):
    shown = verdict_context(figures_of(Thing(noted.DECK, "your deck"), won, won, 2000, 2000), False)
    assert (shown["word"], shown["tone"]) == (word, tone)
    assert shown["head"].startswith(f"Your deck, {word}: wins") and "fair" not in shown["head"]


def advice(before, after, games, **values):
    """Return the advice on Gareth after other values were given to him."""
    base = base_draft(ROUND_TABLE)
    text = with_values(ROUND_TABLE, base, "Gareth", **values)
    return advice_for(ROUND_TABLE, base, text, figures_of(GARETH, before, after, games, games))


def test_the_advice_says_how_far_to_go():
    assert advice(1000, 1500, 2000, influence="9") == "lower Influence by about 6"
    assert advice(1000, 1100, 2000, influence="4") == "lower Influence by 1"
    assert advice(1000, 800, 2000, influence="2") == "raise Influence by 1"


def test_the_advice_names_all_numbers_that_made_a_card_too_strong():
    assert advice(1000, 1500, 2000, influence="9", resistance="5") == "lower Influence or Resistance again"


def test_a_change_that_is_not_the_reason_gets_no_blame():
    assert "not clearly due to your change" in advice(1500, 1501, 2000, influence="4")
    assert advice(1000, 1001, 2000, influence="4") == ""


# What a game counts, in a trial in which no card is judged.


def counted(before, after, games=2000, most=2000, **values):
    """Return the verdict on a card of the Bandits by their battles, of which each game has one."""
    base = base_draft(HEIRLESS)
    text = with_values(HEIRLESS, base, "Frenzy", **values)
    same = min(before, after)
    rest = games - max(before, after)
    fours = +Counter({(1, 1, 1, 1): same, (1, 1, 0, 1): before - same, (0, 1, 1, 1): after - same, (0, 1, 0, 1): rest})
    camps = paired(Thing(noted.COUNT, "battles with Bandits won by the Bandits", "bandits"), fours, 1, games / most)
    others = paired(Thing(noted.COUNT, "Knights sent to the Capital", "sent"), Counter({(1, 1, 0, 1): games}), 1, 1)
    made = TrialFigures(games, most, 1 / 3, (), [], [], [], None, None, None, [], [others, camps])
    return counted_context(HEIRLESS, base, text, made)


def test_a_card_of_the_bandits_is_told_by_their_battles():
    shown = counted(960, 900, **{"attack.0": "6"})
    assert shown["head"] == "Frenzy with Attack, Damage +6 makes the camps a little safer."
    assert lines(shown)[1].startswith("Battles with Bandits won by the Bandits: 45 % (")
    assert lines(shown)[3] == "That is about 1.5 points for each step of Attack, Damage."
    assert shown["tone"] != "good"
    shown = counted(500, 1000, **{"attack.0": "10"})
    assert shown["head"] == "Frenzy with Attack, Damage +10 makes the camps more dangerous."


def test_no_clear_change_of_what_is_counted_is_said():
    assert counted(960, 959, **{"attack.0": "6"})["head"] == "Frenzy with Attack, Damage +6: no clear change."
    early = counted(96, 90, 200, **{"attack.0": "6"})
    assert early["head"].endswith("no clear change so far.") and early["tone"] == "early"
    assert "no change of what the game counts" in counted(960, 960, **{"attack.0": "6"})["head"]


# Figures of a handful of games.


def panel(figures):
    base = base_draft(ROUND_TABLE)
    text = with_values(ROUND_TABLE, base, "Gareth", influence="9")
    order = TrialOrder("round-table", "cards", base, text, False, "policy", figures.most)
    found = pack_found(TrialFound(figures, {"Gareth": [(figures.games, (1.0, 0.6, 1.0), (1.0, 0.6, 1.0))]}))
    kept = KeptTrial("x", 1, "set:x", "policy", figures.most, figures.games, b"", found, 0.0, 0.0, False, "")
    return Trialed(ROUND_TABLE, Subject("set:x", order, "the base set", "the draft"), kept).panel("")


def test_a_handful_of_games_has_numbers_of_games_and_no_share():
    few = panel(figures_of(GARETH, 10, 16, 16, 2000))
    assert few["verdict"]["tone"] == "early" and few["growth"] is None
    assert [few["rows"][0][each] for each in ("before", "now", "interval", "change")] == [
        "16 games",
        "16 games",
        "",
        "",
    ]
    more = panel(figures_of(GARETH, 10, 20, 20, 2000))
    assert more["growth"] and more["rows"][0]["now"] == "100 %"


def test_lines_that_are_the_same_are_drawn_once():
    assert panel(figures_of(GARETH, 160, 160, 319, 2000))["growth"]["is_same"]
    assert not panel(figures_of(GARETH, 160, 170, 319, 2000))["growth"]["is_same"]


def test_match_ups_that_are_the_same_are_left_out():
    made = figures_of(GARETH, 160, 170, 319, 2000)
    fours = Counter({(2, 1, 2, 1): 20, (0, 1, 0, 1): 20})
    same, other = (Thing(noted.MATCH, "Gareth", name) for name in ("Kay", "Farm"))
    changed_fours = fours + Counter({(0, 1, 2, 1): 8})
    made.matches.extend([paired(other, changed_fours, 2, 0.2), paired(same, fours, 2, 0.2)])
    assert [row["words"] for row in panel(made)["matches"]] == ["Gareth against Farm"]


def test_a_run_that_was_looked_at_once_is_drawn_as_a_line_up_to_its_last_game():
    drawn = growth([(200, None, (0.5, 0.4, 0.6))], 200, 0.5, is_share=True)
    first, last = (point.split(",") for point in drawn["now"]["line"].split())
    assert float(first[0]) < float(last[0]) == drawn["cursor"] and first[1] == last[1]
