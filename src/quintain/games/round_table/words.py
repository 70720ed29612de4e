"""Round Table: the printed text of a card, made from its rows. RT-33."""

from quintain.games.round_table import state as st
from quintain.games.round_table.state import Row

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
KINDS = ("Demesne", "Knight", "Equipment", "Title", "Quest", "Redirect")
KIND_GROUPS = ("Demesnes", "Knights", "Equipment", "Titles", "Quests", "Redirects")
SLOTS = ("Weapon", "Armor", "Shield", "Mount")
SLOT_WORDS = ("a Weapon", "Armor", "a Shield", "a Mount")
LEADER_WORDS = "Leader: your other attacking Knights have +1 Influence and +1 Resistance."


def printed(kind: int, types: int, rows: list[Row], names: list[str]) -> str:
    """Return the text of a card; `names` are those that rows speak of, by number."""
    sentences = [LEADER_WORDS] if kind == st.KNIGHT and types & st.LEADER else []
    return " ".join([*sentences, *(_sentence(kind, row, names) for row in rows)])


def bearer(kind: int) -> str:
    """Return the words for the Knight that a card is, is on or is played on."""
    return {st.KNIGHT: "it", st.QUEST: "the Knight on it", st.REDIRECT: "that Knight"}.get(kind, "its bearer")


def _sentence(kind: int, row: Row, names: list[str]) -> str:
    moment = _moment(kind, row.when)
    condition = _condition(kind, row, names)
    clause = _clause(kind, row, names)
    if not moment:
        words = f"{clause} while {condition}" if condition else clause
    else:
        words = f"{moment}, if {condition}, {clause}" if condition else f"{moment}, {clause}"
    return f"{words[0].upper()}{words[1:]}."


def _moment(kind: int, when: int) -> str:
    it = bearer(kind)
    return {
        st.ALWAYS: "",
        st.RECRUITED: f"when {it} is recruited",
        st.ATTACKS: f"when {it} attacks",
        st.CAPTURES: f"when {it} captures a Region",
        st.QUESTED: f"when {it} goes on a Quest",
        st.QUEST_DONE: f"when the Quest of {it} is done" if kind != st.QUEST else "when this Quest is done",
        st.EACH_WINTER: "each Winter",
        st.PLAYED: "when played",
    }[when]


def _condition(kind: int, row: Row, names: list[str]) -> str:
    it, value = bearer(kind), row.condition_value
    return {
        st.IF_ANY: lambda: "",
        st.IF_OPPOSED: lambda: f"opponents attack the Region of {it}",
        st.IF_ALONE: lambda: f"{it} is your only Knight in the Region",
        st.IF_RENOWN: lambda: f"{it} attacks a Region of {value} or more Renown",
        st.IF_TITLED: lambda: f"{it} has a Title",
        st.IF_EQUIPPED: lambda: f"{it} has {SLOT_WORDS[value]}",
        st.IF_BESIDE: lambda: f"{names[value]} attacks the Region of {it}",
        st.IF_IS: lambda: f"{it} is a {TYPE_WORDS[value]}",
        st.IF_KNIGHT: lambda: f"you have a {TYPE_WORDS[value]} besides {it}",
        st.IF_BEHIND: lambda: "another player has captured more Renown",
        st.IF_FIRST: lambda: "you are the active player",
    }[row.condition]()


def _group(row: Row, names: list[str]) -> str:
    """Return which Knights, or other cards, a row names."""
    value = row.which_value
    group = {
        st.ANY: lambda: "Knights",
        st.BY_TYPE: lambda: f"{TYPE_WORDS[value]}s",
        st.BY_NAME: lambda: f"Knights named {names[value]}",
        st.BY_TITLE: lambda: f"Knights with the Title {names[value]}",
        st.BY_EQUIPMENT: lambda: f"Knights with {SLOT_WORDS[value]}",
        st.BY_KIND: lambda: KIND_GROUPS[value],
    }[row.which]()
    return f"{group} in the same Region" if row.here else group


def _subject(kind: int, row: Row, names: list[str]) -> str:
    """Return the words for those on whom a row works."""
    if row.whom == st.BEARER:
        return bearer(kind)
    whose = {st.OWN: "your", st.OTHERS: "your other", st.OPPOSING: "opposing"}[row.whom]
    return f"{whose} {_group(row, names)}"


def _clause(kind: int, row: Row, names: list[str]) -> str:
    if row.whom in (st.YOU, st.OPPONENTS) or row.what in (st.DRAW, st.DISCARD):
        return _clause_of_player(kind, row)
    who, one, amount = _subject(kind, row, names), row.whom == st.BEARER, row.amount
    has, cost, is_, may = ("has", "costs", "is", "may") if one else ("have", "cost", "are", "may")
    its = "its" if one else "their"
    immune = {st.TO_QUESTS: "play Quests on", st.TO_REDIRECTS: "play Redirects on", st.TO_ROWS: "engage or return"}
    clauses = {
        st.INFLUENCE: lambda: f"{who} {has} {amount:+d} Influence",
        st.RESISTANCE: lambda: f"{who} {has} {amount:+d} Resistance",
        st.RP: lambda: f"{who} {cost} {abs(amount)} RP {'less' if amount < 0 else 'more'}",
        st.SLOT: lambda: f"{who} {may} have {amount} more {SLOTS[row.detail]}",
        st.SUBTYPE: lambda: f"{who} {is_} a {TYPE_WORDS[row.detail]}",
        st.IMMUNE: lambda: f"opponents cannot {immune[row.detail]} {who}",
        st.PERMIT: lambda: f"{who} {_permission(row.detail, its)}",
        st.LEAD: lambda: f"where {who} attack{'s' if one else ''}, you need {amount} less lead",
        st.REACH: lambda: f"where {who} attack{'s' if one else ''}, the Region has {amount} less Resistance for you",
        st.RESET: lambda: f"{who} {is_} reset",
        st.ENGAGE: lambda: f"{who} {is_} engaged",
        st.RETURN: lambda: f"{who} return{'s' if one else ''} to {its} owner's hand",
    }
    return clauses[row.what]()


def _permission(detail: int, its: str) -> str:
    return {
        st.SAME_TITLE: "may have several Titles of a name",
        st.REDEPLOY: "may be sent from one Region to another",
        st.STAY: f"stay{'s' if its == 'its' else ''} in {its} Region until it is captured",
        st.IN_SUMMER: "may be played in Summer, too",
    }[detail]


def _clause_of_player(kind: int, row: Row) -> str:
    amount, you = row.amount, row.whom == st.YOU
    whose = "your" if you else "each opponent's"
    cards = f"{amount} card{'' if amount == 1 else 's'}"
    who = {st.YOU: "you", st.OPPONENTS: "each opponent"}.get(row.whom, f"the player of {bearer(kind)}")
    s = "" if you else "s"
    more = f"{abs(amount)} {'greater' if amount > 0 else 'less'}"
    clauses = {
        st.CAPACITY: lambda: f"{whose} capacity is {more}",
        st.DEMESNES: lambda: f"you may play {amount} more Demesne{'' if amount == 1 else 's'} each Spring",
        st.PERMIT: lambda: "you may play Quests and Redirects of a name that was played this Summer",
        st.HAND_LIMIT: lambda: f"the limit of {whose} hand is {more}",
        st.RENOWN: lambda: f"{who} have {amount} more Renown when the game has ended",
        st.DRAW: lambda: f"{who} draw{s} {cards}",
        st.DISCARD: lambda: f"{who} discard{s} {cards}",
        st.LOOK: lambda: f"{who} look at the next {amount} Regions",
    }
    return clauses[row.what]()
