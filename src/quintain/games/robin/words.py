"""Robin in the Hood: the names of stages, levels and groups, and the printed texts of cards. RH-19, RH-20.

A printed text is made from the same row of data that `levels.py` uses, so a card does what it says.
"""

from dataclasses import dataclass

from quintain.games.robin import state as st
from quintain.games.robin.state import Book, Character, Modifier, Skill

STAGES = ("Agility", "Weapons", "Strength", "Endurance")
COLOURS = ("Gray", "Blue", "Green", "Red", "Orange", "Gold")
CASTES = ("Noble", "Townsfolk", "Outlaw", "Royalty", "Knight", "Guard")
POLITICS = ("Activist", "Pacifist")
GROUPS = ("all", *CASTES, *POLITICS)
"""The groups, in the order of their numbers."""
ONE = (
    "anybody", "a Noble", "one of the Townsfolk", "an Outlaw", "one of the Royalty", "a Knight", "a Guard",
    "an Activist", "a Pacifist",
)  # fmt: skip
"""A member of each group."""
MANY = ("characters", "Nobles", "Townsfolk", "Outlaws", "Royalty", "Knights", "Guards", "Activists", "Pacifists")
"""The members of each group."""
STAR = "★"


@dataclass(frozen=True)
class Voice:
    """How a text names the owner of a card and the opponent. Other people read it than the owner."""

    own: str = "your"
    other: str = "opposing"
    whose: str = "the opponent's"
    have: str = "you have"


OWNER, RIVAL, ONLOOKER = Voice(), Voice("their", "your", "your", "they have"), Voice("their", have="they have")
"""A text as its owner reads it, which is the printed one; as the opponent reads it; and as a spectator does."""


def card_name(book: Book, card: int) -> str:
    """Return a card's name, such as ``Little John`` or ``Tax Day``."""
    if card < book.characters:
        return book.character[card].name
    return book.modifier[card - book.characters].name


def card_short(book: Book, card: int) -> str:
    """Return a card's name for narrow places, such as ``Sheriff``; its name if it has no other."""
    shown = book.character[card] if card < book.characters else book.modifier[card - book.characters]
    return shown.short or shown.name


def printed_skill(skill: Skill, names: list[str], voice: Voice = OWNER) -> str:
    """Return the text of a special skill; `names` are the names of the characters by number."""
    where = f" in {STAGES[skill.stage]}" if skill.stage != st.NONE else ""
    who = {
        st.SELF: "It has",
        st.FACED: "The character it faces has",
        st.OWN: f"{STAR} Elsewhere {voice.own} {MANY[skill.group]} have",
        st.OPPOSING: f"{STAR} Elsewhere {voice.other} {MANY[skill.group]} have",
    }[skill.whom]
    return f"{who} {skill.change:+d}{where}{_condition(skill, names, voice)}."


def _condition(skill: Skill, names: list[str], voice: Voice) -> str:
    match skill.condition:
        case st.FACES_GROUP:
            return f" when it faces {ONE[skill.value]}"
        case st.FACES_NAME:
            return f" when it faces {names[skill.value]}"
        case st.ACCOMPANIED:
            return f" while another of {voice.own} characters in play is {ONE[skill.value]}"
        case st.ALONE:
            return " while nobody faces it"
        case st.LEADING:
            return f" while {voice.have} more victories"
        case st.TRAILING:
            return f" while {voice.have} fewer victories"
    return ""


def printed_modifier(modifier: Modifier, voice: Voice = OWNER) -> str:
    """Return the text of a modifier."""
    stages = [name for number, name in enumerate(STAGES) if modifier.stages >> number & 1]
    where = "" if len(stages) == st.STAGES else f" in {and_list(stages)}"
    whose = {st.OWN_SIDE: voice.own, st.OTHER_SIDE: voice.other, st.BOTH_SIDES: "all"}[modifier.side]
    who = f"{whose} {MANY[modifier.group]}"
    sentences = []
    if modifier.change:
        sentences.append(f"{who} have {modifier.change:+d}{where}")
    if modifier.swaps:
        sentences.append(f"{who} in {' or '.join(stages)} fight with their printed level for the other of these stages")
    if modifier.ignores:
        sentences.append(f"the special skills of {who}{where} are ignored")
    if modifier.removes:
        sentences.append(f"{voice.whose} lasting modifier is removed")
    if modifier.firm:
        sentences.append("this cannot be removed")
    return f"{'Lasting' if modifier.lasts else 'One hand'}: {'; '.join(sentences)}."


def and_list(words: list[str]) -> str:
    """Join words to a list, such as ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def some(number: int, what: str) -> str:
    """Return a number of things, such as ``1 round`` or ``3 rounds``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def numbers(character: Character) -> str:
    """Return the four printed levels, such as ``2/4/5/3``."""
    return "/".join(map(str, character.level))


def colour(level: int) -> str:
    """Return the colour of a level; above 5 it stays Gold, and below 0 Gray. RH-1."""
    return COLOURS[min(max(level, 0), st.HIGHEST)]


def groups(character: Character) -> str:
    """Return the caste and politics of a character, such as ``Outlaw, Activist``."""
    return ", ".join([GROUPS[character.caste], *([GROUPS[character.politics]] if character.politics else [])])
