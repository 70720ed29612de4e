"""A touch of a second piece may answer two questions at once: its post names both actions, such as "7+12"."""

import pytest

pytestmark = pytest.mark.both_stores


def laid(guest, table):
    """Return an action of a card that leads to a place at once, the action that names the place, and the decision."""
    seen = guest.view(table)
    acts = [act for zone in seen["view"]["zones"] for piece in zone["pieces"] for act in piece["acts"]]
    act = next(act for act in acts if act["then"] is not None)
    return act["action"], act["then"], seen["table"]["decision"]


def moves_of(serving, table):
    return [made.text for made in serving.table(table).match.moves_made if made.kind == "move" and made.seat == 0]


def test_one_post_answers_the_question_and_the_one_that_follows(serving):
    ann = serving.guest("Ann")
    table = ann.make("rune-war", "me", "random")
    card, place, decision = laid(ann, table)
    assert ann.move(table, f"{card}+{place}", decision).status_code == 200
    first, second = moves_of(serving, table)
    assert first.startswith("lay ") and second == "lay at 1.1"
    assert ann.view(table)["table"]["decision"] == decision + 2


def test_a_path_whose_end_is_not_legal_is_refused_there_and_its_beginning_stays(serving):
    ann = serving.guest("Ann")
    table = ann.make("rune-war", "me", "random")
    card, place, decision = laid(ann, table)
    refused = ann.move(table, f"{card}+{card}", decision)
    assert refused.status_code == 422
    assert len(moves_of(serving, table)) == 1
    assert ann.move(table, place, decision + 1).status_code == 200


@pytest.mark.parametrize("garbage", ["+", "7+", "+7", "7+8+9", "7+x", "7 + 8", "-1+2"])
def test_garbage_in_the_place_of_a_path_is_no_action_and_changes_nothing(serving, garbage):
    ann = serving.guest("Ann")
    table = ann.make("rune-war", "me", "random")
    refused = ann.move(table, garbage, ann.view(table)["table"]["decision"])
    assert refused.status_code == 422
    assert refused.json()["error"].startswith(
        f"no move of Rune War is written {garbage!r}. The nearest of 10 legal moves: "
    )
    assert moves_of(serving, table) == []
