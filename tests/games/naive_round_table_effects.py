"""What cards of Round Table do at a moment, naively, by their printed texts."""

from typing import Any

from games.naive_round_table import IT, Scene, Thing, found, happenings
from quintain.games.round_table import state as st

TO_ROWS = "opponents cannot engage (?P<who>.+), reset (?:it|them) or return (?:it|them) to the hand"
Effect = tuple[Any, ...]
"""A thing to do and its target, such as ("draw", seat, 2) or ("engaged", seat, slot)."""


def knight_says(scene: Scene, knight: Thing, moment: int) -> list[Effect]:
    """Return the effects of a Knight, the cards on it and its Quest at a moment. RT-33."""
    effects = [effect for thing in (knight, *knight.on_it) for effect in says(scene, thing, moment)]
    if knight.quest != st.NONE:
        quest = scene.at(*divmod(knight.quest, st.LINES))
        speaking = Thing(quest.seat, quest.slot, quest.card, scene, knight)
        effects += says(scene, speaking, moment, True if moment == st.QUEST_DONE else None)
    return effects


def says(scene: Scene, source: Thing, moment: int, of_each: bool | None = None) -> list[Effect]:
    """Return the effects of a card at a moment, if their conditions hold. RT-33."""
    true = [
        clause
        for condition, clause in happenings(source.card, moment, of_each)
        if not condition or scene.holds(condition, source)
    ]
    return [effect for clause in true for effect in meant(scene, source, clause)]


def meant(scene: Scene, source: Thing, clause: str) -> list[Effect]:
    """Return the effects of a clause. RT-33."""
    if said := found(r"you look at the next (?:(?P<n>\d+) Regions|Region)", clause):
        return [("look", source.seat, int(said["n"] or 1))]
    players = rf"(?P<who>you|each opponent|the player of {IT}) (?P<done>draw|discard)s? (?P<n>\d+) cards?"
    if said := found(players, clause):
        seats = [seat for seat in range(scene.book.seats) if seat != source.seat]
        if said["who"] != "each opponent":
            bearer = source.bearer and source.bearer.seat
            seats = [source.seat] if said["who"] == "you" else [] if bearer is None else [bearer]
        return [(said["done"], seat, int(said["n"])) for seat in seats]
    said = found(r"(?P<who>.+?) (?:(?:is|are) (?P<done>reset|engaged)|returns? to (?:its|their) owner's hand)", clause)
    assert said, clause
    knights = [knight for knight in scene.knights if scene.is_meant(said["who"], source, knight)]
    open_to_it = [knight for knight in knights if knight.seat == source.seat or not scene.sum_of(TO_ROWS, knight)]
    return [(said["done"] or "returned", knight.seat, knight.slot) for knight in open_to_it]
