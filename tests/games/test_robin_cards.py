"""Robin in the Hood: cards do what their texts say, the base set is complete, and bad sets are refused."""

import random
from collections import Counter
from functools import cache

import pytest

from games.naive_robin import SKILL, STAGES, Person, Table
from games.robin_positions import ANN, BO, EMPTY, Side, begin, finals, number, play, position
from quintain.engine.errors import BadCards, BadOption
from quintain.engine.play.match import Match
from quintain.games.robin import state as st
from quintain.games.robin.cards import base_set, read_set
from quintain.games.robin.words import CASTES, GROUPS, POLITICS

CHARACTERS = {card.name: card for card in base_set().characters}
MODIFIERS = {card.name: card for card in base_set().modifiers}
SCENES = 24


@cache
def person(name: str) -> Person:
    """Return a character with the text that is printed on its card."""
    card = CHARACTERS[name]
    return Person(name, tuple(card.level), {GROUPS[card.caste], GROUPS[card.politics]}, card.text)


def scene(name: str, number_: int) -> tuple[Match, Table]:
    """Play a hand with a card in a random position; return the match, and the position for the naive rules."""
    chooser = random.Random(f"{name} {number_}")
    names = sorted(CHARACTERS)
    chooser.shuffle(names)
    rivals, at = part(name, number_, names)
    sides: list[list[str]] = []
    for seat in (ANN, BO):
        mine = [other for other in names if other != name or seat == BO]
        names = names[7:] + names[:7]
        sides.append([EMPTY if chooser.random() < 0.3 else mine.pop() for _ in range(st.STAGES)])
        sides[seat][0] = mine.pop()
    if name in CHARACTERS:
        sides[ANN][at] = name
        sides[BO] = [EMPTY if other == name else other for other in sides[BO]]
        if rivals and number_ % 2:
            sides[BO] = [EMPTY if other == rivals[0] else other for other in sides[BO]]
            sides[BO][at] = rivals[0]
        if sides[BO][0] == EMPTY:
            sides[BO][0] = next(other for other in sorted(CHARACTERS) if other not in (*sides[ANN], *sides[BO]))
    lasting, played = ["", ""], [sides[ANN][0], sides[BO][0]]
    lasts = [other for other in MODIFIERS if MODIFIERS[other].lasts and other != name]
    for seat in (ANN, BO):
        lasting[seat] = chooser.choice(lasts) if chooser.random() < 0.3 else ""
    if name in MODIFIERS:
        played[ANN] = name
        if MODIFIERS[name].lasts and number_ % 2:
            played[ANN], lasting[ANN] = sides[ANN][0], name
    standing = [", ".join([EMPTY, *side[1:]]) for side in sides]
    victories = ((0, 0), (1, 0), (0, 1))[number_ % 3]
    hands = [Side(standing[seat], played[seat], lasting[seat]) for seat in (ANN, BO)]
    match = play(position(*hands, won=victories), *played)
    return match, table(sides, lasting, played, victories)


def part(name: str, number_: int, names: list[str]) -> tuple[list[str], int]:
    """Return the characters that the text of a character mentions as facing it, and the stage where it takes part."""
    read = SKILL.fullmatch(CHARACTERS[name].text) if name in CHARACTERS else None
    if read is None:
        return [], number_ % st.STAGES
    meant = [other for other in names if other == read["what"] or read["what"] in person(other).groups]
    at = STAGES.index(read["stage"]) if read["stage"] and not read["whose"] else number_ % st.STAGES
    return [other for other in meant if read["when"] == "when it faces" and other != name], at


def table(sides: list[list[str]], lasting: list[str], played: list[str], victories: tuple[int, int]) -> Table:
    """Return a position for the naive rules, from the cards on the table and the modifiers played."""
    stood = tuple(
        {
            stage: person(other)
            for stage, other in enumerate([played[seat] if played[seat] in CHARACTERS else EMPTY, *sides[seat][1:]])
            if other != EMPTY
        }
        for seat in (ANN, BO)
    )
    laid = [MODIFIERS[card].text if card in MODIFIERS else "" for card in played]
    in_force = [MODIFIERS[card].text if card else "" for card in lasting]
    in_force = [new if new.startswith("Lasting") else old for new, old in zip(laid, in_force, strict=True)]
    removed = [
        "the opponent's lasting modifier is removed" in laid[1 - seat]
        and "this cannot be removed" not in in_force[seat]
        for seat in (ANN, BO)
    ]
    of_one_hand = [text if text.startswith("One hand") else "" for text in laid]
    texts = [
        [text for text in ("" if removed[seat] else in_force[seat], of_one_hand[seat]) if text] for seat in (ANN, BO)
    ]
    return Table((stood[ANN], stood[BO]), (texts[ANN], texts[BO]), victories)


def naive_finals(laid: Table) -> dict[tuple[int, int], int]:
    return {(seat, stage): laid.final(seat, stage) for seat in (ANN, BO) for stage in laid.sides[seat]}


@pytest.mark.clause("RH-2", "RH-12", "RH-19")
@pytest.mark.parametrize("name", CHARACTERS)
def test_a_special_skill_does_what_its_text_says(name: str):
    changed = 0
    for number_ in range(SCENES):
        match, laid = scene(name, number_)
        assert finals(match) == naive_finals(laid)
        (at,) = [stage for stage, one in laid.sides[ANN].items() if one.name == name]
        silent = [laid.skill_on(ANN, at, seat, stage) for seat in (ANN, BO) for stage in laid.sides[seat]]
        changed += any(silent) and not laid.is_silenced(ANN, at)
    assert changed > 0, "no scene shows it"


@pytest.mark.clause("RH-3", "RH-20")
@pytest.mark.parametrize("name", MODIFIERS)
def test_a_modifier_does_what_its_text_says(name: str):
    changed = 0
    for number_ in range(SCENES):
        match, laid = scene(name, number_)
        assert finals(match) == naive_finals(laid)
        texts = [[text for text in texts if text != MODIFIERS[name].text] for texts in laid.modifiers]
        without = Table(laid.sides, (texts[ANN], texts[BO]), laid.victories)
        changed += naive_finals(without) != naive_finals(laid) or "It removes Bo's" in " ".join(match.log())
    assert changed > 0, "no scene shows it"


@pytest.mark.clause("RH-1", "RH-5")
def test_the_base_set_has_its_cards_and_uses_every_kind_of_row_twice():
    skills = [card.skill for card in CHARACTERS.values()]
    assert len(skills) >= 48 and len(MODIFIERS) >= 16
    assert {GROUPS[card.caste] for card in CHARACTERS.values()} == set(CASTES)
    assert {GROUPS[card.politics] for card in CHARACTERS.values()} == {"all", *POLITICS}
    assert sum("★" in card.text for card in CHARACTERS.values()) >= 12
    kinds = Counter[object]()
    for skill in skills:
        politics = [group >= st.ACTIVIST for group in (skill.group, skill.value)]
        kinds["whom", skill.whom, skill.group != st.EVERYBODY and politics[0] + 1] += 1
        kinds["stage", skill.whom, skill.stage == st.NONE] += 1
        named = skill.condition in (st.FACES_GROUP, st.ACCOMPANIED)
        kinds["condition", skill.condition, named and politics[1]] += 1
    for card in MODIFIERS.values():
        works = bool(card.change or card.swaps or card.ignores)
        kinds["group", works and (card.group != st.EVERYBODY) + (card.group >= st.ACTIVIST)] += 1
        kinds["side", works and card.side + 1] += 1
        kinds["lasts", card.lasts] += 1
        kinds.update([("removes",)] * card.removes + [("firm",)] * card.firm + [("swaps",)] * card.swaps)
        kinds.update([("ignores",)] * card.ignores)
        assert card.text.endswith("this cannot be removed.") == bool(card.firm)
    kinds["group", False] = kinds["side", False] = 2
    assert not [kind for kind, times in kinds.items() if times < 2]
    assert {kind[1] for kind in kinds if kind[0] == "condition"} == set(range(st.TRAILING + 1))


@pytest.mark.clause("RH-19")
def test_every_text_of_a_skill_can_be_read():
    assert all(SKILL.fullmatch(card.text) for card in CHARACTERS.values())


def entry(**changes: str) -> str:
    """Return a character of a file, with some fields changed; an empty field is left out."""
    lines = {"name": '"Odo"', "caste": '"Noble"', "levels": "[1, 2, 3, 4]", "skill": '{ whom = "self", change = 1 }'}
    lines |= changes
    return "[[character]]\n" + "\n".join(f"{key} = {value}" for key, value in lines.items() if value) + "\n\n"


def modifier(**changes: str) -> str:
    """Return a modifier of a file, with some fields changed; an empty field is left out."""
    lines = {"name": '"Rain"', "group": '"all"', "side": '"own"', "change": "1"} | changes
    return "[[modifier]]\n" + "\n".join(f"{key} = {value}" for key, value in lines.items() if value) + "\n\n"


@pytest.mark.clause("RH-1", "RH-4", "RH-19")
@pytest.mark.parametrize(
    ("text", "line", "card", "clause", "words"),
    [
        (entry() + entry(), 7, "Odo", "RH-4", "line 1 has a card of this name"),
        (entry(name='"De Bracy"') + entry(name='"De bracy"'), 7, "De bracy", "RH-4", "line 1 has a card of this name"),
        (entry(levels="[" * 40 + "]" * 40), 1, "Odo", "RH-1", "Agility cannot be a list"),
        (entry(levels="[1, 2, 3, 6]"), 1, "Odo", "RH-1", "from 0 to 5"),
        (entry(levels="[1, 2, 3, -1]"), 1, "Odo", "RH-1", "from 0 to 5"),
        (entry(levels="[1, 2, 3]"), 1, "Odo", "RH-1", "four whole numbers"),
        (entry(short='"Odo the Very Long"'), 1, "Odo", "RH-1", "at most 12 letters"),
        (entry(short='"o<b>"'), 1, "Odo", "RH-1", "at most 12 letters"),
        (modifier(short="3"), 1, "Rain", "RH-1", "at most 12 letters"),
        (entry(caste='"Peasant"'), 1, "Odo", "RH-1", "Noble"),
        (entry(politics='"Neutral"'), 1, "Odo", "RH-1", "Activist"),
        (entry(name='"odo"'), 1, "odo", "RH-1", "capital"),
        (entry(name='"Knight"'), 1, "Knight", "RH-1", "caste"),
        (entry(skill=""), 1, "Odo", "RH-2", "one special skill"),
        (entry(age="3"), 1, "Odo", "RH-1", "'age'"),
        (entry(skill='{ whom = "all", change = 1 }'), 1, "Odo", "RH-19", "opposing"),
        (entry(skill='{ whom = "self" }'), 1, "Odo", "RH-19", "change is missing"),
        (entry(skill='{ whom = "self", change = 0 }'), 1, "Odo", "RH-19", "but not 0"),
        (entry(skill='{ whom = "self", change = 1, stage = "Wits" }'), 1, "Odo", "RH-19", "Endurance"),
        (entry(skill='{ whom = "self", change = 1, if = "facing Peasant" }'), 1, "Odo", "RH-19", "'facing Peasant'"),
        (entry(skill='{ whom = "self", change = 1, if = "with Peasant" }'), 1, "Odo", "RH-19", "'with Peasant'"),
        (entry(skill='{ whom = "self", change = 1, if = "near Noble" }'), 1, "Odo", "RH-19", "'near Noble'"),
        (entry(skill='{ whom = "self", change = 1, if = "alone" }'), 1, "Odo", "RH-19", "starred"),
        (entry(skill='{ whom = "own", change = 1, if = "leading far" }'), 1, "Odo", "RH-19", "'leading far'"),
        (entry(skill='{ whom = "self", of = "Noble", change = 1 }'), 1, "Odo", "RH-19", "starred"),
        (entry(skill='{ whom = "own", of = "Peasant", change = 1 }'), 1, "Odo", "RH-19", "Townsfolk"),
        (entry() + modifier(name='"Odo"'), 7, "Odo", "RH-4", "already"),
        (modifier(change="", removes="1"), 1, "Rain", "RH-20", "true or false"),
        (modifier(change=""), 1, "Rain", "RH-20", "does nothing"),
        (modifier(group=""), 1, "Rain", "RH-20", "a group and a side"),
        (modifier(change="", removes="true"), 1, "Rain", "RH-20", "nothing to characters"),
        (modifier(group='"Peasant"'), 1, "Rain", "RH-20", "Townsfolk"),
        (modifier(side='"mine"'), 1, "Rain", "RH-20", "opposing"),
        (modifier(stages='["Wits"]'), 1, "Rain", "RH-20", "'Wits'"),
        (modifier(stages='["Agility", "Agility"]'), 1, "Rain", "RH-20", "each once"),
        (modifier(swaps="true"), 1, "Rain", "RH-20", "two stages"),
        (modifier(firm="true"), 1, "Rain", "RH-20", "lasting"),
        (modifier(ignores="true", lasts="true"), 1, "Rain", "RH-20", "one hand"),
        (modifier(group="", side="", change="", lasts="true", removes="true"), 1, "Rain", "RH-20", "must do something"),
        ("[[card]]\nname = 'Odo'\n", 1, "Odo", "RH-5", "the kinds are character, modifier"),
    ],
)
def test_a_bad_set_is_refused_with_line_card_and_clause(text: str, line: int, card: str, clause: str, words: str):
    with pytest.raises(BadCards) as refused:
        read_set(text)
    message = str(refused.value)
    assert message.startswith(f"line {line}, {card}: ") and message.endswith(f"({clause})") and words in message


def many(kind: str, number_: int) -> str:
    """Return a file with a number of cards of one kind."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    made = {"character": entry, "modifier": modifier}[kind]
    return "".join(made(name=f'"{kind.capitalize()} {letters[n // 26]}{letters[n % 26]}"') for n in range(number_))


@pytest.mark.clause("RH-5", "RH-8")
def test_a_set_of_your_own_replaces_the_base_set_within_its_limits():
    match = begin(cards=many("character", 12) + many("modifier", 3))
    assert match.book.cards == 15 and number(match, "Character AL") == 11
    assert len(read_set(many("character", 128) + many("modifier", 32)).names) == 160
    for kind, most in (("character", 128), ("modifier", 32)):
        with pytest.raises(BadCards, match=rf"at most {most} {kind}s, not {most + 1} \(RH-5\)"):
            read_set(many(kind, most + 1))
    with pytest.raises(BadOption, match=r"has 11 characters, and an active set takes 12 \(RH-8\)"):
        begin(cards=many("character", 11) + many("modifier", 3))
    with pytest.raises(BadOption, match=r"has 2 modifiers, and an active set takes 3 \(RH-8\)"):
        begin(cards=many("character", 12) + many("modifier", 2))
    assert begin(cards=many("character", 12), modifiers="off").book.modifiers == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[character]\n", "cannot be read"),
        ("name = 3", "this is not a card: 'name'"),
        ("[character]\nname = 'Odo'", "this is not a card: 'character'"),
        (entry(levels="[" * 2000 + "]" * 2000), "too deep"),
        (entry(levels="9" * 5000), "cannot be read"),
    ],
)
def test_a_text_that_is_no_set_of_cards_is_refused(text: str, words: str):
    with pytest.raises(BadCards, match=rf"{words}.*\(RH-5\)"):
        read_set(text)


def test_a_set_may_begin_with_a_mark_of_its_editor():
    assert read_set("\ufeff" + entry(name='"Ren\u0065\u0301"')).names == ["Ren\u00e9"]
