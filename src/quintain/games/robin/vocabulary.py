"""Robin in the Hood: the words in which sets of cards are written, and which of them go together. RH-1, RH-19, RH-20.

`cards` reads sets with these tables, and checks them by these fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quintain.engine import Refusal, SetField, SetKind, Vocabulary
from quintain.games.robin import state as st
from quintain.games.robin.words import CASTES, GROUPS, POLITICS, STAGES

MOST_SHORT = 12
"""The most letters of a short name."""
WHOM = {"self": st.SELF, "faced": st.FACED, "own": st.OWN, "opposing": st.OPPOSING}
SIDES = {"own": st.OWN_SIDE, "opposing": st.OTHER_SIDE, "both": st.BOTH_SIDES}
GROUP_NUMBERS = {name: number for number, name in enumerate(GROUPS) if number != st.EVERYBODY}
ALONE = {"alone": st.ALONE, "leading": st.LEADING, "trailing": st.TRAILING}
"""The conditions that stand alone; `facing` and `with` are followed by a group, `facing` also by a character."""
STARRED = ("own", "opposing")
WHOM_WORDS = {
    "self": "itself",
    "faced": "the one it faces",
    "own": "★ own characters elsewhere",
    "opposing": "★ opposing characters elsewhere",
}
SIDE_WORDS = {"own": "own characters", "opposing": "opposing characters", "both": "both sides"}
ALONE_WORDS = {
    "alone": "nobody faces the character",
    "leading": "while you have more victories",
    "trailing": "while you have fewer victories",
}


class RobinVocabulary(Vocabulary):
    """What a character and a modifier say."""

    clause = "RH-5"
    kinds = (
        SetKind("character", "Character", "characters", most=st.MOST_CHARACTERS),
        SetKind("modifier", "Modifier", "modifiers", most=st.MOST_MODIFIERS),
    )

    def fields(self, kind: str, data: Mapping[str, Any], names: Mapping[str, str]) -> tuple[SetField, ...]:
        """Return the fields of a character or a modifier."""
        called = (
            SetField("name", "name", "Name", "RH-1"),
            SetField(
                "short", "name", "Short name", "RH-1", f"at most {MOST_SHORT} letters, for narrow places", may_miss=True
            ),
        )
        return (*called, *(_character(data, names) if kind == "character" else _modifier(data)))


VOCABULARY = RobinVocabulary()


def _character(data: Mapping[str, Any], names: Mapping[str, str]) -> tuple[SetField, ...]:
    skill = data.get("skill")
    characters = tuple(name for name, kind in names.items() if kind == "character")
    of_skill = _skill(skill if isinstance(skill, dict) else {}, characters)
    return (
        SetField("caste", "choice", "Caste", "RH-1", choices=dict(zip(CASTES, CASTES, strict=True))),
        SetField(
            "politics", "choice", "Politics", "RH-1", may_miss=True, choices=dict(zip(POLITICS, POLITICS, strict=True))
        ),
        SetField("levels", "numbers", "Levels", "RH-1", least=0, most=st.HIGHEST, parts=STAGES),
        SetField(
            "skill", "row", "Skill", "RH-2", "each character has one special skill", noun="skill", rows=(of_skill,)
        ),
    )


def _skill(row: Mapping[str, Any], characters: tuple[str, ...]) -> tuple[SetField, ...]:
    """Return the fields of a special skill, given what it says so far."""
    of, refused = dict[str, Refusal](), dict[str, Refusal]()
    if row.get("whom") not in STARRED:
        of[""] = Refusal("'of' is for starred skills, on own or opposing characters elsewhere", "RH-19")
        refused["alone"] = Refusal("it is for starred skills: alone in its stage a card does not fight", "RH-19")
    return (
        SetField("whom", "choice", "Who changes", "RH-19", choices=WHOM_WORDS),
        SetField("of", "choice", "Only", "RH-19", may_miss=True, choices=_groups(), refused=of),
        SetField("stage", "choice", "Where", "RH-19", may_miss=True, choices=dict(zip(STAGES, STAGES, strict=True))),
        SetField(
            "if",
            "choice",
            "When",
            "RH-19",
            f"it is {', '.join(ALONE)}, or facing or with and one of {', '.join(GROUP_NUMBERS)}, or facing a character",
            may_miss=True,
            choices=_conditions(characters),
            noun="condition",
            refused=refused,
        ),
        _change("RH-19"),
    )


def _groups() -> dict[str, str]:
    return {name: name for name in GROUP_NUMBERS}


def _conditions(characters: tuple[str, ...]) -> dict[str, str]:
    facing = {f"facing {name}": f"it faces: {name}" for name in (*GROUP_NUMBERS, *characters)}
    beside = {f"with {name}": f"with another in play: {name}" for name in GROUP_NUMBERS}
    return {**ALONE_WORDS, **beside, **facing}


def _modifier(data: Mapping[str, Any]) -> tuple[SetField, ...]:
    """Return the fields of a modifier, given what it says so far."""
    stages, lasts, has_group = data.get("stages", STAGES), data.get("lasts") is True, "group" in data
    two = isinstance(stages, list) and len(stages) == 2
    nobody = "" if has_group else "a modifier that works on characters must name a group and a side"
    on_nobody = {"": Refusal(nobody, "RH-20")} if nobody else {}
    return (
        _switch("lasts", "Lasts"),
        SetField("group", "choice", "On whom", "RH-20", may_miss=True, choices={"all": "everybody", **_groups()}),
        SetField("side", "choice", "Side", "RH-20", nobody, choices=SIDE_WORDS, refused=on_nobody),
        SetField(
            "stages",
            "choices",
            "Stages",
            "RH-20",
            "without it, all of them",
            may_miss=True,
            count=(1, st.STAGES),
            choices=dict(zip(STAGES, STAGES, strict=True)),
            refused=on_nobody,
        ),
        _change("RH-20", may_miss=True, refused=on_nobody),
        _switch("removes", "Removes the rival's lasting modifier"),
        _switch("firm", "Cannot be removed", "" if lasts else "firm is only for a lasting modifier"),
        _switch(
            "swaps",
            "Swaps levels",
            nobody or ("" if two else "swaps needs exactly two stages, whose levels it exchanges"),
        ),
        _switch(
            "ignores",
            "Ignores skills",
            nobody or ("only a modifier for one hand may ignore special skills" if lasts else ""),
        ),
    )


def _change(clause: str, may_miss: bool = False, refused: Mapping[str, Refusal] | None = None) -> SetField:
    most = st.MOST_CHANGE
    return SetField(
        "change",
        "number",
        "Change",
        clause,
        may_miss=may_miss,
        least=-most,
        most=most,
        zero=False,
        refused=refused or {},
    )


def _switch(key: str, words: str, refused: str = "") -> SetField:
    why = {"": Refusal(refused, "RH-20")} if refused else {}
    return SetField(key, "switch", words, "RH-20", may_miss=True, refused=why)
