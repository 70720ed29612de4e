"""How often cards win when drawn: gathered from games, and read from the files that come with the games."""

import msgspec
import pytest

import quintain
from quintain.engine.errors import BadOption
from quintain.lab.card_gathering import gather
from quintain.lab.card_records import CardRecords, card_records
from quintain.lab.pools import LocalPool

SHIPPED = ("heirless", "kings-court", "robin", "round-table")
PLAIN = '[[character]]\nname = "{}"\ncaste = "Noble"\nlevels = [{}]\nskill = {{ whom = "self", change = 1 }}\n'


def robin_with_one_hero() -> str:
    """Return a set of Robin's in which one character is far better than all others."""
    names = [f"Sir {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    others = "".join(PLAIN.format(name, "1, 1, 1, 1") for name in names)
    return PLAIN.format("Hero", "5, 5, 5, 5") + others


def test_the_better_card_wins_more_and_equal_cards_win_their_even_share() -> None:
    game = quintain.game("robin")
    options = game.read_options(2, {"cards": robin_with_one_hero(), "modifiers": False, "dealt": True})
    seen: list[int] = []
    found = gather(game, options, 300, 1, LocalPool(1), progress=seen.append)
    assert (found.game, found.bot, found.seats, found.games, found.counted) == ("robin", "policy", 2, 300, "drawn")
    assert seen[-1] == 300 and seen == sorted(seen) and found.even == 0.5
    hero, others = found.by_name["Hero"], [record for record in found.cards if record.name != "Hero"]
    assert hero.low > 0.5 and all(hero.won > other.won for other in others)
    assert all(record.low <= record.won <= record.high for record in found.cards)
    assert gather(game, options, 300, 1, LocalPool(2)) == found, "the same seed gives the same records"


def test_a_game_that_tells_nobody_who_drew_a_card_has_no_records() -> None:
    game = quintain.game("rune-war")
    with pytest.raises(BadOption, match="does not tell who drew which card"):
        gather(game, game.read_options(2, {}), 20, 1, LocalPool(1))
    assert card_records(game) is None


@pytest.mark.parametrize("name", SHIPPED)
def test_the_records_that_come_with_a_game_are_of_its_cards(name: str) -> None:
    game = quintain.game(name)
    found = card_records(game)
    assert game.collection and found and found.game == name and found.games >= 1000
    assert set(found.by_name) <= {card.name for card in game.collection.cards("")}
    assert len(found.by_name) == len(found.cards) > 5
    assert found.even == {2: 0.5, 3: 1 / 3}[found.seats]
    assert all(0 <= record.low <= record.won <= record.high <= 1 for record in found.cards)


def test_a_file_of_records_reads_as_it_was_written() -> None:
    found = card_records(quintain.game("robin"))
    assert msgspec.json.decode(msgspec.json.encode(found), type=CardRecords) == found
