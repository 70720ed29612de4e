"""While several seats choose at the same time, nobody's way back depends on how far the others are."""

import random

import pytest

from quintain.engine.play.match import Match

ANN, BO = 0, 1
CHOICES = {
    "King's Court, counters": ("kings-court", {}, "counters"),
    "Robin, active sets": ("robin", {}, "sets"),
    "Robin, active sets with an ante": ("robin", {"ante": True}, "sets"),
    "Round Table, hands and mulligans": ("round-table", {}, "set_up"),
    "Rune War, first defences": ("rune-war", {}, "build"),
    "Heirless, musters": ("heirless", {}, "muster"),
}


def chooses(id_, options, phase, seed):
    """Return a match in which both choose in this phase, before and after a step that Ann can take back."""
    chooser, match = random.Random(seed), Match.new(id_, seats=2, names=["Ann", "Bo"], options=options, seed=bytes(32))
    while match.view(ANN).phase.key != phase or len(match.to_act) < 2:
        seat = min(match.to_act)
        match.play(seat, chooser.choice(match.moves(seat)).action)
    while True:
        for move in chooser.sample(match.moves(ANN), len(match.moves(ANN))):
            again = Match.load(match.save())
            again.play(ANN, move.action)
            if ANN in again.to_act and again.view(ANN).phase.key == phase:
                break
        if again.can_undo(ANN):
            return match, again
        match = again


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("id_", "options", "phase"), CHOICES.values(), ids=CHOICES)
def test_what_a_seat_can_take_back_does_not_depend_on_how_far_the_others_are(id_, options, phase, seed):
    chooser, (before, match) = random.Random(100 + seed), chooses(id_, options, phase, seed)
    while BO in match.to_act:
        match.play(BO, chooser.choice(match.moves(BO)).action)
        assert match.can_undo(ANN) and match.seen(ANN).can_undo
    assert match.view(ANN).phase.key == phase and match.seen(ANN).done == (BO,)
    his = match.view(BO).zones
    match.undo(ANN)
    assert match.seen(ANN).done == (BO,) and match.moves(ANN) == before.moves(ANN)
    assert [zone for zone in match.view(BO).zones if zone.seat == BO] == [zone for zone in his if zone.seat == BO]
    again = Match.load(match.save())
    assert again.save() == match.save() and again.position() == match.position()
    while match.view(ANN).phase.key == phase and match.outcome is None and ANN in match.to_act:
        match.play(ANN, chooser.choice(match.moves(ANN)).action)
    assert Match.load(match.save()).position() == match.position()
