"""Heirless battles: attribute tracks and Battlecards in the rulebook, in `tables.toml`, and in files of players."""

import re
import tomllib
from pathlib import Path

import pytest

import quintain
from games.heirless_positions import (
    ANN,
    BO,
    altered,
    begin,
    cards_of,
    mustered,
    pieces,
    place,
    play,
    reason,
    tables,
    values,
)
from games.naive_heirless import TABLES
from quintain.engine.errors import BadOption
from quintain.engine.play.match import Match
from quintain.games.heirless.words import TRACK_NAMES

RULEBOOK = quintain.game("heirless").text.rulebook()
TRACKS = "\n".join(f"{name} = {TABLES['tracks'][name]}" for name in TRACK_NAMES)
TWO_CARDS = [("Red", [0, 0, 0], [0, 0, 0]), ("Blue", [9, 0, 0], [0, 9, 0])]


def table_rows(clause: str) -> list[list[str]]:
    """Return the cells of the table that follows a clause of the rulebook, without its head."""
    after = RULEBOOK.split(f"**{clause}**")[1]
    rows = [line.strip("|").split("|") for line in re.findall(r"^\|.*\|$", after.split("**HB-")[0], re.MULTILINE)]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def numbers(cell: str) -> list[int]:
    return [int(number) for number in cell.replace("\N{MINUS SIGN}", "-").split(", ")]


@pytest.mark.clause("HB-26")
def test_the_rulebook_has_the_tracks_of_the_tables_and_all_start_at_the_left():
    assert {name: numbers(track) for name, track in table_rows("HB-26")} == TABLES["tracks"]
    match = begin(2)
    for owner in (0, 1):
        (player,) = (piece for piece in pieces(match, "players") if piece.seat == owner)
        shown = {lying.name: lying.stats[0].number for lying in player.on_it[2:]}
        assert shown == {name: TABLES["tracks"][name][0] for name in TRACK_NAMES}
    (camp, *_) = pieces(match, "camps")
    assert {lying.name: lying.stats[0].number for lying in camp.on_it} == shown


@pytest.mark.clause("HB-27", "HB-28")
@pytest.mark.parametrize(("clause", "part"), [("HB-27", "cards"), ("HB-28", "bandit_cards")])
def test_the_rulebook_has_the_cards_of_the_tables(clause: str, part: str):
    rows = [(name, numbers(attack), numbers(defence)) for name, attack, defence in table_rows(clause)]
    assert rows == [(card["name"], card["attack"], card["defence"]) for card in TABLES[part]]


@pytest.mark.clause("HB-26", "HB-27", "HB-28")
def test_the_tables_are_those_of_the_clauses():
    assert TABLES["tracks"]["Health"] == [8, 10, 12, 14, 16, 20] and TABLES["tracks"]["Delay"] == [6, 5, 4, 3, 2]
    assert [card["name"] for card in TABLES["cards"]] == ["Feint", "Thrust", "Cleave", "Charge", "Guard", "Riposte"]
    assert TABLES["cards"][2] == {"name": "Cleave", "attack": [6, 1, 1], "defence": [4, -1, 1]}
    assert [card["attack"][0] for card in TABLES["bandit_cards"]] == [4, 7, 8, 2, 3, 6]


@pytest.mark.clause("HB-29")
def test_a_match_may_bring_tracks_and_cards_of_its_own():
    own = tables(TWO_CARDS, TRACKS.replace("Damage = [8, 9, 10, 11, 12, 13]", "Damage = [1, 50]"))
    match = begin(2, tables=own, bandits="off", order=(ANN, BO))
    assert cards_of(match, "hand.0") == ["Red", "Blue"]
    match = altered(match, f"step[{BO}][0] = 1")
    match = mustered(match, {ANN: {0: 1}, BO: {0: 1}})
    place(match, Ann="Blue, Red", Bo="Red, Blue")
    assert values(match, ANN)["Damage"] == 1 + 9 and values(match, BO)["Damage"] == 50
    assert cards_of(match, "hand.0") == []
    play(match, "hold back", "hold back")
    match = mustered(match, {ANN: {0: 1}, BO: {0: 1}})
    assert [move.text for move in match.moves(ANN)] == ["attack with Red", "attack with Blue"]


@pytest.mark.clause("HB-29")
def test_what_a_file_leaves_out_stays_as_it_is():
    match = begin(2, tables=tables(TWO_CARDS, part="bandit_cards"))
    assert cards_of(match, "hand.0") == [card["name"] for card in TABLES["cards"]]
    assert cards_of(match, "hand.6") == ["Red", "Blue"]


@pytest.mark.clause("HB-29")
def test_a_record_holds_the_tables_that_it_was_played_with():
    match = Match.new("heirless", 2, options={"tables": tables(TWO_CARDS), "seasons": 1})
    again = Match.load(match.save())
    assert tomllib.loads(again.options["tables"]) == tomllib.loads(tables(TWO_CARDS))
    assert cards_of(again, "hand.0") == ["Red", "Blue"]


def spoilt(track: str, values: str) -> str:
    """Return the usual tracks as a file, one of them with other values."""
    return "[tracks]\n" + re.sub(rf"^{track} = .*$", f"{track} = {values}", TRACKS, flags=re.MULTILINE)


def many(number: int, part: str = "cards") -> str:
    """Return tables with a number of cards that change nothing."""
    return tables([(f"Card{n}", [0, 0, 0], [0, 0, 0]) for n in range(number)], part=part)


@pytest.mark.clause("HB-29")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("[tracks", "cannot be read"),
        ("[deck]\n", "this is not a card: 'deck'; the kinds are tracks, cards, bandit_cards"),
        ("[tracks]\nDamage = [1, 2]\n", "line 1, the tracks: Precision is missing: it takes 2 to 8 whole numbers"),
        ("tracks = 3\n", "this is not a card: 'tracks'"),
        (spoilt("Damage", "[8]"), "line 1, the tracks: Damage has one number: it takes 2 to 8 whole numbers"),
        (spoilt("Damage", "[1, 2, 3, 4, 5, 6, 7, 8, 9]"), "it takes 2 to 8 whole numbers"),
        (spoilt("Damage", "7"), "Damage takes 2 to 8 whole numbers from 0 to 99, which rise with every step, not 7"),
        (
            spoilt("Damage", "[8, 8]"),
            "Damage, step 2: each step has to be more than the one before it, so 9 or more",
        ),
        (spoilt("Delay", "[5, 6]"), "Delay, step 2: each step has to be less than the one before it, so 4 or less"),
        (spoilt("Delay", "[1, 0]"), "Delay, step 2 cannot be 0: it takes a whole number from 1 to 99"),
        (spoilt("Delay", "[1, 1]"), "less than the one before it, but 1 is the lowest number already"),
        (spoilt("Health", "[0, 5]"), "Health, step 1 cannot be 0: it takes a whole number from 1 to 99"),
        (spoilt("Dodge", "[1, 100]"), "Dodge, step 2 cannot be 100: it takes a whole number from 0 to 99"),
        (spoilt("Dodge", "[1, 2.5]"), "Dodge, step 2 cannot be 2.5"),
        (spoilt("Dodge", "[1, true]"), "Dodge, step 2 cannot be true"),
        (many(1), "a set has at least 2 Battlecards, not 1"),
        (many(9, "bandit_cards"), "a set has at most 8 Battlecards of the Bandits, not 9"),
        ("cards = 2\n", "this is not a card: 'cards'"),
        ('cards = "a"\n', "this is not a card: 'cards'"),
        (tables([("Red", [0, 0, 0], [0, 0, 0])] * 2), "line 6, Red: line 1 has a card of this name already"),
        (tables([("Red", [0, 0], [0, 0, 0])] * 2), "line 1, Red: attack has two numbers: it takes three whole"),
        (
            tables([("Red", [0, 0, 0], [0, 0, -1])] * 2),
            "defence, Wound cannot be -1: it takes a whole number from 0 to 99",
        ),
        (
            tables([("Red", [0, 0, 0], [0, 200, 0])] * 2),
            "defence, Defense cannot be 200: it takes a whole number from -99 to 99",
        ),
        (tables([("", [0, 0, 0], [0, 0, 0])] * 2), "cannot be called ''"),
        (
            tables([("Red", [0, 0, 0], [0, 0, 0]), ("R\uff45d", [0, 0, 0], [0, 0, 0])]),
            "line 1 has a card of this name already",
        ),
        (tables([("Red\u3164", [0, 0, 0], [0, 0, 0])] * 2), "cannot be called 'Red"),
        (tables([("seat 1", [0, 0, 0], [0, 0, 0])] * 2), "cannot be called 'seat 1'"),
        (tables([("R" * 25, [0, 0, 0], [0, 0, 0])] * 2), "1 to 24 letters"),
        ('[[cards]]\nname = "Red"\n[[cards]]\nname = "Blue"\n', "attack is missing"),
        ("cards = [1, 2]\n", "this is not a card: 'cards'"),
    ],
)
def test_bad_tables_are_refused_with_the_clause(given: str, message: str):
    with pytest.raises(BadOption, match=message) as refused:
        begin(2, tables=given)
    assert str(refused.value).endswith("(HB-29)")


@pytest.mark.clause("HB-29")
def test_tables_in_the_short_form_of_older_records_are_read():
    inline = ", ".join(
        f"{{name = '{name}', attack = {attack}, defence = {defence}}}" for name, attack, defence in TWO_CARDS
    )
    assert begin(2, tables=f"cards = [{inline}]").book == begin(2, tables=tables(TWO_CARDS)).book


def test_the_usual_tables_may_be_given_as_a_file():
    text = (Path(quintain.__file__).parent / "games" / "heirless" / "tables.toml").read_text(encoding="utf-8")
    assert begin(3, tables=text).book == begin(3).book


@pytest.mark.clause("HB-5", "HB-6")
def test_a_card_may_be_called_by_a_number_and_is_no_other_card():
    cards = [("Lance", [0, 0, 0], [0, 0, 0]), ("card 3", [0, 0, 0], [0, 0, 0])]
    match = begin(2, tables=tables(cards), bandits="off")
    match = mustered(match, {ANN: {0: 1}, BO: {0: 1}})
    play(match, "Ann: attack with card 3")
    assert reason(match, ANN, "defend with card 3") == (
        "HB-6",
        "you have already placed card 3: the two cards must differ",
    )
    assert reason(match, ANN, "defend with card no. 3") == ("HB-5", "the set has only 2 cards")


def test_a_card_with_the_name_of_another_picture_does_not_get_it():
    from quintain.server.pages.heraldry import picture

    names = ("Capital", "Bandit", "Points", "Seat")
    match = begin(2, tables=tables([(name, [0, 0, 0], [0, 0, 0]) for name in names]))
    for piece in pieces(match, "hand.0"):
        assert picture(match.game, piece.key, None).arms.startswith("other.")
