"""`quintain cards` lists and checks the cards of games."""

import json
from pathlib import Path

import pytest

from cli.sitting import SEED, Run
from quintain.engine.rules import registry
from quintain.engine.rules.registry import all_games
from tutorial import write_goofspiel

BASE = Path(__file__).parents[2] / "src" / "quintain" / "games" / "robin" / "cards.toml"


def test_check_says_whether_a_set_may_be_played(quintain: Run, tmp_path: Path) -> None:
    checked = quintain("cards", "robin", "--check").out
    assert "the base set is a valid set: Characters 48, Modifiers 16" in checked
    own = tmp_path / "own.toml"
    own.write_text(BASE.read_text(encoding="utf-8").replace("[4, 4, 1, 1]", "[4, 4, 1, 7]"), encoding="utf-8")
    refused = quintain("cards", "robin", "--check", own)
    assert refused.status == 2
    assert (
        f"{own}, line 3, Robin Hood: levels, Endurance cannot be 7: it takes a whole number from 0 to 5" in refused.err
    )
    assert "(RH-1)" in refused.err
    own.write_text("# nothing yet", encoding="utf-8")
    refused = quintain("cards", "robin", own, "--check")
    assert refused.status == 2 and f"{own}, the collection of seat 0 has 0 characters" in refused.err


def test_a_list_shows_what_is_on_the_cards(quintain: Run) -> None:
    shown = " ".join(quintain("cards", "robin").out.split())
    assert "Characters, 48" in shown and "Modifiers, 16" in shown
    assert "Little John 3/3/5/4 Outlaw, Activist" in shown


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("round-table", "Regions Camelot Resistance"),
        ("heirless", "Battlecards, 6 Feint attack Damage +3, Precision +3"),
        ("kings-court", "Castellia, 8 Castellia 1 rank 1"),
        ("rune-war", "Runes, 22 The Fool rune 0"),
    ],
)
def test_any_game_with_cards_lists_them(quintain: Run, game: str, told: str) -> None:
    shown = " ".join(quintain("cards", game).out.split())
    head, _, tail = told.partition(" ")
    assert head in shown and tail in shown


def test_a_game_without_cards_names_those_that_have_some(quintain: Run, tmp_path: Path) -> None:
    write_goofspiel(tmp_path / "goofspiel.py")
    refused = quintain("cards", "goofspiel", "--game-file", tmp_path / "goofspiel.py")
    assert refused.status == 2 and "Goofspiel has no cards" in refused.err
    assert "the games that have some are " in refused.err and "robin, round-table" in " ".join(refused.err.split())


OWN_CARDS = [game.id for game in all_games() if game.collection and game.collection.option]
FIXED_CARDS = [game.id for game in all_games() if game.collection and not game.collection.option]


@pytest.mark.parametrize("game", FIXED_CARDS)
def test_a_game_without_own_sets_lists_its_cards_and_takes_no_file(quintain: Run, tmp_path: Path, game: str) -> None:
    found = registry.game(game)
    shown = " ".join(quintain("cards", game).out.split())
    assert all(card.name in shown for card in found.collection.cards(""))
    (tmp_path / "own.toml").write_text("", encoding="utf-8")
    for more in (("--toml",), (tmp_path / "own.toml",), (tmp_path / "own.toml", "--check")):
        refused = quintain("cards", game, *more)
        assert refused.status == 2 and refused.out == "" and f"{found.title} takes no cards of one's own" in refused.err


@pytest.mark.parametrize("game", OWN_CARDS)
def test_the_base_set_is_written_and_read_back_unchanged(quintain: Run, tmp_path: Path, game: str) -> None:
    written, found = quintain("cards", game, "--toml").out, registry.game(game)
    (tmp_path / "base.toml").write_text(written, encoding="utf-8")
    for more in ((), ("--json",)):
        assert quintain("cards", game, tmp_path / "base.toml", *more).out == quintain("cards", game, *more).out != ""
    seats, option = found.check_seats(None), found.collection.option
    read = found.read_options(seats, {option: written})
    assert found.make_book(seats, read) == found.make_book(seats, found.read_options(seats, {}))
    given = ("--option", f"{option}={tmp_path / 'base.toml'}", "--name", "Ann", "--seed", SEED)
    assert quintain("play", game, *given, typed="quit\n").status == 0


def test_the_base_set_comes_without_a_file(quintain: Run) -> None:
    refused = quintain("cards", "robin", "own.toml", "--toml")
    assert (refused.status, refused.out) == (2, "") and "cannot go with own.toml: leave one of them out" in refused.err


def test_round_table_takes_changed_cards_of_its_base_set_but_no_changed_demesnes(quintain: Run) -> None:
    base = quintain("cards", "round-table", "--toml").out
    own = base + '\n[[region]]\nname = "Nowhere"\nresistance = 3\nrenown = 2\n'
    assert "Nowhere" in quintain("cards", "round-table", "-", typed=own).out
    changed = quintain("cards", "round-table", "-", typed=base.replace("rp = 1", "rp = 2", 1))
    assert changed.status == 2 and "the standard input, line 3, Farm: there is no kind of card 'demesne'" in changed.err
    changed = quintain("cards", "round-table", "-", typed=base.replace("influence = 2", "influence = 7", 1))
    assert changed.status == 0 and "Influence 7" in changed.out


def test_an_own_set_is_played_from_its_file(quintain: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(BASE.read_text(encoding="utf-8").replace("Little John", "Big John"), encoding="utf-8")
    watched = quintain("watch", "robin", "--bots", "random", "--option", f"cards={own}", "--option", "victories=1")
    assert (
        watched.status == 0 and "Little John" not in watched.out and "Big John" in quintain("cards", "robin", own).out
    )


def test_bots_play_and_show_how_often_each_card_wins(quintain: Run, tmp_path: Path) -> None:
    out = tmp_path / "records.json"
    shown = quintain("cards", "heirless", "--won", "40", "--seed", "1", "--out", out)
    assert shown.status == 0 and "Battlecards, won by who had played them" in shown.out
    assert "40 games between bots of the level policy with the seed 1; even is 33%." in shown.out
    written = json.loads(out.read_text(encoding="utf-8"))
    lines = quintain("cards", "heirless", "--won", "40", "--seed", "1", "--json").out.splitlines()
    assert [json.loads(line) for line in lines] == written["cards"] and len(lines) == 6
    for record in written["cards"]:
        assert f"{record['won']:.0%} ({100 * record['low']:.0f} to {100 * record['high']:.0f})" in shown.out
    refused = quintain("cards", "rune-war", "--won", "20")
    assert refused.status == 2 and "Rune War does not tell who drew which card" in refused.err
    alone = quintain("cards", "robin", "--out", out)
    assert alone.status == 2 and "add --won N" in alone.err


def test_a_set_is_listed_that_makes_a_ready_made_deck_illegal(quintain: Run) -> None:
    base = quintain("cards", "round-table", "--toml").out
    named = base.replace('influence = 2\nresistance = 1\ntypes = ["generic"]', "influence = 2\nresistance = 1", 1)
    assert named != base
    listed = quintain("cards", "round-table", "-", "--check", typed=named)
    assert listed.status == 0 and "is a valid set" in listed.out
    assert "With these cards a ready-made deck cannot be played: deck hedge-host, line" in listed.err
