"""`quintain deck`, tested with the decks of Round Table."""

import json
import re
from pathlib import Path

import pytest

from cli.sitting import Run
from quintain.games.round_table.decks import READY_MADE, collection, ready_made

HERMIT = '[[knight]]\nname = "The Hermit"\nrp = 2\ninfluence = 0\nresistance = 4\ntypes = ["generic"]\n'


@pytest.fixture
def own_deck(tmp_path: Path) -> Path:
    """Return the path of a deck list with two cards of an own set."""
    path = tmp_path / "own.deck"
    path.write_text(ready_made("hedge-host").replace("Main\n", "Main\n2 The Hermit\n", 1), encoding="utf-8")
    return path


@pytest.fixture
def own_cards(tmp_path: Path) -> Path:
    """Return the path of an own set of cards."""
    path = tmp_path / "own.toml"
    path.write_text(HERMIT, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", READY_MADE)
def test_the_ready_made_decks_are_checked_and_shown(quintain: Run, name: str) -> None:
    assert f"{name} is a valid deck: Main 4" in quintain("deck", "round-table", name, "--check").out
    shown = quintain("deck", "round-table", name).out
    assert "Farm" in shown and "Regions" in shown and "Resistance" in shown


def test_an_own_deck_list_needs_the_cards_that_it_names(quintain: Run, own_deck: Path, own_cards: Path) -> None:
    refused = quintain("deck", "round-table", own_deck, "--check")
    assert refused.status == 2 and "own.deck, line 4: there is no card 'The Hermit' (RT-4)" in refused.err
    assert "Main 45" in quintain("deck", "round-table", "--check", own_deck, "--cards", own_cards).out
    assert "Influence 0, Resistance 4" in quintain("deck", "round-table", own_deck, "--cards", own_cards).out


def test_own_decks_and_cards_are_played_from_their_files(quintain: Run, own_deck: Path, own_cards: Path) -> None:
    options = ["--option", f"decks={own_deck},great-houses", "--option", f"cards={own_cards}"]
    begun = quintain("play", "round-table", *options, "--against", "random", typed="quit\n")
    assert begun.status == 0 and "Hermit" in begun.out
    refused = quintain("play", "round-table", *options[:2], typed="quit\n")
    assert refused.status == 2 and "there is no card 'The Hermit'" in refused.err


def test_an_empty_file_is_neither_a_deck_nor_a_set_of_cards(quintain: Run, tmp_path: Path) -> None:
    (empty := tmp_path / "empty").write_text("\n", encoding="utf-8")
    for command in ([empty], ["hedge-host", "--cards", empty]):
        refused = quintain("deck", "round-table", "--check", *command)
        assert refused.status == 2 and "it is empty" in refused.err
    refused = quintain("play", "round-table", "--option", f"cards={empty}")
    assert refused.status == 2 and "it is empty" in refused.err


def test_a_deck_must_be_a_file_or_ready_made(quintain: Run, tmp_path: Path) -> None:
    refused = quintain("deck", "round-table", tmp_path / "none.deck")
    assert refused.status == 2 and "none.deck; the ready-made decks are hedge-host, " in refused.err
    own = tmp_path / "own.toml"
    own.write_text("[[knights]]", encoding="utf-8")
    refused = quintain("deck", "round-table", "hedge-host", "--cards", own)
    assert refused.status == 2 and f"{own}, line 1" in refused.err


def test_a_game_without_decks_names_those_that_have_some(quintain: Run) -> None:
    refused = quintain("deck", "robin", "hedge-host")
    assert refused.status == 2
    assert "Robin in the Hood has no decks; the games that have some are round-table" in refused.err


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """Return the path of a list that is ten cards short."""
    path = tmp_path / "short.deck"
    path.write_text("Main\n1 Gawain\n39 Knight Errant\n\nDemesne\n10 Farm\n", encoding="utf-8")
    return path


def test_the_laws_of_an_unfinished_deck_say_what_is_missing(quintain: Run, unfinished: Path) -> None:
    shown = quintain("deck", "round-table", unfinished, "--laws")
    assert shown.status == 0 and "10 cards short together" in shown.out and "Knights 39" in shown.out
    found = json.loads(quintain("deck", "round-table", unfinished, "--laws", "--json").out)
    assert not found["is_valid"] and found["costs"] == {"2": {"Knights": 39}, "6": {"Knights": 1}}
    assert [law["fault"] for law in found["laws"]] == ["", "10 cards short together", "", "", ""]
    assert json.loads(quintain("deck", "round-table", "hedge-host", "--laws", "--json").out)["is_valid"]


def test_a_deck_is_written_as_text_that_reads_back(quintain: Run, unfinished: Path, tmp_path: Path) -> None:
    written = quintain("deck", "round-table", unfinished, "--text").out
    assert written == "Main\n39 Knight Errant\n1 Gawain\n\nDemesne\n10 Farm\n"
    (again := tmp_path / "again.deck").write_text(written, encoding="utf-8")
    assert quintain("deck", "round-table", again, "--text").out == written


def test_a_first_hand_has_the_chosen_number_of_demesnes_and_chances(quintain: Run) -> None:
    hand = ("deck", "round-table", "hedge-host", "--hand", "3", "--seed", "1", "--json")
    found = json.loads(quintain(*hand).out)
    assert found == json.loads(quintain(*hand).out)
    demesnes = {"Farm", "Manor", "Large Manor", "Keep"}
    assert len(found["hand"]) == 10 and sum(name in demesnes for name in found["hand"]) == 3
    assert found["chances"]["Kay"] == pytest.approx(7 / 43)
    assert "in a first hand" in quintain(*hand[:-1]).out
    refused = quintain("deck", "round-table", "hedge-host", "--hand", "11")
    assert refused.status == 2 and "1 to 10 cards of Demesne, not 11" in refused.err


def test_a_deck_gets_one_answer_at_a_time(quintain: Run) -> None:
    refused = quintain("deck", "round-table", "hedge-host", "--laws", "--text")
    assert refused.status == 2 and "different answers" in refused.err


def test_the_cards_that_a_deck_would_miss_least_come_first(quintain: Run) -> None:
    told = quintain("deck", "round-table", "hedge-host", "--missed", "20", "--seed", "1", "--workers", "1")
    lost = [float(found) for found in re.findall(r"(-?\d+\.\d\d) +-?\d+\.\d\d to", told.out)]
    kinds = len(collection.decks.read("hedge-host", "")["Main"])
    assert told.status == 0 and len(lost) == kinds > 20 and lost == sorted(lost)
    assert "For each card 20 games between bots of the level policy, seed 1." in told.out
    refused = quintain("deck", "round-table", "hedge-host", "--missed", "20", "--check")
    assert refused.status == 2 and "different answers: give one of them" in refused.err
