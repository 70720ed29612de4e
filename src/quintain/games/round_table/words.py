"""Round Table: the names of cards and Regions, and the printed text of a card, which is made from its rows. RT-33.

`cards` prints each card once when it reads a set; the other words serve the modules for players, such as `view`.
"""

import re
from functools import lru_cache

from quintain.games.round_table import state as st
from quintain.games.round_table.state import Book, Card, Row, State

TYPES = {
    "Monarch": st.MONARCH,
    "Round Table": st.ROUND_TABLE,
    "Grail": st.GRAIL,
    "generic": st.GENERIC,
    "Leader": st.LEADER,
}
TYPE_WORDS = {
    st.MONARCH: "Monarch",
    st.ROUND_TABLE: "Round Table Knight",
    st.GRAIL: "Grail Knight",
    st.GENERIC: "generic Knight",
    st.LEADER: "Leader",
}
SEASONS = ("Spring", "Summer", "Autumn", "Winter")
DEMESNES = ("Farm", "Manor", "Large Manor", "Keep", "Castle")
KINDS = ("Demesne", "Knight", "Equipment", "Title", "Quest", "Redirect")
KIND_GROUPS = ("Demesnes", "Knights", "Equipment", "Titles", "Quests", "Redirects")
SLOTS = ("Weapon", "Armor", "Shield", "Mount")
SLOTS_IN_PLURAL = ("Weapons", "pieces of Armor", "Shields", "Mounts")
SLOT_WORDS = ("a Weapon", "Armor", "a Shield", "a Mount")
LEADER_WORDS = "Leader: your other attacking Knights have +1 Influence and +1 Resistance."
TASK_WORDS = {
    st.TASK: "Gives a Knight with a task a new one.",
    st.RESET: "For an engaged Knight of yours.",
    st.ENGAGE: "For a Knight that attacks.",
    st.RETURN: "For a Knight with a task.",
}
"""The Knight that a Redirect is played on, by its task. RT-19."""


def card_name(book: Book, seat: int, line: int) -> str:
    """Return the name of a card, by its line in a deck list."""
    return book.card[seat][line].name or f"card {line + 1}"


@lru_cache(1024)
def face(called: str) -> str:
    """Return the key of a card's picture: its name in small letters, with underscores."""
    return re.sub(r"\W+", "_", called.casefold())


def kind_words(card: Card, types: int) -> str:
    """Return the types of a Knight (given as bits), the kind of Equipment, or else the kind of a card."""
    named = [words for bit, words in TYPE_WORDS.items() if types & bit]
    return ", ".join(named) or (KINDS[card.kind] if card.slot == st.NONE else SLOTS[card.slot])


def rp_words(card: Card, rp: int) -> str:
    """Return the cost of a card, such as ``3 RP instead of 4``; `rp` is the cost after effects."""
    return f"{rp} RP" if rp == card.rp else f"{rp} RP instead of {card.rp}"


def printed_numbers(card: Card, rp: int | None = None) -> str:
    """Return a card's kind and numbers, such as ``Knight, 6 RP, Influence 5, Resistance 4``."""
    numbers = [kind_words(card, card.types), rp_words(card, card.rp if rp is None else rp)]
    strengths = (("Influence", card.influence), ("Resistance", card.resistance))
    if card.kind == st.KNIGHT:
        numbers += [f"{words} {number}" for words, number in strengths]
    else:
        numbers += [f"{words} {number:+d}" for words, number in strengths if number]
    return ", ".join(numbers)


def region_name(book: Book, s: State, place: int) -> str:
    """Return the name of a Region, by its place in the match."""
    return "no Region" if place == st.NONE else book.region[s.region[place]].name


def unit_name(book: Book, s: State, owner: int, slot: int, viewer: int) -> str:
    """Return the name of a card in play, with a number if it is not the first, and with the seat of another owner."""
    line = s.line[owner][slot] if owner < book.seats else st.NONE
    words = f"place {slot + 1}"
    if line != st.NONE:
        number = 1 + sum(s.line[owner][earlier] == line for earlier in range(slot))
        words = card_name(book, owner, line) + (f" {number}" if number > 1 else "")
    return words if owner == viewer else f"{words} of seat {owner}"


def printed(card: Card, rows: list[Row], names: list[str], plain: str) -> str:
    """Return the text of a card; `names` are those that rows use, by number, `plain` the plain form of a Fey piece."""
    sentences = [LEADER_WORDS] if card.kind == st.KNIGHT and card.types & st.LEADER else []
    if plain:
        sentences = [f"Fey: better than {plain}."]
    if card.kind == st.REDIRECT:
        sentences = [TASK_WORDS[card.task]]
    return " ".join([*sentences, *(_sentence(card.kind, row, names) for row in rows)])


def bearer(kind: int, when: int) -> str:
    """Return the words for the Knight that a card of this kind is, is on, or is played on."""
    if kind == st.QUEST and when == st.ALWAYS:
        return "each Knight on it"
    return {st.KNIGHT: "it", st.QUEST: "that Knight", st.REDIRECT: "that Knight"}.get(kind, "its bearer")


def _sentence(kind: int, row: Row, names: list[str]) -> str:
    """Return a row as a sentence: the moment, the condition and the clause."""
    moment = _moment(kind, row.when, row.whom)
    condition = _condition(kind, row, names)
    clause = _clause(kind, row, names)
    if not moment:
        words = f"{clause} while {condition}" if condition else clause
    else:
        words = f"{moment}, if {condition}, {clause}" if condition else f"{moment}, {clause}"
    return f"{words[0].upper()}{words[1:]}."


def _moment(kind: int, when: int, whom: int) -> str:
    """Return the words for the moment of a row; none if it works always."""
    it = bearer(kind, when)
    if kind == st.QUEST and when == st.QUEST_DONE:
        return "when this Quest is done" + (", for each Knight on it" if whom == st.BEARER else "")
    return {
        st.ALWAYS: "",
        st.RECRUITED: f"when {it} is recruited for the first time",
        st.ATTACKS: f"when {it} attacks",
        st.CAPTURES: f"when {it} captures a Region",
        st.QUESTED: f"when {it} goes on a Quest" if kind != st.QUEST else "whenever a Knight goes on this Quest",
        st.QUEST_DONE: f"when {_whose(it)} Quest is done",
        st.EACH_WINTER: "each Winter",
        st.PLAYED: "when played",
    }[when]


def _whose(it: str) -> str:
    return "its" if it == "it" else f"{it}'s"


def _condition(kind: int, row: Row, names: list[str]) -> str:
    """Return the words for the condition of a row; none if it has none."""
    it = "that Knight" if row.whom == st.BEARER and kind != st.KNIGHT else bearer(kind, row.when)
    mine = "its player's" if kind in (st.QUEST, st.REDIRECT) else "your"
    value = row.condition_value
    match row.condition:
        case st.IF_ANY:
            return ""
        case st.IF_OPPOSED:
            return f"opponents attack {_whose(it)} Region"
        case st.IF_ALONE:
            return f"{it} is {mine} only Knight in the Region"
        case st.IF_RENOWN:
            return f"{it} attacks a Region of {value} or more Renown"
        case st.IF_TITLED:
            return f"{it} has a Title"
        case st.IF_EQUIPPED:
            return f"{it} has {SLOT_WORDS[value]}"
        case st.IF_BESIDE:
            return f"{mine} {names[value]} attacks {_whose(it)} Region, too"
        case st.IF_IS:
            return f"{it} is a {TYPE_WORDS[value]}"
        case st.IF_KNIGHT:
            return f"you have a {TYPE_WORDS[value]} besides {it}"
        case st.IF_BEHIND:
            return "another player has captured more Renown"
    return "you are the active player"


def _group(row: Row, names: list[str]) -> str:
    """Return the words for the Knights, or other cards, that a row names."""
    value, here = row.which_value, " in the same Region" if row.here else ""
    match row.which:
        case st.BY_TYPE:
            return f"{TYPE_WORDS[value]}s{here}"
        case st.BY_NAME:
            return f"Knights named {names[value]}{here}"
        case st.BY_TITLE:
            return f"Knights with the Title {names[value]}{here}"
        case st.BY_EQUIPMENT:
            return f"Knights with {SLOT_WORDS[value]}{here}"
        case st.BY_KIND:
            return KIND_GROUPS[value]
    return f"Knights{here}"


def _subject(kind: int, row: Row, names: list[str]) -> str:
    """Return the words for the cards on which a row works."""
    if row.whom == st.BEARER:
        return bearer(kind, row.when)
    whose = {st.OWN: "your", st.OTHERS: "your other", st.OPPOSING: "opposing"}[row.whom]
    return f"{whose} {_group(row, names)}"


def _clause(kind: int, row: Row, names: list[str]) -> str:
    """Return the words for what a row does to Knights or other cards."""
    if row.whom in (st.YOU, st.OPPONENTS) or row.what in (st.DRAW, st.DISCARD):
        return _clause_of_player(kind, row)
    who, amount = _subject(kind, row, names), row.amount
    one = row.whom == st.BEARER or (row.which == st.BY_KIND and row.which_value == st.EQUIPMENT)
    has, cost, is_ = ("has", "costs", "is") if one else ("have", "cost", "are")
    its, them = ("its", "it") if one else ("their", "them")
    immune = {
        st.TO_QUESTS: f"play Quests on {who}",
        st.TO_REDIRECTS: f"play Redirects on {who}",
        st.TO_ROWS: f"engage {who}, reset {them} or return {them} to the hand",
    }
    s = "s" if one else ""
    match row.what:
        case st.INFLUENCE:
            return f"{who} {has} {amount:+d} Influence"
        case st.RESISTANCE:
            return f"{who} {has} {amount:+d} Resistance"
        case st.RP:
            return f"{who} {cost} {abs(amount)} RP {'less' if amount < 0 else 'more'}"
        case st.SLOT:
            return f"{who} may have {amount} more {(SLOTS if amount == 1 else SLOTS_IN_PLURAL)[row.detail]}"
        case st.SUBTYPE:
            return f"{who} {is_} a {TYPE_WORDS[row.detail]}"
        case st.IMMUNE:
            return f"opponents cannot {immune[row.detail]}"
        case st.PERMIT if row.detail == st.IN_SUMMER:
            return "this card may be played in Summer, too"
        case st.PERMIT:
            return f"{who} {_permission(row.detail, its)}"
        case st.LEAD:
            return f"where {who} attack{s}, you need {amount} less lead"
        case st.REACH:
            return f"where {who} attack{s}, the Region has {amount} less Resistance for you"
        case st.RESET:
            return f"{who} {is_} reset"
        case st.ENGAGE:
            return f"{who} {is_} engaged"
    return f"{who} return{s} to {its} owner's hand"


def _permission(detail: int, its: str) -> str:
    return {
        st.SAME_TITLE: "may have several Titles of a name",
        st.REDEPLOY: "may be sent from one Region to another once a Summer",
        st.STAY: f"stay{'s' if its == 'its' else ''} in {its} Region until that Region is captured",
    }[detail]


def _clause_of_player(kind: int, row: Row) -> str:
    """Return the words for what a row does to players."""
    amount, you = row.amount, row.whom == st.YOU
    whose = "your" if you else "each opponent's"
    cards = f"{amount} card{'' if amount == 1 else 's'}"
    who = {st.YOU: "you", st.OPPONENTS: "each opponent"}.get(row.whom, f"the player of {bearer(kind, row.when)}")
    s = "" if you else "s"
    more = f"{abs(amount)} {'greater' if amount > 0 else 'less'}"
    match row.what:
        case st.CAPACITY:
            return f"{whose} capacity is {more}"
        case st.DEMESNES:
            return f"you may play {amount} more Demesne{'' if amount == 1 else 's'} each Spring"
        case st.PERMIT:
            return "you may play Quests and Redirects of a name that was played this Summer"
        case st.HAND_LIMIT:
            return f"the limit of {whose} hand is {more}"
        case st.RENOWN:
            return f"you have {amount} more Renown when the game has ended"
        case st.DRAW:
            return f"{who} draw{s} {cards}"
        case st.DISCARD:
            return f"{who} discard{s} {cards}"
    return f"you look at {next_regions(amount)}"


def next_regions(number: int) -> str:
    """Return the words for the Regions that are turned up next, given their number."""
    return "the next Region" if number == 1 else f"the next {number} Regions"
