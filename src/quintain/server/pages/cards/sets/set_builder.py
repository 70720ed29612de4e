"""The values for the builder of a set: its cards to touch, what is missing, and what it adds up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from quintain.engine.errors import BadOption
from quintain.engine.rules.collection import SetChoice
from quintain.engine.rules.game import Game
from quintain.server.model.saved_sets import SavedSet
from quintain.server.model.set_lists import MOST_NAME, code_of, why_full
from quintain.server.pages.cards.deck_pages import refusal, saved_words
from quintain.server.pages.cards.listed import Listed, shown_cards
from quintain.server.pages.cards.sets.choosing_sets import lacks_in_words, part_context
from quintain.server.pages.cards.sets.saved_sets import counted, usual_choice, wrong_with
from quintain.server.pages.cards.sets.set_filters import SetFilters, number_of, read_set_filters
from quintain.server.pages.cards.tabs import SETS, frame_context
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor

STRONG, WEAK = 1.06, 0.94
"""Times the average of a number: from there on a set is strong in it, or weak. `set.js` has the same."""
BAR = 62
"""Per cent of a bar at which the average stands."""
INSTEAD = "instead"
"""The field of an address that asks in whose place a card comes into a set that is full."""


def set_href(saved: SavedSet) -> str:
    """Return the address of a saved set."""
    return f"/cards/{saved.game}/{SETS}/{saved.id}"


def set_page(
    found: Game,
    visitor: Visitor,
    saved: SavedSet,
    did: Context,
    query: Mapping[str, str],
    groups: Iterable[str],
    base_url: str,
    mine: Sequence[SavedSet] = (),
) -> Context:
    """Return the values for the builder of a set, with how it did, and with all sets of its player.

    Raises BadOption for filters that there are not.
    """
    choice, href = usual_choice(found), set_href(saved)
    filters, names = read_set_filters(choice, query, groups), saved.names
    shared = f"/cards/{found.id}/{SETS}/shared/{code_of(saved.name, names)}"
    return {
        **frame_context(visitor, found, SETS, f"{saved.name}, a set for {found.title}"),
        **set_summary(found, choice, names),
        **_rows(found, choice, names, filters, href, query.get(INSTEAD, "")),
        "own": {"id": saved.id, "name": saved.name, "text": "\n".join(names)},
        "others": _others(found, choice, [one for one in mine if one.id != saved.id]),
        "href": href,
        "sets_url": f"/cards/{found.id}/{SETS}",
        "rules_url": f"/rules/{found.id}",
        "saved": saved_words(saved.changed),
        "most_name": MOST_NAME,
        "filters": filters.context(found, choice, names, href),
        "query": filters.query(),
        "did": did,
        "share_url": f"{base_url}{shared}",
        "share_href": shared,
        "said": None,
        "wrong": None,
    }


def _others(found: Game, choice: SetChoice, sets: Sequence[SavedSet]) -> list[Context]:
    """Return other sets of a player, each with its arms, its address, and what is in it or missing."""
    drawn = {each.name: each for each in shown_cards(found).values()}
    return [
        {
            "name": one.name,
            "href": set_href(one),
            "arms": next((drawn[name].arms for name in one.names if name in drawn), None),
            "words": wrong_with(choice, one.names)
            or ", ".join(f"{each['number']} {each['words']}" for each in counted(choice, one.names)),
        }
        for one in sets
    ]


def set_summary(found: Game, choice: SetChoice, names: Sequence[str]) -> Context:
    """Return what pages say of a set: whether it is whole, its counts, its arms, its sums, and what it is strong in."""
    drawn = {each.name: each for each in shown_cards(found).values()}
    there = [drawn[name] for name in names if name in choice.cards]
    wrong = wrong_with(choice, names)
    held = [sum(choice.cards.get(name) == number for name in names) for number in range(len(choice.parts))]
    sums = _sums(choice, there)
    return {
        "is_whole": not wrong,
        "is_empty": not names,
        "lacks": lacks_in_words(choice, names),
        "fault": refusal(BadOption(wrong)) if wrong else None,
        "parts": [part_context(choice, number) | {"taken": taken} for number, taken in enumerate(held)],
        "shields": there,
        "gaps": sum(max(0, part.needed - taken) for part, taken in zip(choice.parts, held, strict=True)),
        "gone": [name for name in names if name not in choice.cards],
        "sums": sums,
        "advice": _advice(sums) if not wrong else "",
        "counted": counted(choice, names),
    }


def _sums(choice: SetChoice, cards: Sequence[Listed]) -> list[Context]:
    """Return what the cards add up to in each number, with the width of its bar in per cent."""
    found = []
    for stat in choice.average:
        total = sum(max(0, number_of(each, stat.key)) for each in cards)
        share = total / max(1, stat.number)
        told = {"key": stat.key, "words": stat.words, "sum": total, "average": stat.number, "share": share}
        found.append({**told, "width": round(min(100, BAR * share), 1)})
    return found


def _advice(sums: Sequence[Context]) -> str:
    """Return in a sentence in what a whole set is strong and weak, against an average one."""
    strong = [str(each["words"]) for each in sums if each["share"] >= STRONG]
    weak = [str(each["words"]) for each in sums if each["share"] <= WEAK]
    words = [f"strong in {_listed(strong)}"] if strong else []
    words += [f"under an average set in {_listed(weak)}"] if weak else []
    told = ", ".join(words) or "like an average set in everything"
    return f"{told[0].upper()}{told[1:]}."


def _listed(words: Sequence[str]) -> str:
    """Join words to a list.

    >>> _listed(["Agility", "Strength", "Endurance"])
    'Agility, Strength and Endurance'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _rows(
    found: Game, choice: SetChoice, names: Sequence[str], filters: SetFilters, href: str, instead: str
) -> Context:
    """Return the cards that the filters leave; or, if one is to come into a full set, those in whose place it can."""
    drawn = {each.name: each for each in shown_cards(found).values()}
    if instead in choice.cards and instead not in names and why_full(choice, names, instead):
        part = choice.parts[choice.cards[instead]]
        held = [drawn[name] for name in names if choice.cards.get(name) == choice.cards[instead]]
        asked = {"name": instead, "many": part.many, "needed": part.needed, "href": f"{href}{filters.query()}"}
        return {"instead": asked, "cards": [{"card": each, "is_taken": True, "full": None} for each in held]}
    left = filters.leave(found, choice, names)
    return {"instead": None, "cards": [_row(choice, names, filters, href, each) for each in left]}


def _row(choice: SetChoice, names: Sequence[str], filters: SetFilters, href: str, each: Listed) -> Context:
    is_taken = each.name in names
    why = "" if is_taken else why_full(choice, names, each.name)
    full = {"why": why, "href": f"{href}{filters.query(**{INSTEAD: each.name})}#cards"} if why else None
    return {"card": each, "is_taken": is_taken, "full": full}


def set_json(found: Game, saved: SavedSet) -> Context:
    """Return a saved set for programs: its cards, what is wrong with it, and what it adds up to."""
    told = set_summary(found, usual_choice(found), saved.names)
    return {
        "id": saved.id,
        "game": saved.game,
        "name": saved.name,
        "cards": saved.names,
        "wrong": wrong_with(usual_choice(found), saved.names) or None,
        "sums": {each["key"]: each["sum"] for each in told["sums"]},
    }
