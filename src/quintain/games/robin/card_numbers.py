"""Robin in the Hood: each card as a row of numbers, for players that learn."""

from quintain.engine import CardNumbers, one_of
from quintain.games.robin import state as st
from quintain.games.robin.state import Book, Character, Modifier


def card_numbers(book: Book) -> CardNumbers:
    """Return the cards of a set as numbers: levels, groups, skill, and what modifiers do."""
    characters = [_of_character(book.character[card]) for card in range(book.characters)]
    modifiers = [_of_modifier(book.modifier[card]) for card in range(book.cards - book.characters)]
    before, after = [0.0] * len(characters[0]), [0.0] * len(_of_modifier(Modifier()))
    blocks = {"hand": 0, "pile": 0, "last_set": 0, "shown": 0, "chosen": st.NONE, "stage": st.NONE}
    return CardNumbers(
        rows=[*(row + after for row in characters), *(before + row for row in modifiers)],
        blocks=blocks | {"lasting": book.characters + st.NONE},
        actions=[(verb, st.CARDS, 0) for verb in (st.PLAY, st.TAKE, st.STAKE_CARD)],
    )


def _of_character(card: Character) -> list[float]:
    """Return the numbers of a character: its levels, each also by steps, its groups, and its special skill."""
    skill = card.skill
    steps = [1.0 if level >= step else 0.0 for level in card.level for step in range(2, st.HIGHEST + 1)]
    named = skill.value if skill.condition == st.FACES_GROUP else st.EVERYBODY
    change = skill.change / st.HIGHEST
    return [
        1.0,
        *(level / st.HIGHEST for level in card.level),
        *steps,
        *one_of(card.caste, st.NOBLE, st.GUARD),
        *one_of(card.politics, st.NOBLE, st.PACIFIST),
        *(change * each for each in one_of(skill.whom, st.SELF, st.OPPOSING)),
        *(change * each for each in one_of(skill.condition, st.ALWAYS, st.TRAILING)),
        *(change * each for each in one_of(skill.stage, st.NONE, st.ENDURANCE)),
        *(change * each for each in one_of(skill.group, st.NOBLE, st.PACIFIST)),
        *(change * each for each in one_of(named, st.NOBLE, st.PACIFIST)),
    ]


def _of_modifier(card: Modifier) -> list[float]:
    """Return the numbers of a modifier: how long and where it works, on whom, and what it does."""
    change = card.change / st.HIGHEST
    stages = [float(card.stages >> stage & 1) for stage in range(st.STAGES)]
    return [
        1.0,
        float(card.lasts),
        *(change * each for each in one_of(card.group, st.EVERYBODY, st.PACIFIST)),
        *(change * each for each in one_of(card.side, st.OWN_SIDE, st.BOTH_SIDES)),
        *(change * each for each in stages),
        *(card.swaps * each for each in stages),
        float(card.removes),
        float(card.firm),
        float(card.ignores),
    ]
