"""`blind` is the only gate, and it holds: nothing hidden is used, and every redeal fits what is known."""

import random

import pytest

from conformance.cases import CASES, Case, game_with_policy, over_cases
from conformance.unknown import UsedUnknown, armed, hidden
from quintain.engine.game import seats_in
from quintain.engine.state import UNKNOWN

SPECTATOR = -1
OPEN_CHOICES = {"robin": {"keep", "deal", "choose"}, "round-table": {"keep", "mulligan"}, "rune-war": {"done"}}
"""The first words of moves that may be seen to be made by those who are to choose at the same time."""


def viewers(case: Case) -> list[int]:
    return [SPECTATOR, *range(case.seats)]


@over_cases
def test_blinding_a_redeal_gives_the_blinded_state_again_byte_for_byte(case: Case):
    for number, (book, s) in enumerate(case.sample(11, 4)):
        for viewer in viewers(case):
            blinded = case.game.blinded(book, s, viewer)
            redealt = blinded.copy()
            case.game.rules.redeal(book, redealt, 1000 + number)
            assert not hidden(redealt) and UNKNOWN not in redealt.rng
            assert case.game.blinded(book, redealt, viewer).pack() == blinded.pack()


@over_cases
def test_blinding_is_idempotent_and_the_blinds_of_two_viewers_commute(case: Case):
    for book, s in case.sample(12, 4):
        for one in viewers(case):
            blinded = case.game.blinded(book, s, one)
            assert case.game.blinded(book, blinded, one).pack() == blinded.pack()
            for two in viewers(case):
                both = case.game.blinded(book, blinded, two)
                assert both.pack() == case.game.blinded(book, case.game.blinded(book, s, two), one).pack()


@over_cases
def test_a_state_blinded_twice_can_be_redealt(case: Case):
    for book, s in case.sample(13, 8):
        for one in viewers(case):
            for two in viewers(case):
                both = case.game.blinded(book, case.game.blinded(book, s, one), two)
                redealt = both.copy()
                case.game.rules.redeal(book, redealt, 5)
                assert not hidden(redealt)
                again = case.game.blinded(book, case.game.blinded(book, redealt, one), two)
                assert again.pack() == both.pack()


with_policy = [case for case in CASES if "policy" in case.game.written]


@pytest.mark.parametrize("case", [*with_policy, Case(game_with_policy(), 3)], ids=str)
def test_a_policy_chooses_a_legal_action_by_what_its_seat_may_know(case: Case):
    for book, s in case.sample(15, 4):
        for seat in seats_in(case.game.rules.to_act(book, s)):
            blinded, chosen = case.game.blinded(book, s, seat), []
            before = blinded.pack(), s.pack()
            for state in (s, blinded, armed(blinded)):
                mask, words = [0] * case.game.actions, [1, 2, 3, 4]
                count = case.game.rules.legal(book, state, seat, mask)
                chosen.append(case.game.rules.policy(book, state, seat, mask, count, words))
            assert len(set(chosen)) == 1 and chosen[0] in case.game.legal_actions(book, s, seat)
            assert (blinded.pack(), s.pack()) == before


@over_cases
def test_redeals_are_positions_that_can_be_played_to_the_end(case: Case):
    chooser, rules = random.Random(14), case.game.rules
    for book, s in case.sample(14, 24 * case.rarity):
        for viewer in viewers(case):
            redealt = case.game.blinded(book, s, viewer)
            rules.redeal(book, redealt, chooser.randrange(2**63))
            assert rules.to_act(book, redealt) == rules.to_act(book, s)
            while acting := seats_in(rules.to_act(book, redealt)):
                if chooser.randrange(case.rarity) == 0:
                    redealt.check()
                seat = chooser.choice(acting)
                rules.play(book, redealt, seat, chooser.choice(case.game.legal_actions(book, redealt, seat)))
            assert redealt.over


@over_cases
def test_redeals_do_not_always_give_the_truth(case: Case):
    hiding = untrue = 0
    for book, s in case.sample(15, 6):
        for viewer in viewers(case):
            blinded = case.game.blinded(book, s, viewer)
            paths = hidden(blinded)
            hiding += bool(paths)
            truth = {path: value for path, value in s.values() if path in paths}
            deals = set()
            for seed in range(8):
                redealt = blinded.copy()
                case.game.rules.redeal(book, redealt, seed)
                deals.add(tuple(value for path, value in redealt.values() if path in paths))
            untrue += bool(deals - {tuple(truth.values())})
    assert untrue > hiding / 2 > 0


@over_cases
def test_a_seat_knows_its_own_menu_without_what_is_hidden(case: Case):
    rules, text = case.game.rules, case.game.text
    for book, s in case.sample(16, 3):
        for seat in range(case.seats):
            blinded = armed(case.game.blinded(book, s, seat))
            assert rules.to_act(book, blinded) == rules.to_act(book, s)
            legal = case.game.legal_actions(book, s, seat)
            assert case.game.legal_actions(book, blinded, seat) == legal
            assert [text.name(book, blinded, seat, a) for a in legal] == [text.name(book, s, seat, a) for a in legal]


@over_cases
def test_views_reasons_accounts_and_narration_use_nothing_that_is_hidden_and_change_nothing(case: Case):
    text = case.game.text
    for book, s in case.sample(17, 3):
        for viewer in viewers(case):
            blinded = case.game.blinded(book, s, viewer)
            before = blinded.pack()
            guarded = armed(blinded)
            view = text.view(book, guarded, viewer)
            assert view == text.view(book, blinded, viewer)
            assert str(UNKNOWN) not in repr(view)
            assert text.account(book, guarded) == text.account(book, blinded)
            for i in range(min(s.events_made, len(s.events))):
                words = text.narrate(book, guarded.events[i], viewer)
                assert words == text.narrate(book, blinded.events[i], viewer)
                assert str(UNKNOWN) not in words
            if viewer != SPECTATOR and not s.over:
                legal = case.game.legal_actions(book, s, viewer)
                for action in set(range(case.game.actions)) - set(legal):
                    reason = text.why_not(book, guarded, viewer, action)
                    assert reason == text.why_not(book, blinded, viewer, action)
                    assert reason.words and str(UNKNOWN) not in reason.words
            assert blinded.pack() == before


@over_cases
def test_of_those_who_choose_at_the_same_time_nobody_sees_what_another_has_chosen(case: Case):
    rules, secrets = case.game.rules, 0
    for book, s in case.sample(20, 3):
        acting = seats_in(rules.to_act(book, s))
        for seat in acting if len(acting) > 1 else ():
            others, seen = [viewer for viewer in viewers(case) if viewer != seat], set()
            for action in case.game.legal_actions(book, s, seat):
                after = s.copy()
                rules.play(book, after, seat, action)
                is_open = case.game.text.name(book, s, seat, action).split()[0] in OPEN_CHOICES.get(case.game.id, ())
                if not is_open and set(acting) - {seat} <= set(seats_in(rules.to_act(book, after))):
                    seen.add(tuple(case.game.blinded(book, after, viewer).pack() for viewer in others))
                    secrets += 1
            assert len(seen) < 2, case.game.text.name(book, s, seat, action)
    assert secrets > 1


@over_cases
def test_the_generator_is_unknown_to_all_and_nothing_else_is_hidden_once_the_game_is_over(case: Case):
    for book, s in case.sample(18, 4):
        for viewer in viewers(case):
            blinded = case.game.blinded(book, s, viewer)
            assert blinded.rng == [UNKNOWN] * 4
            if s.over:
                blinded.rng = list(s.rng)
                assert blinded == s


@over_cases
def test_a_redeal_leaves_events_and_all_that_is_known_alone(case: Case):
    for book, s in case.sample(19, 6):
        for viewer in viewers(case):
            blinded = case.game.blinded(book, s, viewer)
            redealt = blinded.copy()
            case.game.rules.redeal(book, redealt, 3)
            assert redealt.events == blinded.events
            for (path, known), (_, value) in zip(blinded.values(), redealt.values(), strict=True):
                assert known in (UNKNOWN, value), path


def test_the_armed_unknown_raises_when_it_is_used():
    class Holder:
        pass

    from conformance.unknown import Unknown

    unknown = Unknown()
    assert unknown == UNKNOWN
    assert (unknown != UNKNOWN) is False
    for use in (
        lambda: unknown == 3,
        lambda: unknown + 1,
        lambda: [1][unknown],
        lambda: not unknown,
        lambda: f"{unknown}",
    ):
        with pytest.raises(UsedUnknown):
            use()
