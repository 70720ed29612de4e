"""Robin in the Hood: works out levels in a comparison: printed level, then special skills, then modifiers.

`hands.py` notes the position of a comparison in the state and calls this file; `account.py` explains the changes to
players, card by card.
"""

from quintain.engine import rule
from quintain.games.robin import state as st
from quintain.games.robin.state import Book, State


@rule
def compute_changes(book: Book, s: State) -> None:
    """Work out by how much special skills and modifiers change the level of each card that fights. RH-12."""
    for seat in range(st.SEATS):
        for stage in range(st.STAGES):
            s.by_skills[seat][stage] = 0
            s.by_modifiers[seat][stage] = 0
    ignoring = 0
    swapping = 0
    for by in range(st.SEATS):
        for place in range(st.IN_FORCE):
            number = s.in_force[by][place]
            if number != st.NONE:
                use_modifier(book, s, by, number)
                ignoring += book.modifier[number].ignores
                swapping += book.modifier[number].swaps
    for seat in range(st.SEATS):
        for stage in range(st.STAGES):
            if s.fought[seat][stage] != st.NONE:
                if ignoring == 0 or not is_ignored(book, s, seat, stage):
                    use_skill(book, s, seat, stage)
                if swapping > 0:
                    s.by_modifiers[seat][stage] += exchange_gain(book, s, seat, stage)


@rule
def level(book: Book, s: State, seat: int, stage: int) -> int:
    """Return the final level of a card that fights; it may be below 0 or above 5. RH-12."""
    printed = book.character[s.fought[seat][stage]].level[stage]
    return printed + s.by_skills[seat][stage] + s.by_modifiers[seat][stage]


@rule
def use_skill(book: Book, s: State, seat: int, stage: int) -> None:
    """Add the changes by the special skill of a card, if its condition holds. RH-2, RH-19."""
    skill = book.character[s.fought[seat][stage]].skill
    changed = seat if skill.whom == st.SELF or skill.whom == st.OWN else 1 - seat
    if skill.whom == st.SELF or skill.whom == st.FACED:
        works_here = skill.stage == st.NONE or skill.stage == stage
        if works_here and s.fought[changed][stage] != st.NONE and condition_holds(book, s, seat, stage):
            s.by_skills[changed][stage] += skill.change
    elif condition_holds(book, s, seat, stage):
        for other in range(st.STAGES):
            if other != stage and (skill.stage == st.NONE or skill.stage == other):
                card = s.fought[changed][other]
                s.by_skills[changed][other] += (
                    skill.change if card != st.NONE and st.is_of(book, card, skill.group) else 0
                )


@rule
def condition_holds(book: Book, s: State, seat: int, stage: int) -> bool:
    """Return whether the condition of the special skill of a card holds. RH-19."""
    skill = book.character[s.fought[seat][stage]].skill
    if skill.condition == st.ALWAYS:
        return True
    facing = s.fought[1 - seat][stage]
    if skill.condition == st.FACES_GROUP:
        return facing != st.NONE and st.is_of(book, facing, skill.value)
    if skill.condition == st.FACES_NAME:
        return facing == skill.value
    if skill.condition == st.ALONE:
        return facing == st.NONE
    if skill.condition == st.ACCOMPANIED:
        return is_accompanied(book, s, seat, stage, skill.value)
    if skill.condition == st.LEADING:
        return s.had_won[seat] > s.had_won[1 - seat]
    return s.had_won[seat] < s.had_won[1 - seat]


@rule
def is_accompanied(book: Book, s: State, seat: int, stage: int, group: int) -> bool:
    """Return whether another character of the same seat in play belongs to a group. RH-19."""
    for other in range(st.STAGES):
        card = s.fought[seat][other]
        if other != stage and card != st.NONE and st.is_of(book, card, group):
            return True
    return False


@rule
def use_modifier(book: Book, s: State, by: int, number: int) -> None:
    """Add the changes by a modifier that the seat `by` has in force. RH-20."""
    change = book.modifier[number].change
    for seat in range(st.SEATS):
        if change != 0 and affects_side(book, by, number, seat):
            for stage in range(st.STAGES):
                s.by_modifiers[seat][stage] += change if matches_card(book, s, number, seat, stage) else 0


@rule
def affects_side(book: Book, by: int, number: int, seat: int) -> bool:
    """Return whether a modifier that the seat `by` has in force works on the characters of a seat. RH-20."""
    side = book.modifier[number].side
    return side == st.BOTH_SIDES or (side == st.OWN_SIDE) == (by == seat)


@rule
def matches_card(book: Book, s: State, number: int, seat: int, stage: int) -> bool:
    """Return whether the stage and group of a modifier fit the card of a seat on a stage. RH-20."""
    if s.fought[seat][stage] == st.NONE or not book.modifier[number].stages >> stage & 1:
        return False
    return st.is_of(book, s.fought[seat][stage], book.modifier[number].group)


@rule
def affects_card(book: Book, s: State, by: int, number: int, seat: int, stage: int) -> bool:
    """Return whether a modifier that the seat `by` has in force works on the card of a seat on a stage. RH-20."""
    return affects_side(book, by, number, seat) and matches_card(book, s, number, seat, stage)


@rule
def is_ignored(book: Book, s: State, seat: int, stage: int) -> bool:
    """Return whether a modifier in force ignores the special skill of a card. RH-12, RH-20."""
    for by in range(st.SEATS):
        for place in range(st.IN_FORCE):
            number = s.in_force[by][place]
            if number != st.NONE and book.modifier[number].ignores and affects_card(book, s, by, number, seat, stage):
                return True
    return False


@rule
def exchange_gain(book: Book, s: State, seat: int, stage: int) -> int:
    """Return by how much an exchange of stages changes a printed level; 0 if two modifiers exchange it. RH-20."""
    card = book.character[s.fought[seat][stage]]
    gain = 0
    swaps = 0
    for by in range(st.SEATS):
        for place in range(st.IN_FORCE):
            number = s.in_force[by][place]
            if number != st.NONE and book.modifier[number].swaps and affects_card(book, s, by, number, seat, stage):
                swaps += 1
                for other in range(st.STAGES):
                    if other != stage and book.modifier[number].stages >> other & 1:
                        gain = card.level[other] - card.level[stage]
    return gain if swaps == 1 else 0
