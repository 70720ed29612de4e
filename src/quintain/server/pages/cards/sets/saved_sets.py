"""The values for saved sets: at a table, where one touch takes one, and in the tab Sets of the place Cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import json

from quintain.engine.errors import UnknownGame
from quintain.engine.rules.collection import SetChoice, chosen_sets
from quintain.engine.rules.game import Game
from quintain.server.model.results import WON
from quintain.server.model.saved_sets import GamesOfSets, SavedSet
from quintain.server.model.set_lists import code_of
from quintain.server.pages.cards.listed import shown_cards
from quintain.server.pages.cards.sets.choosing_sets import lacks_in_words
from quintain.server.pages.cards.tabs import SETS, frame_context
from quintain.server.pages.contexts import page_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.tables.live_table import LiveTable


@cache
def usual_choice(found: Game) -> SetChoice:
    """Return what a seat may choose from with the usual options; raises UnknownGame for a game without such sets."""
    sets = chosen_sets(found.collection)
    if sets is None:
        raise UnknownGame(f"in {found.title} players choose no sets")
    return sets.free(found.make_book(found.seats[2], found.read_options(found.seats[2], {})), 0)


def wrong_with(choice: SetChoice, names: Sequence[str]) -> str:
    """Return why a list cannot be the set of a seat, with the clause; empty if it can."""
    gone = [name for name in names if name not in choice.cards]
    lacks = lacks_in_words(choice, names)
    words = [*([f"not here: {', '.join(gone)}"] if gone else []), *([lacks] if lacks else [])]
    return f"{'; '.join(words)} ({choice.parts[0].clause})" if words else ""


def counted(choice: SetChoice, names: Sequence[str]) -> list[Context]:
    """Return how many cards of each group a set has, without the parts, which are counted anyway."""
    counts = []
    for group in choice.groups:
        number = sum(name in group.cards for name in names)
        is_part = any(group.many == part.many for part in choice.parts)
        if number and not is_part:
            words = group.words if number == 1 and not group.help else group.many
            counts.append({"number": number, "words": words})
    return counts


def saved_rows(saved: Sequence[SavedSet], choice: SetChoice, games: GamesOfSets) -> list[Context]:
    """Return saved sets as templates draw them, each with what is in it and wrong with it for this choice.

    `games` are the finished games with each set, by its id.
    """
    return [
        {
            "id": each.id,
            "name": each.name,
            "names": each.names,
            "json": json.encode(each.names).decode(),
            "wrong": wrong_with(choice, each.names),
            "code": code_of(each.name, each.names),
            "counted": counted(choice, each.names),
            "games": len(games.get(each.id, ())),
            "won": sum(game.own.result == WON for game in games.get(each.id, ())),
        }
        for each in saved
    ]


def sets_context(
    found: Game,
    visitor: Visitor,
    saved: Sequence[SavedSet],
    games: GamesOfSets,
) -> Context:
    """Return the values for the tab Sets, with the finished games of the visitor with each set, by its id."""
    choice = usual_choice(found)
    drawn = {each.name: each for each in shown_cards(found).values()}
    rows = saved_rows(saved, choice, games)
    for row, each in zip(rows, saved, strict=True):
        row["arms"] = next((drawn[name].arms for name in each.names if name in drawn), None)
        row["href"] = f"/cards/{found.id}/{SETS}/{each.id}"
    return {
        **frame_context(visitor, found, SETS, f"Sets for {found.title}"),
        "sets": rows,
        "parts": choice.parts,
        "draft": None,
        "said": "",
    }


def at_table_context(
    visitor: Visitor,
    live: LiveTable,
    decision: int,
    choice: SetChoice,
    saved: Sequence[SavedSet],
    games: GamesOfSets,
    said: str = "",
    typed: Context | None = None,
) -> Context:
    """Return the values for the saved sets at a table, and for the text that somebody `typed` there."""
    here = f"/tables/{live.id}"
    return {
        **page_context(visitor, "Your saved sets", f"{here}/sets"),
        "sets": saved_rows(saved, choice, games),
        "said": said,
        "table": {"href": here, "decision": decision, "game": live.table.row.game},
        "typed": typed,
        "taken": choice.taken,
    }


def sets_json(saved: Sequence[SavedSet], choice: SetChoice) -> Context:
    """Return saved sets for a program."""
    return {
        "sets": [
            {"id": each.id, "name": each.name, "cards": each.names, "wrong": wrong_with(choice, each.names) or None}
            for each in saved
        ]
    }
