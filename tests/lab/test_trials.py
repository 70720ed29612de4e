"""Trials: a game before and after a change on equal deals, what they count, and what may not happen meanwhile."""

import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from operator import add
from typing import Any

import pytest

import quintain
from quintain.engine.errors import BadCards, BadDeck, BadOption
from quintain.engine.rules.compiling import native
from quintain.games.robin import state as st
from quintain.games.robin.words import card_name
from quintain.lab import matches, noted
from quintain.lab.noted import Players, Thing
from quintain.lab.series import ready, whole
from quintain.lab.trials import OWN_DECK, Trial, TrialCounts, parts, play_trial, prepare

ROBIN, HEIRLESS, ROUND_TABLE = map(quintain.game, ("robin", "heirless", "round-table"))
YVAIN = """[[knight]]
name = "Yvain of the Lion"
rp = 4
influence = 3
resistance = 3
types = ["Round Table"]
"""
LITTLE_JOHN = "levels = [3, 3, 5, 4]"


def base(game: quintain.Game = ROBIN) -> str:
    assert game.collection
    return game.collection.base()


def own_set(levels: str = "[5, 5, 5, 5]") -> str:
    """Return the base set of Robin with other levels of Little John."""
    assert base().count(f'name = "Little John"\ncaste = "Outlaw"\npolitics = "Activist"\n{LITTLE_JOHN}') == 1
    return base().replace(LITTLE_JOHN, f"levels = {levels}", 1)


def trial(game: quintain.Game, before: Mapping[str, Any], after: Mapping[str, Any], **more: Any) -> Trial:
    made = Trial.new(game, before, after, seed=1, **more)
    prepare(made)
    return made


@pytest.mark.parametrize("bot", ["policy", "random", "squire"])
def test_every_card_that_is_drawn_or_laid_in_any_round_is_noted(bot: str) -> None:
    series = trial(ROBIN, {}, {}, bot=bot).before
    found, players = ready(series), Players()
    for number in range(2 if bot == "squire" else 8):
        drawn: list[set[str]] = [set(), set()]
        played: list[set[str]] = [set(), set()]
        s = found.game.state()
        for seat, action in matches.moves(found.game, found.book, s, found.levels, series.seed, number):
            for each in range(2):
                drawn[each].update(card_name(found.book, card) for card in s.hand[each] if card != st.NONE)
            if s.phase == st.FIGHT:
                played[seat].add(card_name(found.book, action - st.PLAY))
        finished = players.play(series, number)
        assert s.round > 1 and (finished.drawn, finished.played) == (drawn, played)
        assert (finished.won[0] > finished.won[1]) == (s.victories[0] > s.victories[1])


def test_wins_drawn_games_and_length_are_those_of_a_series() -> None:
    made = trial(HEIRLESS, {}, {"bandits": False}, seats=3)
    counts = play_trial(made.part(5, 4))
    won = [Counter[int](), Counter[int]()]
    lengths = [Counter[int](), Counter[int]()]
    own = [Counter[str](), Counter[str]()]
    for side, series in enumerate((made.before, made.after)):
        found = ready(series)
        for number in range(5, 9):
            s = found.game.state()
            plies = sum(1 for _ in matches.moves(found.game, found.book, s, found.levels, 1, number))
            _, ranks = matches.result(found.game, found.book, s, 3)
            assert found.game.report
            for count in found.game.report(found.book, s):
                own[side].update({count.words: count.number, f"of {count.words}": count.of or 0})
            lengths[side][plies] += 1
            for seat, rank in enumerate(ranks):
                won[side][seat] += whole(3) // ranks.count(1) if rank == 1 else 0
    assert counts.games == 4 and [counts.before, counts.after] == lengths
    for seat in range(3):
        assert sums(counts, Thing(noted.SEAT, str(seat))) == [won[0][seat], 4, won[1][seat], 4]
    counted = [thing for thing in counts.fours if thing.kind == noted.COUNT]
    assert len(counted) > 5
    for thing in counted:
        expected = [own[side][words] for side in range(2) for words in (thing.name, f"of {thing.name}")]
        assert sums(counts, thing) == expected
    assert sums(counts, Thing(noted.LENGTH))[::2] == [sum(each.elements()) for each in lengths]


def sums(counts: TrialCounts, thing: Thing) -> list[int]:
    """Return the wins and tries of a thing before and after."""
    return [sum(four[place] * times for four, times in counts.fours[thing].items()) for place in range(4)]


def test_the_counts_of_any_parts_in_any_order_are_those_of_the_whole() -> None:
    made = trial(ROBIN, {"dealt": "on"}, {"dealt": "on", "cards": own_set()})
    whole_trial = play_trial(made.part(0, 40))
    pieces = [pickle.loads(pickle.dumps(play_trial(part))) for part in (made.part(0, 1), made.part(1, 22))]
    pieces += [play_trial(each.part(23 + each.first, each.deals)) for each in parts(made, 17)]
    random.Random(1).shuffle(pieces)
    assert reduce(add, pieces) == reduce(add, pieces[::-1], TrialCounts()) == whole_trial
    assert sum(each.games for each in pieces) == 40
    assert play_trial(pickle.loads(pickle.dumps(made.part(0, 40)))) == whole_trial
    assert play_trial(Trial.new(ROBIN, {}, {}, seed=2).part(0, 40)) != play_trial(Trial.new(ROBIN, {}, {}).part(0, 40))


def test_a_changed_set_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sets: dict[quintain.Game, dict[str, Any]] = {
        ROBIN: {"cards": own_set()},
        ROUND_TABLE: {"cards": YVAIN},
        HEIRLESS: {"tables": base(HEIRLESS).replace("attack = [3, 3, 1]", "attack = [4, 3, 1]", 1)},
    }
    for game in sets:
        trial(game, {}, {})

    def refuse(*_: object) -> None:
        raise AssertionError("something was compiled")

    monkeypatch.setattr(native, "emit", refuse)
    monkeypatch.setattr(native.RuleCompiler, "__init__", refuse)
    for game, options in sets.items():
        changed = trial(game, {}, options)
        assert changed.changed and play_trial(changed.part(0, 2)).games >= 2


def test_a_new_process_compiles_nothing_for_a_changed_set() -> None:
    trial(ROBIN, {}, {})
    code = (
        "import pickle, sys; from quintain.lab.trials import prepare, play_trial\n"
        "trial = pickle.load(sys.stdin.buffer); prepare(trial); print(play_trial(trial).games)"
    )
    given = pickle.dumps(Trial.new(ROBIN, {}, {"cards": own_set()}).part(0, 2))
    ran = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=True)
    assert (ran.stdout, ran.stderr) == (b"2\n", b"")


def test_neither_numpy_nor_libraries_of_the_lab_are_imported() -> None:
    code = "import sys; from quintain.lab import trials, verdicts; print(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "polars", "rich", "scipy", "numba"} & set(shown)


def test_a_trial_is_the_same_without_numpy_and_without_a_compiler() -> None:
    made = Trial.new(ROBIN, {}, {"cards": own_set()}).part(0, 1)
    code = (
        "import pickle, sys; sys.modules |= dict.fromkeys(['numpy', 'numba', 'llvmlite', 'polars', 'scipy', 'rich'])\n"
        "from quintain.lab.trials import play_trial; trial = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps(play_trial(trial)))"
    )
    run = [sys.executable, "-c", code]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    shown = subprocess.run(run, input=pickle.dumps(made), capture_output=True, check=True, env=environment).stdout
    assert pickle.loads(shown) == play_trial(made)


def test_cards_that_differ_are_named_and_counted_against_all_others() -> None:
    made = trial(ROBIN, {}, {"cards": own_set().replace('"Innkeeper"', '"Hostess"')})
    assert made.changed[:2] == ["Little John", "Hostess"] and made.changed[-1] == "Innkeeper"
    assert trial(ROBIN, {}, {"cards": base()}).changed == []
    fours = play_trial(made.part(0, 10)).fours
    names = {thing.name for thing in fours if thing.kind == noted.MATCH}
    assert {"Little John"} <= names <= {"Little John", "Hostess", "Innkeeper"}


def test_ready_made_decks_play_each_other_at_both_seats() -> None:
    assert ROUND_TABLE.collection and ROUND_TABLE.collection.decks
    ready_made = ROUND_TABLE.collection.decks.ready_made
    made = trial(ROUND_TABLE, {}, {"regions": "6"})
    assert len(made.pairings) == 6 and made.seatings == 2 and made.named_decks == []
    counts = play_trial(made.part(0, 12))
    assert counts.games == 24
    for name in ready_made:
        fours = counts.fours[Thing(noted.DECK, name)]
        assert sum(fours.values()) == 6 and {(four[1], four[3]) for four in fours} == {(2, 2)}
    one, other = (made.seated(0, seating)[0].options["decks"] for seating in range(2))
    assert one == other[::-1] == [*ready_made[:2]]


def test_a_deck_plays_the_field_before_and_after() -> None:
    with pytest.raises(BadDeck, match=r"Main.*RT-1"):
        Trial.new(ROUND_TABLE, {}, {"decks": ["Main\n2 Knight Errant\n"]})
    with pytest.raises(BadOption, match="as many decks before"):
        Trial.new(ROUND_TABLE, {}, {"decks": ["great-houses"]})
    made = trial(ROUND_TABLE, {"decks": ["hedge-host"]}, {"decks": ["great-houses"]})
    assert made.named_decks == ["great-houses"] and len(made.pairings) == 2
    assert {pairing.before[1] for pairing in made.pairings} == {"crowned-heads", "wandering-table"}
    assert OWN_DECK not in made.deck_names


def test_a_set_with_an_error_names_line_card_and_clause() -> None:
    with pytest.raises(BadCards, match=r"line \d+.*Little John.*RH-1"):
        Trial.new(ROBIN, {}, {"cards": own_set("[6, 3, 5, 4]")})


def test_parts_go_on_where_a_trial_was_interrupted() -> None:
    made = Trial.new(ROBIN, {}, {"dealt": True})
    left = [*parts(made, 30, first=7)]
    assert [each.first for each in left] == [7, 8, 10, 14, 22] and sum(each.deals for each in left) == 23
    whole = play_trial(made.part(0, 30))
    assert sum((play_trial(each) for each in left), play_trial(made.part(0, 7))) == whole
