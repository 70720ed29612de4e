"""What Rune War tells somebody who looked away: results first, in a few words, and no secret."""

import pytest

from games.rune_war_positions import ANN, BO, CID, play, position
from quintain.engine import UNKNOWN, Event, Recap
from quintain.engine.play.match import Match
from quintain.games.rune_war import state as st
from quintain.games.rune_war.narration import recap
from quintain.games.rune_war.words import CARD_NAMES, PLACE_NAMES

WALL = {"1.1": "Ace of Cups", "2.1": "King of Wands", "2.2": "6 of Wands", "3.1": "Queen of Cups"}
CARD, PLACE = CARD_NAMES.index("3 of Cups"), PLACE_NAMES.index("3.2")


def event(kind: int, seat: int = ANN, **numbers: int) -> Event:
    """Return an event; the numbers are its fields `other`, `a`, `b` and `c`."""
    made = Event()
    made.kind, made.seat = kind, seat
    for name, number in numbers.items():
        setattr(made, name, number)
    return made


def told(match: Match, viewer: int) -> list[tuple[str, bool]]:
    """Return the recaps of all that has happened since the viewer's last decision."""
    changes = [change for moment in match.moments(viewer) for change in moment.changes]
    return [(change.recap.words, change.recap.is_result) for change in changes if change.recap.words]


def test_the_attacker_reads_what_the_battle_destroyed_and_what_was_drawn():
    match = position(["10 of Swords, 2 of Cups", "3 of Cups"], ["9 of Pentacles", WALL], deck="4 of Cups, 5 of Cups")
    play(match, "attack with 10 of Swords", "seat 1 at 2.2", "hold back", "hold back")
    assert ("You destroyed a card of Bo", True) in told(match, ANN)
    play(match, "stop")
    assert told(match, ANN) == [("You drew 4 of Cups", True)]
    assert ("Ann destroyed a card of yours", True) in told(match, BO)


def test_the_defender_reads_who_attacked_and_who_held():
    match = position(["2 of Swords, 2 of Cups", "3 of Cups"], ["9 of Pentacles", WALL], deck="4 of Cups, 5 of Cups")
    play(match, "attack with 2 of Swords", "seat 1 at 2.2")
    assert told(match, BO)[0] == ("Ann attacked your 2.2", False)
    play(match, "hold back", "hold back")
    assert ("You held against Ann, 6 : 2", True) in told(match, BO)
    ann = told(match, ANN)
    assert (("You lost to Bo, 2 : 6", True) in ann and ("You drew 4 of Cups", True) in ann) or (
        "You drew 5 of Cups",
        True,
    ) in ann


@pytest.mark.parametrize(
    ("kind", "seen", "own", "victims"),
    [
        (st.DREW, "", "You drew 3 of Cups", ""),
        (
            st.STOLE,
            "seat 0 took 3 of Cups from seat 1",
            "You took 3 of Cups from seat 1",
            "seat 0 took 3 of Cups from you",
        ),
        (st.SAW_HAND, "seat 0 looked at seat 1's hand", "You saw the hand of seat 1", "seat 0 looked at your hand"),
        (st.GAVE_UP, "seat 0 discarded 3 of Cups", "", "seat 0 discarded 3 of Cups"),
    ],
)
def test_a_recap_of_a_card_names_it_to_those_who_saw_it(kind: int, seen: str, own: str, victims: str):
    happened = event(kind, other=BO, a=CARD)
    assert [recap(None, happened, viewer).words for viewer in (CID, ANN, BO)] == [seen, own, victims]


def test_hidden_cards_stay_hidden_in_recaps():
    stolen = event(st.STOLE, other=BO, a=UNKNOWN)
    assert recap(None, stolen, CID).words == recap(None, stolen, -1).words == "seat 0 took a card from seat 1"
    laid = event(st.LAID, a=PLACE, b=UNKNOWN)
    assert recap(None, laid, BO) == Recap("seat 0 laid a card at 3.2") and recap(None, laid, ANN) == Recap("")
    looked = event(st.LOOKED, other=BO, a=PLACE, b=UNKNOWN)
    assert recap(None, looked, BO).words == "seat 0 looked at your 3.2"


def test_every_recap_is_short_and_has_no_full_stop():
    for kind in range(st.WON + 1):
        for viewer in (ANN, BO, CID, -1):
            words = recap(None, event(kind, other=BO, a=3, b=12), viewer).words
            assert len(words.replace("seat 0", "").replace("seat 1", "")) <= 36 and not words.endswith("."), words
