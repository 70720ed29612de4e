"""What is posted about sets of cards that players save, and what is done with it, whatever keeps the sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from quintain.engine.rules.collection import SetChoice
from quintain.engine.rules.game import Game
from quintain.engine.seen.seen import Seen
from quintain.engine.seen.sets import CHOSEN, REST, set_choice, set_moves
from quintain.server.model.saved_sets import KeptSavedSets, SavedSet
from quintain.server.model.set_lists import MOST_NAME, changed_set, dealt_set, read_list, read_list_here, set_name
from quintain.server.pages.cards.sets.choosing_sets import lacks_in_words
from quintain.server.pages.cards.sets.saved_sets import usual_choice
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.fields import NeedsName
from quintain.server.posted.posts import ChoosingSet, Named
from quintain.server.refused import Refused
from quintain.server.tables.live_table import LiveTable, Viewing

NEW = "My set"
MOST_ID = 40
"""Characters of the id of a set."""
TRIES = 20
"""How often a change is tried if the set changes at the same time."""
Changed = Callable[[Sequence[str]], Sequence[str]]
"""Returns the names of the cards of a set after a change; raises BadOption if it cannot be made."""


class SavingSet(Named, kw_only=True):
    """Save a set under a name: its cards by their names, one a line."""

    title: str
    text: str

    async def save(self, sets: KeptSavedSets, live: LiveTable, visitor: Visitor) -> None:
        """Save the whole set that somebody has chosen at a table; raises BadOption and Refused."""
        seen, choice = asked_for_set(live, visitor)
        name, cards = set_name(self.title), read_list(choice, self.text)
        set_moves(seen, choice, cards, CHOSEN)
        await sets.add(visitor.number or 0, live.table.row.game, name, "\n".join(cards))


class BeginningSet(Named, kw_only=True):
    """A new set: the cards of a `text`, one a line, whole or not; or a copy of a `set` of yours, by its id.

    Without either it `begins` with nothing, or is dealt. `title` is its name.
    """

    title: str = ""
    text: str = ""
    set: str = ""
    begins: Literal["", "nothing", "dealt"] = ""

    async def begin(self, sets: KeptSavedSets, number: int, found: Game) -> str:
        """Keep a new set of a player, and return its id; raises BadOption and Refused."""
        name, cards = await self._begun(sets, number, found)
        return await sets.add(number, found.id, name, "\n".join(cards))

    async def _begun(self, sets: KeptSavedSets, number: int, found: Game) -> tuple[str, Sequence[str]]:
        """Return the name and the cards of the new set."""
        choice = usual_choice(found)
        if self.set:
            saved = await saved_set(sets, number, found, self.set)
            return set_name(self.title or f"{saved.name[: MOST_NAME - 7]}, again"), saved.names
        if self.begins:
            cards = dealt_set(choice, ()) if self.begins == "dealt" else ()
            return set_name(self.title or NEW), cards
        return set_name(self.title), read_list(choice, self.text)


class SetTouch(Named, kw_only=True):
    """Take a card into a set, put one `back`, or both, which puts one card in the place of another."""

    take: str = ""
    back: str = ""

    def change(self, found: Game) -> Changed:
        """Return the change that is meant; raises Refused if no card is named."""
        if not self.take and not self.back:
            raise Refused(422, "name a card to take, or one to put back")
        return lambda names: changed_set(usual_choice(found), names, self.take, self.back)


class SetText(Named, kw_only=True):
    """The whole list of a set as text: one card a line."""

    text: str

    def change(self, found: Game) -> Changed:
        """Return the change to this list, which may be unfinished."""
        return lambda _: read_list(usual_choice(found), self.text)

    def read(self, choice: SetChoice) -> tuple[Sequence[str], str]:
        """Return the cards of the text as the game at a table writes them, and in words which are missing.

        Raises BadOption, which names the wrong line.
        """
        cards = read_list_here(choice, self.text)
        return cards, lacks_in_words(choice, cards)

    def at_table(self, seen: Seen, choice: SetChoice) -> Context:
        """Return the values of a page that shows what was read; raises BadOption if it cannot be taken at the table."""
        cards, lacks = self.read(choice)
        set_moves(seen, choice, [name for name in cards if name not in choice.taken], REST if lacks else CHOSEN)
        return {"text": self.text, "names": cards, "lacks": lacks}


class SetTitle(Named, kw_only=True):
    """The name of a set."""

    title: str


def dealt(found: Game) -> Changed:
    """Return the change that deals the cards of which a set has too few."""
    return lambda names: dealt_set(usual_choice(found), names)


async def saved_set(sets: KeptSavedSets, number: int | None, found: Game, id_: str) -> SavedSet:
    """Return a set of a player's own for a game whose players choose sets; raises Refused and UnknownGame."""
    usual_choice(found)
    return await sets.find(number or 0, found.id, id_[:MOST_ID])


async def change_set(sets: KeptSavedSets, number: int | None, found: Game, id_: str, changed: Changed) -> SavedSet:
    """Keep a changed list; if the set has changed meanwhile, the change is made anew. Raises BadOption and Refused."""
    for _ in range(TRIES):
        saved = await saved_set(sets, number, found, id_)
        cards = "\n".join(changed(saved.names))
        if cards == saved.cards or await sets.write(saved, cards):
            return await saved_set(sets, number, found, id_)
    raise Refused(503, "this set changes all the time: wait a moment")


def asked_for_set(live: LiveTable, visitor: Visitor) -> tuple[Seen, SetChoice]:
    """Return what a visitor sees of a table, and may choose a set from; raises Refused if nobody asks them for one."""
    live.table.check_here()
    seen = Viewing.of(live, visitor).seen
    choice = set_choice(seen) if seen else None
    if seen is None or choice is None:
        raise Refused(409, "nobody asks you for a set at this table now")
    if visitor.number is None:
        raise NeedsName
    return seen, choice


def named_whole(live: LiveTable, visitor: Visitor, given: ChoosingSet) -> Sequence[str]:
    """Return the cards of a set that is named whole, as the game writes them; none if cards are dealt or kept."""
    seen = Viewing.of(live, visitor).seen
    choice = set_choice(seen) if seen and given.way == CHOSEN else None
    if choice is None:
        return ()
    known = {name.casefold(): name for name in choice.cards}
    return (*choice.taken, *(known.get(" ".join(name.split()).casefold(), name) for name in given.cards))
