"""Robin in the Hood: which cards advance, for every pattern of stages and victors, against a second method."""

from itertools import product

import pytest

import quintain
from games.robin_positions import ANN, BO, Side, begin, play, position, stood
from quintain.games.robin import state as st
from quintain.games.robin.hands import advance

PATTERNS = list(product((False, True), repeat=st.STAGES))


def by_blocks(cards: list[int], won: int) -> list[int]:
    """Return where the cards stand after advancing, found block by block.

    A block is a row of cards without a gap. If an empty stage is before it, all its cards move one stage from its
    hindmost victor on (or from Agility); a block that reaches Endurance stays where it is.
    """
    moved = [st.NONE] * st.STAGES
    for stage, card in enumerate(cards):
        if card == st.NONE:
            continue
        end = next((place for place in range(stage, st.STAGES) if cards[place] == st.NONE), None)
        begins = max([place + 1 for place in range(stage) if cards[place] == st.NONE], default=0)
        movers = [place for place in range(begins, stage + 1) if place == st.AGILITY or won >> place & 1]
        moved[stage + 1 if end is not None and movers else stage] = card
    return moved


@pytest.mark.clause("RH-14")
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: "".join("x" if full else "-" for full in pattern))
def test_victors_advance_and_push_as_by_the_second_method(pattern: tuple[bool, ...]):
    for victors in PATTERNS:
        if any(won and not full for won, full in zip(victors, pattern, strict=True)):
            continue
        s = quintain.game("robin").state()
        cards = [10 + stage if full else st.NONE for stage, full in enumerate(pattern)]
        s.stage[ANN], s.stage[BO] = list(cards), [50, 51, 52, 53]
        won = sum(1 << stage for stage, is_won in enumerate(victors) if is_won)
        advance(s, ANN, won)
        assert s.stage[ANN] == by_blocks(cards, won) and s.stage[BO] == [50, 51, 52, 53]
        assert all(stage - (card - 10) in (0, 1) for stage, card in enumerate(s.stage[ANN]) if card != st.NONE)


DULL = """
[[character]]
name = "{name}"
caste = "Noble"
levels = [{level}, {level}, {level}, {level}]
skill = {{ whom = "self", if = "facing Pacifist", change = 1 }}
"""
LEVELS = {"High": 4, "Even": 3, "Low": 2}
DULL_SET = "".join(DULL.format(name=f"{word} {letter}", level=level) for word, level in LEVELS.items()
                   for letter in "ABCDEFGH")  # fmt: skip


def dull(ann: str, bo: str, plays: tuple[str, str]):
    """Play a hand with characters whose names say their levels, and whose skills never work."""
    sides = Side(ann, plays[ANN]), Side(bo, plays[BO])
    return play(position(*sides, cards=DULL_SET, modifiers="off"), *plays)


@pytest.mark.clause("RH-13", "RH-14")
@pytest.mark.parametrize(
    ("ann", "bo", "plays", "then"),
    [
        ("-, -, -, -", "-, -, -, -", ("High A", "Low A"), ("-, High A, -, -", "-, -, -, -")),
        ("-, -, -, -", "-, -, -, -", ("Even A", "Even A"), ("-, Even A, -, -", "-, Even A, -, -")),
        ("-, Even B, -, -", "-, Even B, -, -", ("High A", "Low A"), ("-, High A, Even B, -", "-, Even B, -, -")),
        ("-, High B, -, -", "-, -, -, -", ("Low A", "High A"), ("-, -, High B, -", "-, High A, -, -")),
        ("-, High B, Even C, -", "-, Low B, Even C, -", ("Even A", "Even A"),
         ("-, Even A, High B, Even C", "-, Even A, Even C, -")),
        ("-, -, High C, -", "-, -, Low C, -", ("Low A", "High A"), ("-, -, -, High C", "-, High A, -, -")),
        ("-, Even B, -, High D", "-, Even B, -, Low D", ("Low A", "High A"),
         ("-, Even B, -, High D", "-, High A, Even B, -")),
        ("-, -, Even C, Even D", "-, -, Even C, Even D", ("High A", "Low A"),
         ("-, High A, Even C, Even D", "-, -, Even C, Even D")),
    ],
)  # fmt: skip
def test_whole_hands_move_the_cards_as_the_rules_say(ann: str, bo: str, plays: tuple[str, str], then: tuple[str, str]):
    match = dull(ann, bo, plays)
    assert (stood(match, ANN), stood(match, BO)) == then


def test_the_second_method_pushes_blocks_and_leaves_full_ones():
    assert by_blocks([10, 11, st.NONE, 13], 0b1001) == [st.NONE, 10, 11, 13]
    assert by_blocks([10, 11, 12, 13], 0b1111) == [10, 11, 12, 13]
    assert begin().book.characters == 48
