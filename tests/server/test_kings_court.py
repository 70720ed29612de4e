"""The table of King's Court in the browser: where each rank is, and what can be touched for each decision."""

import re
from functools import cache

import pytest

from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game
from quintain.games.kings_court.houses import HOUSE_KEYS
from quintain.server.pages.rendering import environment
from server.samples import asked_in, played, positions, table_page


@cache
def asked(question: str, turn: int = 1) -> Match:
    """Return a match in which the first seat is asked a question."""
    return played(game("kings-court"), asked_in(question, turn), seed=2)


def drawn(match: Match, viewer: int | None, chosen: str = "") -> str:
    """Return a table as a viewer sees it."""
    return environment().render_template("table.html", **table_page(match, viewer, chosen))


def fields(html: str) -> dict[str, str]:
    """Return how each rank of each house is shown, by the keys of the cards."""
    rows = re.findall(r'<li class="house (\w+).*?<ol class="pips".*?>(.*?)</ol>', html, re.DOTALL)
    shown = {}
    for house, row in rows:
        for rank, (kind, _) in enumerate(re.findall(r'<li(?: class="([\w -]+)")?([^>]*)>', row), 1):
            shown[f"{house}-{rank}"] = kind.partition(" ")[0]
    return shown


def touched(html: str, tag: str) -> set[str]:
    """Return the ids of the pieces that are drawn with a tag: a button acts at once, a link chooses."""
    return set(re.findall(rf'<{tag} class="piece [^"]*" id="([^"]+)"', html))


@pytest.mark.clause("KC-8")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_each_house_shows_where_its_eight_ranks_are(viewer: int | None) -> None:
    kinds = set()
    for match in positions(game("kings-court"), 2, every=11):
        if match.outcome:
            break
        view, expected = match.view(viewer), {f"{house}-{rank}": "" for house in HOUSE_KEYS for rank in range(1, 9)}
        for zone in view.zones:
            for piece in zone.pieces if zone.id == "played" or zone.role == "hand" else ():
                if piece.key:
                    names = ("mine", "theirs") if zone.id == "played" else ("held", "seen")
                    expected[piece.key] = names[piece.seat != (viewer or 0)]
        assert fields(drawn(match, viewer)) == expected
        kinds |= set(expected.values())
    assert kinds == ({"", "mine", "theirs"} if viewer is None else {"", "mine", "theirs", "held", "seen"})


@pytest.mark.clause("KC-4")
def test_the_counters_left_are_touched_and_all_six_places_are_shown() -> None:
    match = played(game("kings-court"), lambda match: len(match.moves(0)) == 4)
    html = drawn(match, 0)
    assert touched(html, "button") == {f"supply.{number}" for number in range(4)}
    assert {f"counter.0.{house}" for house in range(6)} <= set(re.findall(r'id="(counter\.0\.\d)"', html))
    assert re.findall(r'<li class="house (\w+) asked"', html) == ["castellia"]


@pytest.mark.clause("KC-10")
def test_to_switch_one_counter_is_chosen_and_the_other_five_lead_to_the_action() -> None:
    match = asked("switch")
    counters = {f"counter.0.{house}" for house in range(6)}
    assert counters <= touched(drawn(match, 0), "a")
    html = drawn(match, 0, "counter.0.2")
    assert counters - {"counter.0.2"} == touched(html, "button")
    assert set(re.findall(r'class="piece [^"]*\btarget\b[^"]*" id="([^"]+)"', html)) == counters - {"counter.0.2"}
    (seen,) = re.findall(r'class="piece counter looked[^"]*" id="([^"]+)"', html)
    assert (seen,) == match.view(0).scene.places


@pytest.mark.clause("KC-12", "KC-13")
def test_houses_then_influence_are_touched_and_the_scene_shows_before_and_after() -> None:
    houses = asked("house", 6)
    can = {piece.id for piece in houses.view(0).pieces() if piece.acts}
    assert {place for place in touched(drawn(houses, 0), "button") if place.startswith("house.")} == can
    match = played(game("kings-court"), lambda m: asked_in("unit", 6)(m) and m.view(0).scene.slots[0], seed=2)
    html = drawn(match, 0)
    can = {piece.id for piece in match.view(0).pieces() if piece.acts}
    assert can and touched(html, "button") == can
    assert len(re.findall(r'<li class="house \w+[\w ]* (?:from|to)"', html)) == 2
    changed = [
        piece
        for piece in match.view(0).pieces()
        if piece.id.startswith("influence") and piece.stats[0].printed is not None
    ]
    (scene,) = re.findall(r'<section class="scene.*?</section>', html, re.DOTALL)
    assert changed and all(
        f"<s>{piece.stats[0].printed}</s><b>{piece.stats[0].number}</b>" in scene for piece in changed
    )


@pytest.mark.clause("KC-5", "KC-6", "KC-11")
def test_at_the_gift_a_barred_card_can_be_asked_about_and_each_card_shows_what_its_house_keeps() -> None:
    match = played(game("kings-court"), lambda m: asked_in("give", 3)(m) and m.view(0).question.help, seed=2)
    html, hand = drawn(match, 0), match.view(0).zones[-1].pieces
    barred = {card.id for card in hand if not card.acts}
    assert barred and set(re.findall(r'id="(hand\.0\.\d)"[^>]*data-why="\d+"', html)) == barred
    for card in hand:
        assert f"{card.stats[0].printed}&rarr;{card.stats[0].number}" in html
