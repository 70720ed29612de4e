"""Robin in the Hood: explains line by line how the stages were compared, and at the end who has won the tournament.

`levels.py` has only the sums; this file asks it again for each card alone to name the card behind each change.
"""

from collections.abc import Iterator, Sequence

from quintain.engine import UNKNOWN, Line
from quintain.games.robin import levels as lv
from quintain.games.robin import state as st
from quintain.games.robin.hands import leading, note_position, settle_modifiers
from quintain.games.robin.state import Book, State
from quintain.games.robin.words import STAGES, card_name

Changes = list[list[int]]
"""The changes of levels, by seat and stage."""
BySkill = dict[tuple[int, int], Changes]
"""The changes by the special skill of each card; the key is its seat and stage."""
ByModifier = dict[tuple[int, int], tuple[Changes, Changes]]
"""The changes that each modifier adds, and those by the levels that it exchanges; the key is its seat and number."""


def account(book: Book, s: State) -> list[Line]:
    """Return the lines of the last comparison, and of the end once the tournament is over."""
    return [*comparison(book, s), *(_end(book, s) if s.over else ())]


def as_it_stands(book: Book, s: State, by: int = st.NONE, played: int = st.NONE) -> State:
    """Return a copy of the state in which all open cards are compared now, even one still to be answered. RH-12.

    With `played` it is as if the seat `by` had laid this card, too.
    """
    now = s.copy()
    now.chosen = [card if seat == s.leader else st.NONE for seat, card in enumerate(s.chosen)]
    if by != st.NONE:
        now.chosen[by] = played
        now.stage[by][st.AGILITY] = played if played < book.characters else st.NONE
    settle_modifiers(book, now)
    note_position(book, now)
    lv.compute_changes(book, now)
    return now


def comparison(book: Book, s: State, first: int = st.AGILITY) -> list[Line]:
    """Return the lines of a comparison from stage `first` on: printed levels, skills, modifiers, final levels."""
    skills, modifiers = _sources(book, s)
    return [line for stage in range(first, st.STAGES) for line in _stage(book, s, stage, skills, modifiers)]


def changes(book: Book, s: State) -> dict[tuple[int, int], list[Line]]:
    """Return what changes the level of each card that fights, by its seat and stage: a line for each other card."""
    skills, modifiers = _sources(book, s)
    found: dict[tuple[int, int], list[Line]] = {fighter: [] for fighter in fighters(s)}
    for (seat, stage), lines in found.items():
        for (owner, source), by_skill in skills.items():
            own = (owner, source) == (seat, stage)
            by = "its own skill" if own else f"the skill of {card_name(book, s.fought[owner][source])}"
            _note(lines, by_skill[seat][stage], by, "RH-2")
        crossed = _swaps(book, s, seat, stage) > 1
        for (_, number), (added, swapped) in modifiers.items():
            change = added[seat][stage] + (0 if crossed else swapped[seat][stage])
            _note(lines, change, card_name(book, book.characters + number), "RH-3")
    return found


def _note(lines: list[Line], change: int, by: str, clause: str) -> None:
    """Add a line for a change, if there is one."""
    if change:
        lines.append(Line(f"{change:+d} by {by}", (), clause))


def _sources(book: Book, s: State) -> tuple[BySkill, ByModifier]:
    """Return the changes by each special skill that is not ignored, and by each modifier in force."""
    alone = s.copy()
    skills = {
        (seat, source): _by_skill(book, alone, seat, source)
        for seat, source in fighters(s)
        if not lv.is_ignored(book, s, seat, source)
    }
    return skills, {(by, number): _by_modifier(book, alone, by, number) for by, number in _in_force(s)}


def _by_skill(book: Book, alone: State, seat: int, source: int) -> Changes:
    """Return the changes by the special skill of one card."""
    alone.by_skills = [[0] * st.STAGES for _ in range(st.SEATS)]
    lv.use_skill(book, alone, seat, source)
    return alone.by_skills


def _by_modifier(book: Book, alone: State, by: int, number: int) -> tuple[Changes, Changes]:
    """Return the changes that one modifier adds on its own, and those by the levels that it exchanges."""
    alone.in_force = [[st.NONE] * st.IN_FORCE for _ in range(st.SEATS)]
    alone.in_force[by][st.LASTING] = number
    alone.by_modifiers = [[0] * st.STAGES for _ in range(st.SEATS)]
    lv.use_modifier(book, alone, by, number)
    swapped = [[lv.exchange_gain(book, alone, seat, stage) for stage in range(st.STAGES)] for seat in range(st.SEATS)]
    return alone.by_modifiers, swapped


def _stage(book: Book, s: State, stage: int, skills: BySkill, modifiers: ByModifier) -> Iterator[Line]:
    """Yield the lines of a stage; none if nobody stood there."""
    there = [seat for seat in range(st.SEATS) if s.fought[seat][stage] != st.NONE]
    names = {seat: f"seat {seat}'s {card_name(book, s.fought[seat][stage])}" for seat in there}
    title = STAGES[stage]
    if len(there) == 1:
        yield Line(f"{title}: {names[there[0]]} faces nobody and is the victor", (), "RH-13")
    if len(there) < st.SEATS:
        return
    printed = tuple(book.character[s.fought[seat][stage]].level[stage] for seat in there)
    yield Line(f"{title}: {names[0]} against {names[1]}, printed levels", printed, "RH-12")
    yield from _skills(book, s, stage, skills)
    yield from _modifiers(book, s, stage, modifiers)
    final = lv.level(book, s, 0, stage), lv.level(book, s, 1, stage)
    if final[0] == final[1]:
        yield Line(f"{title}, final levels: a draw, neither falls", final, "RH-13")
    else:
        yield Line(f"{title}, final levels: seat {int(final[0] < final[1])} wins", final, "RH-13")


def _skills(book: Book, s: State, stage: int, skills: BySkill) -> Iterator[Line]:
    """Yield the change by each special skill in a stage, and name the skills that are ignored."""
    for seat, source in fighters(s):
        whose = f"seat {seat}'s {card_name(book, s.fought[seat][source])}"
        by_skill = skills.get((seat, source))
        if by_skill is None:
            if source == stage:
                yield Line(f"{STAGES[stage]}: the special skill of {whose} is ignored", (), "RH-20")
            continue
        changes = by_skill[0][stage], by_skill[1][stage]
        if any(changes):
            starred = source != stage
            yield Line(f"{STAGES[stage]}: the special skill of {whose}{', ' + STAGES[source] if starred else ''}",
                       changes, "RH-2")  # fmt: skip


def _modifiers(book: Book, s: State, stage: int, modifiers: ByModifier) -> Iterator[Line]:
    """Yield the change by each modifier in a stage."""
    crossed = [_swaps(book, s, seat, stage) > 1 for seat in range(st.SEATS)]
    for (by, number), (added, swapped) in modifiers.items():
        changes = tuple(added[seat][stage] + (0 if crossed[seat] else swapped[seat][stage]) for seat in range(st.SEATS))
        if any(changes):
            yield Line(f"{STAGES[stage]}: seat {by}'s {card_name(book, book.characters + number)}", changes, "RH-3")
    if any(crossed):
        yield Line(f"{STAGES[stage]}: levels that two modifiers exchange stay as they are", (), "RH-20")


def _swaps(book: Book, s: State, seat: int, stage: int) -> int:
    """Return how many modifiers in force exchange the printed levels of a card."""
    return sum(
        book.modifier[number].swaps == 1 and lv.affects_card(book, s, by, number, seat, stage)
        for by, number in _in_force(s)
    )


def _in_force(s: State) -> Iterator[tuple[int, int]]:
    """Yield the seat and the number of each modifier that was in force."""
    for by in range(st.SEATS):
        for number in s.in_force[by]:
            if number != st.NONE:
                yield by, number


def fighters(s: State) -> Iterator[tuple[int, int]]:
    """Yield the seat and the stage of each card that fought."""
    for seat in range(st.SEATS):
        for stage in range(st.STAGES):
            if s.fought[seat][stage] != st.NONE:
                yield seat, stage


def _end(book: Book, s: State) -> Iterator[Line]:
    """Yield the victories, both stakes, and the winner's gain."""
    yield Line("Victories", tuple(s.victories), "RH-6")
    if not book.ante:
        return
    for seat in range(st.SEATS):
        if s.staked[seat] not in (st.NONE, UNKNOWN):
            yield Line(f"seat {seat} staked {card_name(book, s.staked[seat])}", (), "RH-7")
    winner = leading(s)
    if s.phase == st.ENDED and winner != st.NONE:
        yield Line(f"seat {winner} gains {card_name(book, s.staked[1 - winner])}", (), "RH-7")
    elif s.phase == st.ENDED:
        yield Line("The tournament is drawn: both keep their own stakes", (), "RH-7")


def prizes(book: Book, s: State, ranks: Sequence[int]) -> list[str]:
    """Say who gains and who keeps which stake, given the ranks; a player who resigned has the last. RH-7."""
    if not book.ante:
        return []
    called = [card_name(book, card) if card != st.NONE else None for card in s.staked]
    first = ranks.index(1)
    other = 1 - first
    if ranks[other] == 1:
        return [f"seat {seat} keeps {called[seat]}." for seat in range(st.SEATS)]
    gains = f"seat {first} gains {called[other]}, which seat {other} staked."
    keeps = f"seat {first} keeps {called[first]}."
    return [
        gains if called[other] else f"seat {other} had not staked a card yet.",
        keeps if called[first] else f"seat {first} had not staked a card yet.",
    ]
