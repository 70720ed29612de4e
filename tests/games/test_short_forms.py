"""A match keeps its texts in a short form: without remarks, unchanged when read again, and with the same book."""

import hashlib
import json
from pathlib import Path

import pytest

from quintain.engine.errors import BadOption
from quintain.engine.play.documents import checksum
from quintain.engine.play.match import Match
from quintain.engine.rules.registry import game

GAMES = Path(__file__).parents[2] / "src" / "quintain" / "games"
REMARK = "# What nobody plays with.\n"
OWN_CARDS = """
[[title]]  # a title first, and a knight beside it
name = "Sir Fidelis"
rp = 0x02
influence = +1
resistance = 0
rows = [
  # one row
  { when = "always", whom = "own", named = "Aglovale", what = "influence", amount = 1 },
]
[[knight]]
name = "\\u0041glovale"
rp = 3
influence = 2
resistance = 2
[[title]]
name = "Sir Morus"
rp = 1
influence = 1
resistance = 1
"""


def remarked(text: str) -> str:
    """Return a text with remarks before it and in it, as many as a form of the server takes."""
    return (REMARK * 15_000) + text.replace("\n", f"\n{REMARK}   \n", 3)


def deck() -> str:
    return (GAMES / "round_table" / "decks" / "hedge-host.deck").read_text(encoding="utf-8")


TEXTS = {
    "robin": {"cards": (GAMES / "robin" / "cards.toml").read_text(encoding="utf-8")},
    "heirless": {"tables": (GAMES / "heirless" / "tables.toml").read_text(encoding="utf-8")},
    "round-table": {"cards": OWN_CARDS, "decks": [deck(), "crowned-heads"]},
}


def options(of: str, change=lambda text: text) -> dict:
    return {
        name: [each if each == "crowned-heads" else change(each) for each in text]
        if isinstance(text, list)
        else change(text)
        for name, text in TEXTS[of].items()
    }


def resigned(of: str, given: dict) -> Match:
    """Return a match that is over, because all seats but seat 0 have resigned."""
    match = Match.new(of, options=given, seed="07" * 32)
    for seat in range(1, match.seats):
        match.resign(seat)
    return match


@pytest.mark.parametrize("of", TEXTS)
def test_a_match_keeps_no_remarks_and_has_the_same_book(of: str):
    found, seats = game(of), game(of).seats[2]
    plain, kept = (found.read_options(seats, options(of, change)) for change in (str, remarked))
    assert kept == plain
    assert len(json.dumps(kept)) < 20_000 and "nobody" not in json.dumps(kept)
    assert found.read_options(seats, kept) == kept
    as_written = {**kept, **options(of, remarked)}
    assert found.make_book(seats, as_written).to_json() == found.make_book(seats, kept).to_json()


@pytest.mark.parametrize("of", TEXTS)
def test_a_record_of_a_match_with_texts_holds_them_in_short_and_verifies(of: str):
    record = resigned(of, options(of, remarked)).record()
    assert "nobody" not in json.dumps(record)
    assert Match.load(record).record() == record


@pytest.mark.parametrize("of", TEXTS)
def test_an_old_record_that_holds_remarks_still_verifies(of: str):
    match = resigned(of, options(of))
    record = match.record()
    record["options"] |= options(of, remarked)
    record["commitment"] = hashlib.sha256(bytes.fromhex(match.seed)).hexdigest()
    record["sha256"] = checksum(record)
    assert Match.load(record).options == match.options


def test_messages_count_lines_as_people_have_written_them():
    own = deck().replace("1 Kay", "1 Key")
    line = own.splitlines().index("1 Key") + 3
    with pytest.raises(BadOption, match=rf"^deck 1, line {line}: there is no card 'Key'"):
        Match.new("round-table", options={"decks": [f"# mine\n\n{own}"]})
    with pytest.raises(BadOption, match=r"^line 4, Ulfius: rp is missing"):
        Match.new("round-table", options={"cards": '# mine\n# all\n\n[[knight]]\nname = "Ulfius"\n'})
    with pytest.raises(BadOption, match=r"^line 3, Odo: caste is missing"):
        skill = '{ whom = "self", change = 1 }'
        Match.new(
            "robin", options={"cards": f"#\n\n[[character]]\nname = 'Odo'\nlevels = [1, 1, 1, 1]\nskill = {skill}"}
        )
