"""Robin in the Hood: what a level comes to: printed level, then special skills, then modifiers."""

from quintain.engine.compiled import rule
from quintain.games.robin.state import (
    ACCOMPANIED,
    ALONE,
    ALWAYS,
    BOTH_SIDES,
    FACED,
    FACES_GROUP,
    FACES_NAME,
    LEADING,
    NONE,
    OWN,
    OWN_SIDE,
    SEATS,
    SELF,
    STAGES,
    Book,
    State,
    is_of,
)


@rule
def reckon(book: Book, s: State) -> None:
    """Reckon how special skills and modifiers change the level of each card that fought. RH-12."""
    for seat in range(SEATS):
        for stage in range(STAGES):
            s.by_skills[seat][stage] = 0
            s.by_modifiers[seat][stage] = 0
    modifiers = any_in_force(s)
    for seat in range(SEATS):
        for stage in range(STAGES):
            if s.fought[seat][stage] != NONE:
                if not (modifiers and is_ignored(book, s, seat, stage)):
                    use_skill(book, s, seat, stage)
                if modifiers:
                    s.by_modifiers[seat][stage] = modified(book, s, seat, stage)


@rule
def level(book: Book, s: State, seat: int, stage: int) -> int:
    """Return the final level of a card that fought, which may be below 0 or above 5. RH-12."""
    printed = book.character[s.fought[seat][stage]].level[stage]
    return printed + s.by_skills[seat][stage] + s.by_modifiers[seat][stage]


@rule
def use_skill(book: Book, s: State, seat: int, stage: int) -> None:
    """Add what the special skill of a card does, if its condition holds. RH-2, RH-19."""
    skill = book.character[s.fought[seat][stage]].skill
    if not holds(book, s, seat, stage):
        return
    if skill.whom == SELF:
        if skill.stage == NONE or skill.stage == stage:
            s.by_skills[seat][stage] += skill.change
    elif skill.whom == FACED:
        if s.fought[1 - seat][stage] != NONE and (skill.stage == NONE or skill.stage == stage):
            s.by_skills[1 - seat][stage] += skill.change
    else:
        changed = seat if skill.whom == OWN else 1 - seat
        for other in range(STAGES):
            if other != stage and (skill.stage == NONE or skill.stage == other):
                card = s.fought[changed][other]
                s.by_skills[changed][other] += skill.change if card != NONE and is_of(book, card, skill.group) else 0


@rule
def holds(book: Book, s: State, seat: int, stage: int) -> bool:
    """Tell whether the condition of the special skill of a card holds. RH-19."""
    skill = book.character[s.fought[seat][stage]].skill
    if skill.condition == ALWAYS:
        return True
    facing = s.fought[1 - seat][stage]
    if skill.condition == FACES_GROUP:
        return facing != NONE and is_of(book, facing, skill.value)
    if skill.condition == FACES_NAME:
        return facing == skill.value
    if skill.condition == ALONE:
        return facing == NONE
    if skill.condition == ACCOMPANIED:
        return is_accompanied(book, s, seat, stage, skill.value)
    if skill.condition == LEADING:
        return s.had_won[seat] > s.had_won[1 - seat]
    return s.had_won[seat] < s.had_won[1 - seat]


@rule
def is_accompanied(book: Book, s: State, seat: int, stage: int, group: int) -> bool:
    """Tell whether another own character in play is of a group. RH-19."""
    for other in range(STAGES):
        card = s.fought[seat][other]
        if other != stage and card != NONE and is_of(book, card, group):
            return True
    return False


@rule
def any_in_force(s: State) -> bool:
    """RH-12."""
    for seat in range(SEATS):
        for place in range(SEATS):
            if s.in_force[seat][place] != NONE:
                return True
    return False


@rule
def touches(book: Book, s: State, by: int, number: int, seat: int, stage: int) -> bool:
    """Tell whether a modifier that `by` has in force works on the card of a seat in a stage. RH-20."""
    modifier = book.modifier[number]
    if not modifier.stages >> stage & 1:
        return False
    if modifier.side != BOTH_SIDES and (modifier.side == OWN_SIDE) != (by == seat):
        return False
    return is_of(book, s.fought[seat][stage], modifier.group)


@rule
def is_ignored(book: Book, s: State, seat: int, stage: int) -> bool:
    """Tell whether a modifier ignores the special skill of a card. RH-12, RH-20."""
    for by in range(SEATS):
        for place in range(SEATS):
            number = s.in_force[by][place]
            if number != NONE and book.modifier[number].ignores and touches(book, s, by, number, seat, stage):
                return True
    return False


@rule
def modified(book: Book, s: State, seat: int, stage: int) -> int:
    """Return what modifiers add to the level of a card; of two that exchange levels neither does. RH-20."""
    change = 0
    exchanged = 0
    swaps = 0
    for by in range(SEATS):
        for place in range(SEATS):
            number = s.in_force[by][place]
            if number != NONE and touches(book, s, by, number, seat, stage):
                change += book.modifier[number].change
                if book.modifier[number].swaps:
                    swaps += 1
                    exchanged = exchange(book, s, number, seat, stage)
    return change + exchanged if swaps == 1 else change


@rule
def exchange(book: Book, s: State, number: int, seat: int, stage: int) -> int:
    """Return what a card gains by its printed level of the other stage that a modifier names. RH-20."""
    card = book.character[s.fought[seat][stage]]
    for other in range(STAGES):
        if other != stage and book.modifier[number].stages >> other & 1:
            return card.level[other] - card.level[stage]
    return 0
