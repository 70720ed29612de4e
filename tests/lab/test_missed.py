"""What a deck misses of its cards: blanks take their places, and the deals stay the same."""

import re

import pytest

import quintain
from quintain.engine.errors import BadOption
from quintain.games.round_table.decks import collection, ready_made
from quintain.lab.missed import missed_cards
from quintain.lab.pools import LocalPool

IDLE = '[[equipment]]\nname = "Paper Crown"\nrp = 99\ninfluence = 0\nresistance = 0\nslot = "Weapon"\n'
HERO = '[[knight]]\nname = "Sir Hero"\nrp = 1\ninfluence = 9\nresistance = 9\ntypes = ["generic"]\n'


@pytest.mark.long
def test_a_deck_misses_a_hero_and_not_at_all_a_card_that_nobody_can_play() -> None:
    deck = ready_made("hedge-host").replace("Main\n", "Main\n2 Paper Crown\n4 Sir Hero\n", 1)
    seen: list[int] = []
    arguments = (quintain.game("round-table"), deck, 60, 1)
    found = {one.name: one for one in missed_cards(*arguments, LocalPool(1), own=IDLE + HERO, progress=seen.append)}
    assert (found["Paper Crown"].lost, found["Paper Crown"].low, found["Paper Crown"].high) == (0, 0, 0)
    assert found["Sir Hero"].low > 0.02 and found["Sir Hero"].copies == 4
    assert all(each.low <= each.lost <= each.high for each in found.values())
    assert seen == [60] * len(found) and "Farm" not in found and "Camelford" not in found
    again = {one.name: one for one in missed_cards(*arguments, LocalPool(2), own=IDLE + HERO)}
    assert again == found, "the seed decides it, and not the number of workers"


@pytest.mark.parametrize("card", ["Gawain", "Good Sword", "Baron", "The Tournament", "Change of Heart"])
def test_a_blank_is_of_the_kind_of_its_card_and_takes_its_place_in_a_legal_deck(card: str) -> None:
    blank = collection.decks.blank(card, "")
    assert blank
    kinds = {each.name: each.kind for each in collection.cards(blank.cards)}
    assert kinds[blank.name] == kinds[card]
    text = ready_made("crowned-heads").replace("1 Lancelot\n", f"1 {card}\n")
    sections = collection.decks.read(re.sub(rf"(?m) {card}$", f" {blank.name}", text), blank.cards)
    assert blank.name in sections["Main"]


def test_a_blank_has_a_name_of_its_own_and_there_is_none_of_demesnes_and_regions() -> None:
    own = IDLE.replace("Paper Crown", "Blank")
    blank = collection.decks.blank("Gawain", own)
    assert blank and blank.name == "Blank Blank"
    assert {"Blank", "Blank Blank"} <= {each.name for each in collection.cards(blank.cards)}
    assert [collection.decks.blank(card, "") for card in ("Farm", "Camelot", "Nobody")] == [None] * 3


def test_a_game_without_decks_has_none_to_miss_a_card() -> None:
    with pytest.raises(BadOption, match="King's Court has no decks"):
        [*missed_cards(quintain.game("kings-court"), "hedge-host", 20, 1, LocalPool(1))]
