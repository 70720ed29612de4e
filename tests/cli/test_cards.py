"""`quintain cards`: sets of cards of Robin in the Hood on the command line."""

from pathlib import Path

from cli.sitting import Run

BASE = Path(__file__).parents[2] / "src" / "quintain" / "games" / "robin" / "cards.toml"


def test_check_says_whether_a_set_may_be_played(quintain: Run, tmp_path: Path) -> None:
    assert "the base set is a set that may be played: 48 characters and 16 modifiers" in quintain("cards", "check").out
    own = tmp_path / "own.toml"
    own.write_text(BASE.read_text(encoding="utf-8").replace("[4, 4, 1, 1]", "[4, 4, 1, 7]"), encoding="utf-8")
    refused = quintain("cards", "check", own)
    assert refused.status == 2
    assert f"{own}, line 3, Robin Hood: levels are four whole numbers from 0 to 5" in refused.err
    assert "(RH-1)" in refused.err
    own.write_text("# nothing yet", encoding="utf-8")
    refused = quintain("cards", "check", own)
    assert refused.status == 2 and f"{own}, the collection of seat 0 has 0 characters" in refused.err


def test_show_prints_what_is_on_the_cards(quintain: Run) -> None:
    shown = " ".join(quintain("cards", "show").out.split())
    assert "Characters, 48" in shown and "Modifiers, 16" in shown
    assert "Little John 3/3/5/4 Outlaw, Activist" in shown


def test_a_set_of_ones_own_is_played_from_its_file(quintain: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(BASE.read_text(encoding="utf-8").replace("Little John", "Big John"), encoding="utf-8")
    watched = quintain("watch", "robin", "--bots", "random", "--option", f"cards={own}", "--option", "victories=1")
    assert watched.status == 0 and "Little John" not in watched.out and "Big John" in quintain("cards", "show", own).out
