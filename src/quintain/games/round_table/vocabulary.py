"""Round Table: the words that effect rows use in sets of cards, and which of them go together. RT-33.

`cards` reads rows with these tables, and `card_fields` makes the fields from them; docs/round-table.md lists the same
words.
"""

from __future__ import annotations

from dataclasses import dataclass

from quintain.games.round_table import state as st
from quintain.games.round_table.words import SLOTS, TYPES

MOMENTS = {
    "always": st.ALWAYS,
    "recruited": st.RECRUITED,
    "attacks": st.ATTACKS,
    "captures": st.CAPTURES,
    "quested": st.QUESTED,
    "quest done": st.QUEST_DONE,
    "each winter": st.EACH_WINTER,
    "played": st.PLAYED,
}
WHOM = {
    "bearer": st.BEARER,
    "own": st.OWN,
    "others": st.OTHERS,
    "opposing": st.OPPOSING,
    "you": st.YOU,
    "opponents": st.OPPONENTS,
}
CONDITIONS = {
    "opposed": st.IF_OPPOSED,
    "alone": st.IF_ALONE,
    "renown": st.IF_RENOWN,
    "titled": st.IF_TITLED,
    "with": st.IF_EQUIPPED,
    "beside": st.IF_BESIDE,
    "is": st.IF_IS,
    "besides": st.IF_KNIGHT,
    "behind": st.IF_BEHIND,
    "active": st.IF_ACTIVE,
}
WHATS = {
    "influence": st.INFLUENCE,
    "resistance": st.RESISTANCE,
    "rp": st.RP,
    "capacity": st.CAPACITY,
    "demesnes": st.DEMESNES,
    "slot": st.SLOT,
    "subtype": st.SUBTYPE,
    "immune": st.IMMUNE,
    "permit": st.PERMIT,
    "lead": st.LEAD,
    "reach": st.REACH,
    "hand": st.HAND_LIMIT,
    "renown": st.RENOWN,
    "draw": st.DRAW,
    "discard": st.DISCARD,
    "reset": st.RESET,
    "engage": st.ENGAGE,
    "return": st.RETURN,
    "look": st.LOOK,
}
LASTING = range(st.DRAW)
"""The things that rows do as long as their card is in play; rows do all others at a moment."""
DETAILS = {
    st.SLOT: {slot: number for number, slot in enumerate(SLOTS)},
    st.SUBTYPE: {name: TYPES[name] for name in ("Monarch", "Round Table", "Grail", "Leader")},
    st.IMMUNE: {"quests": st.TO_QUESTS, "redirects": st.TO_REDIRECTS, "rows": st.TO_ROWS},
    st.PERMIT: {
        "same title": st.SAME_TITLE,
        "redeploy": st.REDEPLOY,
        "repeat": st.REPEAT,
        "stay": st.STAY,
        "in summer": st.IN_SUMMER,
    },
}
_BORNE = (st.ALWAYS, st.ATTACKS, st.CAPTURES, st.QUESTED, st.QUEST_DONE, st.EACH_WINTER)
MOMENTS_OF = {
    st.DEMESNE: (),
    st.KNIGHT: (*_BORNE, st.RECRUITED),
    st.EQUIPMENT: _BORNE,
    st.TITLE: _BORNE,
    st.QUEST: (st.ALWAYS, st.PLAYED, st.QUESTED, st.QUEST_DONE),
    st.REDIRECT: (st.PLAYED,),
}
_KNIGHTS = (st.BEARER, st.OWN, st.OTHERS, st.OPPOSING)
_OWN_KNIGHTS = (st.BEARER, st.OWN, st.OTHERS)
_PLAYERS = (st.YOU, st.OPPONENTS)


@dataclass(frozen=True)
class RowShape:
    """The form of rows that do one thing: on whom they work, whether with an amount, whether it may be negative."""

    whom: tuple[int, ...]
    counted: bool = True
    signed: bool = False

    def whom_for(self, detail: int) -> tuple[int, ...]:
        """Return on whom it may work; permissions differ by their detail."""
        if self is _SHAPES[st.PERMIT]:
            return {st.REPEAT: (st.YOU,), st.IN_SUMMER: (st.BEARER,)}.get(detail, self.whom)
        return self.whom

    @staticmethod
    def of(what: int) -> RowShape:
        """Return the shape of rows that do this."""
        return _SHAPES[what]


_SHAPES = {
    st.INFLUENCE: RowShape(_KNIGHTS, signed=True),
    st.RESISTANCE: RowShape(_KNIGHTS, signed=True),
    st.RP: RowShape(_KNIGHTS, signed=True),
    st.CAPACITY: RowShape(_PLAYERS, signed=True),
    st.DEMESNES: RowShape((st.YOU,)),
    st.SLOT: RowShape(_OWN_KNIGHTS),
    st.SUBTYPE: RowShape((st.BEARER,), counted=False),
    st.IMMUNE: RowShape(_OWN_KNIGHTS, counted=False),
    st.PERMIT: RowShape(_OWN_KNIGHTS, counted=False),
    st.LEAD: RowShape(_OWN_KNIGHTS),
    st.REACH: RowShape(_OWN_KNIGHTS),
    st.HAND_LIMIT: RowShape(_PLAYERS, signed=True),
    st.RENOWN: RowShape((st.YOU,)),
    st.DRAW: RowShape((st.BEARER, *_PLAYERS)),
    st.DISCARD: RowShape((st.BEARER, *_PLAYERS)),
    st.RESET: RowShape(_KNIGHTS, counted=False),
    st.ENGAGE: RowShape(_KNIGHTS, counted=False),
    st.RETURN: RowShape(_KNIGHTS, counted=False),
    st.LOOK: RowShape((st.YOU,)),
}
