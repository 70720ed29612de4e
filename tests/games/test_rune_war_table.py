"""Rune War as it is shown: the defences, the running battle, what is remembered, and the pictures."""

import pytest

import quintain
from games.rune_war_positions import ANN, BO, ONLOOKER, begin, menu, piece, pieces, play, position, shown
from quintain.engine.views import FREE
from quintain.games.rune_war.view import FACES
from quintain.games.rune_war.words import PLACE_NAMES
from quintain.server import heraldry

WALL = {"1.1": "Ace of Cups", "2.1": "King of Wands", "2.2": "6 of Wands", "3.1": "Queen of Cups"}


@pytest.mark.clause("RW-10", "RW-17", "RW-18")
def test_the_running_battle_shows_both_totals_and_why_its_courts_count_or_not():
    match = position(["7 of Swords, King of Cups", "3 of Cups"], ["9 of Pentacles", WALL])
    play(match, "attack with 7 of Swords", "seat 1 at 2.2", "turn up 2.1", "add King of Cups")
    words = shown(match, "battle")
    assert "total 7: numbers 7; King of Cups, without a number card 0" in words
    assert "total 16: numbers 6; King of Wands 10" in words
    totals = {piece.seat: piece.value for piece in pieces(match, ONLOOKER, "battle") if piece.value is not None}
    assert totals == {ANN: 7, BO: 16}
    assert [(line.words, line.by_seat, line.clause) for line in match.account()] == [
        ("Number cards", (7, 6), "RW-16"),
        ("Ann: King of Cups, without a number card", (0, 0), "RW-17"),
        ("Bo: King of Wands", (0, 10), "RW-18"),
        ("Total so far", (7, 16), "RW-10"),
    ]


@pytest.mark.clause("RW-3", "RW-4")
def test_exposed_cards_are_marked_and_free_places_are_targets_while_one_lays():
    match = position(["7 of Swords", "3 of Cups"], [WALL, "9 of Pentacles"])
    assert [p.id for p in pieces(match, BO, "defence.0") if "exposed" in p.marks] == ["defence.0.2.2", "defence.0.3.1"]
    assert all(p.face != FREE for p in pieces(match, ANN, "defence.0"))
    play(match, "lay 7 of Swords")
    free = [p for p in pieces(match, ANN, "defence.0") if p.face == FREE]
    assert [f"at {p.id.removeprefix('defence.0.')}" for p in free] == menu(match)
    assert {p.action for p in free} == {move.action for move in match.moves(ANN)}
    assert all(p.face != FREE for p in pieces(match, BO, "defence.0"))


@pytest.mark.clause("RW-2", "RW-23")
def test_own_cards_can_be_read_and_those_of_others_cannot():
    match = position(["7 of Swords", "3 of Cups"], [WALL, "9 of Pentacles"])
    assert [p.face for p in pieces(match, ANN, "defence.0")] == ["cups-1", "wands_king-K", "wands-6", "cups_queen-Q"]
    assert {p.face for p in (*pieces(match, BO, "defence.0"), *pieces(match, BO, "hand.0"))} == {None}
    assert piece(match, BO, ANN, "2.1").at == (1, 0)


def test_every_face_has_arms_and_every_rune_a_picture_of_its_own():
    game = quintain.game("rune-war")
    arms = heraldry.arms_of(game)
    assert {heraldry.parts(face)[0] for face in FACES} <= set(arms)
    assert len({arms[heraldry.parts(face)[0]].charge for face in FACES[56:]}) == 22
    assert len(set(FACES)) == 78


def test_moves_are_read_in_other_spellings_too():
    match, text = begin(), quintain.game("rune-war").text
    read = [text.parse(match.book, match.blinded(0), 0, words) for words in ("LAY  1 of cups", "join Wands and Cups")]
    named = [text.name(match.book, match.blinded(0), 0, action) for action in read]
    assert named == ["lay Ace of Cups", "join Cups and Wands"]
    assert text.parse(match.book, match.blinded(0), 0, "lay 15 of Cups") is None
    assert text.parse(match.book, match.blinded(0), 0, "seat 4 at 12.12") is not None and len(PLACE_NAMES) == 78


@pytest.mark.clause("RW-17", "RW-18", "RW-21")
@pytest.mark.parametrize(
    ("hand", "added", "courts", "worth"),
    [
        ("King of Swords, 3 of Cups, The Lovers", "3 of Cups", "King of Swords", 10),
        ("3 of Cups, King of Swords, The Lovers", "King of Swords", "King of Swords", 10),
        ("Queen of Cups, King of Swords, The Lovers", "King of Swords", "Queen of Cups and King of Swords", 0),
    ],
    ids=["second suit only", "number first", "both suits"],
)
def test_joined_suits_are_one_line_of_the_account_and_all_lines_add_up(hand, added, courts, worth):
    laid = {"1.1": "Ace of Wands", "2.1": "5 of Wands", "2.2": "6 of Wands"}
    match = position([hand, "3 of Wands"], ["9 of Pentacles", laid])
    first = hand.partition(", ")[0]
    play(match, f"attack with {first}", "seat 1 at 2.1", "turn up 2.2", f"add {added}", "hold")
    play(match, "play The Lovers", "join Cups and Swords")
    *lines, total = match.account()
    assert total.words == "Total so far"
    assert total.by_seat == tuple(map(sum, zip(*(line.by_seat for line in lines if line.by_seat), strict=True)))
    counts = "3 of Cups" in hand
    told = f"Ann: {courts}, joined" if counts else f"Ann: {courts}, without a number card"
    (line,) = [line for line in lines if "Ann: " in line.words]
    assert (line.words, line.by_seat[ANN]) == (told, worth)
    assert line.clause == ("RW-18" if counts else "RW-17")
    assert any(
        words.endswith(f"; {told.removeprefix('Ann: ')} {line.by_seat[ANN]}") for words in shown(match, "battle")
    )


@pytest.mark.clause("RW-2", "RW-23")
def test_while_defences_are_built_nothing_is_shown_of_others_not_even_how_many_cards():
    match = begin(3)
    play_root = menu(match, ANN)[0]
    match.play(ANN, play_root)
    for viewer, own in ((ANN, {"defence.0", "hand.0"}), (BO, {"defence.1", "hand.1"}), (ONLOOKER, set())):
        assert {zone.id for zone in match.view(viewer).zones} == {"deck", *own}


@pytest.mark.clause("RW-2")
def test_a_card_that_waits_for_its_place_is_the_reason_why_a_defence_is_not_done():
    match = begin(2)
    for move in (menu(match, ANN)[0], "at 1.1", menu(match, ANN)[1]):
        match.play(ANN, move)
    assert match.why_not(ANN, "done").words.startswith("you are asked: Where do you lay ")
