"""`quintain deck`, tested with the decks of Round Table."""

from pathlib import Path

import pytest

from cli.sitting import Run
from quintain.games.round_table.decks import READY_MADE, ready_made

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
