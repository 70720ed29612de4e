"""Checks of secrecy: `blind` always hides the same, words and policies use nothing hidden, and redeals fit.

Most checks take positions of a random game, blind them for every viewer, and compare.
"""

from __future__ import annotations

import random
from typing import Any

from quintain.conformance.cases import Case, Failed, Skipped, require, whose
from quintain.conformance.checks import check
from quintain.engine.rules.contract import SPECTATOR
from quintain.engine.rules.fields import UNKNOWN
from quintain.engine.rules.game import seats_in
from quintain.engine.rules.state import GameState, Record
from quintain.engine.seen.unknown import armed, hidden

POSITIONS = 24
"""About how many positions of a random game with two seats most checks look at."""


def require_equal(one: GameState, other: GameState, words: str) -> None:
    """Raise Failed with these words and the first values that differ, if two states are not equal."""
    if one != other:
        pairs = zip(one.values(), other.values(), strict=True)
        paths = [path for (path, value), (_, there) in pairs if value != there]
        raise Failed(f"{words}; these differ: {', '.join(paths[:4])}{', ...' * (len(paths) > 4)}")


@check
def a_redeal_fits_what_was_hidden(case: Case) -> None:
    """Blinding a state, redealing it and blinding it again gives the blinded state, and a redeal leaves no UNKNOWN."""
    for number, (book, s) in enumerate(case.sample(11, POSITIONS)):
        for viewer in case.viewers:
            blinded = case.game.blinded(book, s, viewer)
            redealt = blinded.copy()
            case.game.rules.redeal(book, redealt, 1000 + number)
            left = sorted(hidden(redealt))
            require(not left, f"redeal leaves UNKNOWN what {whose(viewer)} does not know: {', '.join(left[:4])}")
            require(UNKNOWN not in redealt.rng, "redeal leaves the generator UNKNOWN")
            again = case.game.blinded(book, redealt, viewer)
            require_equal(again, blinded, f"hide and redeal do not fit for {whose(viewer)}, as blinding again shows")


@check
def blinding_can_be_repeated(case: Case) -> None:
    """Blinding twice for one viewer is the same as once, and blinding for two viewers is the same in either order."""
    for book, s in case.sample(12, POSITIONS):
        for one in case.viewers:
            blinded = case.game.blinded(book, s, one)
            again = case.game.blinded(book, blinded, one)
            require(again.pack() == blinded.pack(), f"hide changes a state that is blinded for {whose(one)} already")
            for two in case.viewers:
                both = case.game.blinded(book, blinded, two)
                other = case.game.blinded(book, case.game.blinded(book, s, two), one)
                require_equal(both, other, f"blinding for {whose(one)} and {whose(two)} depends on the order")


@check
def a_state_blinded_twice_can_be_redealt(case: Case) -> None:
    """A state blinded for two viewers, as a search makes it, can be redealt, and the redeal fits what both know."""
    for book, s in case.sample(13, POSITIONS // 2):
        for one in case.viewers:
            for two in case.viewers:
                both = case.game.blinded(book, case.game.blinded(book, s, one), two)
                redealt = both.copy()
                case.game.rules.redeal(book, redealt, 5)
                names = whose(one) if one == two else f"{whose(one)} and {whose(two)}"
                require(not hidden(redealt), f"redeal leaves values UNKNOWN in what {names} may know")
                again = case.game.blinded(book, case.game.blinded(book, redealt, one), two)
                require(again.pack() == both.pack(), f"hide and redeal do not fit for what {names} may know")


@check
def a_policy_knows_no_more_than_its_seat(case: Case) -> None:
    """The game's policy chooses a legal action, and the same one from the full state and from the blinded state."""
    if "policy" not in case.game.written:
        raise Skipped("the game has no policy of its own")
    for book, s in case.sample(15, POSITIONS):
        for seat in seats_in(case.game.rules.to_act(book, s)):
            blinded, chosen = case.game.blinded(book, s, seat), []
            before = blinded.pack(), s.pack()
            for state in (s, blinded, armed(blinded)):
                mask, words = [0] * case.game.actions, [1, 2, 3, 4]
                count = case.game.rules.legal(book, state, seat, mask)
                chosen.append(case.game.rules.policy(book, state, seat, mask, count, words))
            require(len(set(chosen)) == 1, f"the policy of seat {seat} depends on values that the seat may not know")
            legal = chosen[0] in case.game.legal_actions(book, s, seat)
            require(legal, f"the policy of seat {seat} chooses {chosen[0]}, which is not legal")
            require((blinded.pack(), s.pack()) == before, "the policy changes the state")


@check
def redeals_can_be_played_to_the_end(case: Case) -> None:
    """A redeal has the same seats to act, and can be played to the end with every value in its range."""
    chooser, rules = random.Random(14), case.game.rules
    for book, s in case.sample(14, 4):
        for viewer in case.viewers:
            redealt = case.game.blinded(book, s, viewer)
            rules.redeal(book, redealt, chooser.randrange(2**63))
            same = rules.to_act(book, redealt) == rules.to_act(book, s)
            require(same, f"a redeal for {whose(viewer)} has other seats to act")
            interval = case.interval(50)
            while acting := seats_in(rules.to_act(book, redealt)):
                if chooser.randrange(interval) == 0:
                    redealt.check()
                seat = chooser.choice(acting)
                rules.play(book, redealt, seat, chooser.choice(case.game.legal_actions(book, redealt, seat)))
            require(redealt.over, f"a redeal for {whose(viewer)} stops before the game is over")


@check
def redeals_do_not_always_give_the_truth(case: Case) -> None:
    """Some redeals differ from the truth: if none did, the blinded state would give the truth away."""
    hiding = untrue = 0
    for book, s in case.sample(15, POSITIONS):
        for viewer in case.viewers:
            blinded = case.game.blinded(book, s, viewer)
            paths = hidden(blinded)
            hiding += bool(paths)
            truth = tuple(value for path, value in s.values() if path in paths)
            for seed in range(8):
                redealt = blinded.copy()
                case.game.rules.redeal(book, redealt, seed)
                if truth != tuple(value for path, value in redealt.values() if path in paths):
                    untrue += 1
                    break
    if not hiding:
        raise Skipped("the game hides nothing")
    require(untrue, "every redeal gives the truth: the values that hide leaves open give the hidden ones away")


@check
def a_seat_knows_its_own_menu(case: Case) -> None:
    """The seats to act, a seat's legal actions and their names are the same from its blinded state."""
    rules, text = case.game.rules, case.game.text
    for book, s in case.sample(16, POSITIONS):
        for seat in range(case.seats):
            blinded = armed(case.game.blinded(book, s, seat))
            same = rules.to_act(book, blinded) == rules.to_act(book, s)
            require(same, f"to_act gives other seats on the state blinded for seat {seat}")
            legal = case.game.legal_actions(book, s, seat)
            known = case.game.legal_actions(book, blinded, seat)
            require(known == legal, f"seat {seat} may play {legal}, but on its blinded state {known}")
            for action in legal:
                names = [text.name(book, state, seat, action) for state in (blinded, s)]
                require(
                    names[0] == names[1],
                    f"action {action} of seat {seat} is named {names[1]!r}, but {names[0]!r} on its blinded state",
                )


@check
def words_use_nothing_hidden(case: Case) -> None:
    """View, account, narration and reasons do nothing with a hidden value except ask whether it is UNKNOWN."""
    for book, s in case.sample(17, POSITIONS):
        for viewer in case.viewers:
            blinded = case.game.blinded(book, s, viewer)
            before, guarded = blinded.pack(), armed(blinded)
            _compare_words(case, book, guarded, blinded, viewer)
            if viewer != SPECTATOR and not s.over:
                _compare_reasons(case, book, guarded, blinded, viewer)
            require(blinded.pack() == before, f"the words for {whose(viewer)} change the state")


def _compare_words(case: Case, book: Record, guarded: Any, blinded: Any, viewer: int) -> None:
    text, number = case.game.text, str(UNKNOWN)
    view = text.view(book, guarded, viewer)
    require(view == text.view(book, blinded, viewer), "view gives two different views of one state")
    require(number not in repr(view), f"the view of {whose(viewer)} shows the number of UNKNOWN")
    require(
        text.account(book, guarded) == text.account(book, blinded),
        "account gives two accounts of one state",
    )
    for i in range(min(blinded.events_made, len(blinded.events))):
        words = text.narrate(book, guarded.events[i], viewer)
        require(
            words == text.narrate(book, blinded.events[i], viewer),
            "narrate words one event in two ways",
        )
        require(number not in words, f"narrate shows the number of UNKNOWN to {whose(viewer)}")


def _compare_reasons(case: Case, book: Record, guarded: Any, blinded: Any, seat: int) -> None:
    text = case.game.text
    for action in set(range(case.game.actions)) - set(case.game.legal_actions(book, blinded, seat)):
        reason = text.why_not(book, guarded, seat, action)
        require(
            reason == text.why_not(book, blinded, seat, action),
            f"why_not gives two reasons for action {action}",
        )
        require(reason.words, f"why_not gives no words for action {action} of seat {seat}")
        require(str(UNKNOWN) not in reason.words, f"why_not shows the number of UNKNOWN for action {action}")


@check
def choices_at_the_same_time_stay_secret(case: Case) -> str | None:
    """While several seats choose at the same time, no viewer sees the choice of another seat."""
    secrets, open_words = 0, set[str]()
    for book, s in case.sample(20, POSITIONS):
        acting = seats_in(case.game.rules.to_act(book, s))
        for seat in acting if len(acting) > 1 else ():
            shown = _shown(case, book, s, seat)
            secrets += len(shown)
            if len(set(shown.values())) > 1:
                common = max(shown.values(), key=list(shown.values()).count)
                open_words |= {name.split()[0] for name, seen in shown.items() if seen != common}
    if not secrets:
        raise Skipped("no two seats choose at the same time")
    if not open_words:
        return None
    return f"others see at once who chose to: {', '.join(sorted(open_words))}; make sure that the rules say so"


def _shown(case: Case, book: Record, s: GameState, seat: int) -> dict[str, tuple[bytes, ...]]:
    """Return what the other viewers know after each choice of a seat, by the choice's name.

    Choices after which one of the other seats need not choose any more are left out.
    """
    rules, shown = case.game.rules, {}
    waiting = set(seats_in(rules.to_act(book, s))) - {seat}
    for action in case.game.legal_actions(book, s, seat):
        after = s.copy()
        rules.play(book, after, seat, action)
        if waiting <= set(seats_in(rules.to_act(book, after))):
            others = (viewer for viewer in case.viewers if viewer != seat)
            known = tuple(case.game.blinded(book, after, viewer).pack() for viewer in others)
            shown[case.game.text.name(book, s, seat, action)] = known
    return shown


@check
def all_is_open_when_the_game_is_over(case: Case) -> None:
    """The generator is always hidden from everybody, and nothing else is hidden once the game is over."""
    for book, s in case.sample(18, POSITIONS):
        for viewer in case.viewers:
            blinded = case.game.blinded(book, s, viewer)
            require(blinded.rng == [UNKNOWN] * 4, f"{whose(viewer)} knows the generator")
            if s.over:
                blinded.rng = list(s.rng)
                require_equal(blinded, s, "something is still hidden after the end")


@check
def a_redeal_changes_only_what_is_hidden(case: Case) -> None:
    """A redeal changes neither the events nor any value that the viewer knows."""
    for book, s in case.sample(19, POSITIONS // 2):
        for viewer in case.viewers:
            blinded = case.game.blinded(book, s, viewer)
            redealt = blinded.copy()
            case.game.rules.redeal(book, redealt, 3)
            require(redealt.events == blinded.events, "redeal changes events")
            for (path, known), (_, value) in zip(blinded.values(), redealt.values(), strict=True):
                require(known in (UNKNOWN, value), f"redeal changes {path}, which {whose(viewer)} knows")
