"""What is posted about sets of one's own, and what is done with it, whatever keeps the sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from msgspec import Meta, field

from quintain.engine.errors import BadCards, BadOption
from quintain.engine.rules.game import Game
from quintain.server.model.own_sets import KeptSets, OwnSet, SharedSet
from quintain.server.pages.brought.played_sets import SET, asked_version, begun_form, played_set
from quintain.server.pages.cards.tabs import game_with_cards
from quintain.server.pages.cards.workshop_pages import set_context, workshop_context
from quintain.server.pages.forms import OPTION
from quintain.server.pages.rendering import Context
from quintain.server.people.players import Visitor
from quintain.server.posted.posts import Named
from quintain.server.posted.trialed import trial_of_set, trialed_set, version_results
from quintain.server.refused import Refused
from quintain.server.tables.reading import TextReader
from quintain.server.turns import Asker
from quintain.server.workshop.bench import Bench
from quintain.server.workshop.changes import changed, with_fields
from quintain.server.workshop.drafts import base_draft, first_draft, first_fault, parts_of
from quintain.server.workshop.names import MOST_NAME, set_name
from quintain.server.workshop.set_options import head_with, read_head, with_options
from quintain.server.workshop.subjects import set_key
from quintain.server.workshop.trials import Trials

MOST_ID = 64
"""Characters of the id of a set."""
MOVED = "this set was changed meanwhile, in another window: this is how it is now"
NO_CHANGE = {-1: "there is no change to take back", 1: "there is no change that was taken back"}


class NewSet(Named, kw_only=True):
    """A new set: it begins with the `base` set, with `one` card, with a `text`, or with a version that is `shared`."""

    begin: str = "base"
    text: str = ""
    token: str = ""
    title: str = ""


class SetForm(Named, kw_only=True):
    """A form of a set: `change` says which state of the set it shows, and `do` which of its buttons was pressed."""

    change: int = -1
    do: str = ""
    title: str = ""
    version: str = ""


class DraftChange(Named, kw_only=True):
    """A change of a draft whose last `change` you know: `fields` of its cards, `options` of the game, a button `do`.

    Fields are named by the number of the card, such as "3.influence"; those that you leave out stay as they are.
    """

    change: int = -1
    do: str = ""
    fields: Annotated[Any, Meta(extra_json_schema={"type": "object"})] = field(default_factory=dict)
    options: Annotated[Any, Meta(extra_json_schema={"type": "object"})] = field(default_factory=dict)


class Workshop(NamedTuple):
    """The workshop as one player uses it: their sets, the bench on which they are worked, and the bots that try them.

    `number` is None for a visitor without a name.
    """

    sets: KeptSets
    bench: Bench
    reader: TextReader
    trials: Trials
    asker: Asker
    number: int | None

    async def own(self, found: Game, id_: str) -> OwnSet:
        """Return a set of the player's own for a game; raises Refused if there is none."""
        return await own_set(self.sets, self.number, found, id_)

    async def shared(self, found: Game, token: str) -> SharedSet:
        """Return a version of a set for a game that a link shares; raises Refused if there is none."""
        shared = await self.sets.shared(token)
        if shared.game != found.id:
            raise Refused(404, f"this is no set for {found.title}")
        return shared

    async def begin(self, found: Game, given: NewSet) -> str:
        """Begin a set, and return its id; raises BadCards, with its line, if none can be read."""
        title, text = await self._begun(found, given)
        fault = await self.bench.work(self.asker, first_fault, found, text)
        name = set_name(given.title) if given.title.strip() else title
        return await self.sets.add(self.number or 0, found.id, name, text, fault is None)

    async def _begun(self, found: Game, given: NewSet) -> tuple[str, str]:
        """Return the name and the text of a new set; raises BadCards, with its line, if none can be read."""
        if given.begin == "shared":
            shared = await self.shared(found, given.token)
            return shared.name, shared.text
        if given.begin == "text":
            if not given.text.strip():
                raise BadCards("there is nothing to read: paste a set, or choose a file")
            read = await self.reader.read_set(self.asker, found, given.text)
            options = await self.bench.work(self.asker, read_head, found, given.text)
            return f"My {found.title}"[:MOST_NAME], head_with(found, options) + read
        if given.begin not in ("base", "one"):
            raise BadOption("a set begins with the base set, with one card, with a text, or as a copy")
        begun = base_draft if given.begin == "base" else first_draft
        return f"My {found.title}"[:MOST_NAME], await self.bench.work(self.asker, begun, found)

    async def change(self, found: Game, own: OwnSet, given: DraftChange, posted: Mapping[str, object]) -> int | None:
        """Change a draft as a form or JSON says; return the number of the card to show next, if it is another one.

        `posted` has all that was posted. Raises QuintainError if that cannot be.
        """
        if given.change != own.change:
            raise Refused(409, MOVED)
        fields = {name: value for name, value in posted.items() if isinstance(value, str)}
        if some := _texts(given.fields, "fields"):
            fields |= await self.bench.work(self.asker, with_fields, found, own.draft, some)
        text, card = await self.bench.work(self.asker, changed, found, own.draft, fields, given.do)
        if options := _texts(given.options, "options"):
            text = await self.bench.work(self.asker, with_options, found, text, options)
        await self._write(found, own, text)
        return card

    async def change_options(self, found: Game, own: OwnSet, given: SetForm, posted: Mapping[str, object]) -> None:
        """Change with which options of the game a set is played; raises QuintainError if that cannot be."""
        chosen = {name.removeprefix(OPTION): value for name, value in posted.items() if name.startswith(OPTION)}
        if given.change != own.change:
            raise Refused(409, MOVED)
        await self._write(found, own, await self.bench.work(self.asker, with_options, found, own.draft, chosen))

    async def _write(self, found: Game, own: OwnSet, text: str) -> None:
        """Keep a changed draft; raises Refused if the set has changed meanwhile."""
        if text != own.draft:
            is_valid = await self.bench.work(self.asker, first_fault, found, text) is None
            if not await self.sets.write(own, text, is_valid):
                raise Refused(409, MOVED)

    async def go(self, found: Game, own: OwnSet, by: int) -> None:
        """Take the last change back if `by` is -1, or make it again if it is 1; raises Refused if there is none."""
        draft = await self.sets.draft_at(own, by)
        if draft is None:
            raise Refused(409, NO_CHANGE[by])
        is_valid = await self.bench.work(self.asker, first_fault, found, draft) is None
        if not await self.sets.go(own, by, draft, is_valid):
            raise Refused(409, MOVED)

    async def save(self, found: Game, own: OwnSet, text: str | None = None) -> None:
        """Save the draft, or the text of an old version, as the next version, which is the draft then.

        Raises Refused if it is faulty, or the last version already.
        """
        versions, text = await self.sets.versions(own), own.draft if text is None else text
        fault = await self.bench.work(self.asker, first_fault, found, text)
        if fault:
            raise Refused(422, f"not saved: {fault.fault.words} ({fault.fault.clause})")
        if versions and versions[0].text == text == own.draft:
            raise Refused(409, "nothing has changed since the last version")
        if not await self.sets.save(own, text):
            raise Refused(409, MOVED)

    async def delete(self, own: OwnSet) -> None:
        """Delete a set for good, with its trials."""
        await self.sets.delete(own)
        await self.trials.forget(set_key(own.id))

    async def after_change(self, found: Game, own: OwnSet) -> OwnSet:
        """Return a set as it now is. The trial of what it was before stops, and bots get ready for the next one."""
        own = await self.own(found, own.id)
        subject = await trial_of_set(self.trials, found, own, await self.sets.versions(own))
        await self.trials.stop_about(subject.key, subject.id)
        self.trials.get_ready(subject, own.number)
        return own

    async def list_context(self, found: Game, visitor: Visitor) -> Context:
        """Return the values for the list of the player's sets."""
        return await self.bench.work(self.asker, workshop_context, found, visitor, await self._mine(found))

    async def refused_context(self, found: Game, visitor: Visitor, given: NewSet, wrong: str) -> Context:
        """Return the values for the list of the player's sets, with a text that could not be read, and why."""
        brought = {"text": given.text, "title": given.title[:MOST_NAME], "wrong": wrong}
        return await self.bench.work(self.asker, workshop_context, found, visitor, await self._mine(found), brought)

    async def _mine(self, found: Game) -> list[OwnSet]:
        return await self.sets.of_player(self.number, found.id) if self.number else []

    async def set_context(
        self, found: Game, visitor: Visitor, own: OwnSet, query: Mapping[str, str], base_url: str, said: str = ""
    ) -> Context:
        """Return the values for the page of a set; `said` is why the last change was refused."""
        versions = await self.sets.versions(own)
        trialed = await trialed_set(self.trials, found, own, versions)
        results = await version_results(self.trials, self.bench, self.asker, found, own, versions)
        return await self.bench.work(
            self.asker, set_context, found, visitor, own, versions, query, base_url, said, trialed, results
        )


def set_game(game_id: str) -> Game:
    """Return a game that takes own sets; raises UnknownGame."""
    found = game_with_cards(game_id)
    parts_of(found)
    return found


async def own_set(sets: KeptSets, number: int | None, found: Game, id_: str) -> OwnSet:
    """Return a set of a player's own for a game; raises Refused if there is none."""
    own = await sets.find(number or 0, id_[:MOST_ID])
    if own.game != found.id:
        raise Refused(404, f"this is no set for {found.title}")
    return own


def query_after(query: Mapping[str, str], card: int | None) -> dict[str, str]:
    """Return the filters of a page after a change: without any if another card is to be shown."""
    shown = {} if card is None else {"card": str(card), "kind": "", "changed": "", "off": ""}
    return {**query, **shown}


def file_headers(name: str) -> dict[str, str]:
    """Return the headers of the file of a set with a name."""
    named = quote(f"{name}.toml", safe="")
    return {"content-disposition": f"attachment; filename=\"set.toml\"; filename*=UTF-8''{named}"}


async def with_own_set(
    sets: KeptSets, number: int | None, found: Game, given: Mapping[str, object]
) -> tuple[Context, Mapping[str, object]]:
    """Return what a form for a new table says of a set of the workshop, and what it begins with.

    Both are empty if it is about none. Raises Refused for a set that the player does not have, or for none of the game.
    """
    id_ = given.get(SET)
    if not isinstance(id_, str) or not id_:
        return {}, {}
    own = await own_set(sets, number, found, id_)
    versions, version = await sets.versions(own), asked_version(given)
    return {"played_set": played_set(own, versions, version)}, begun_form(found, own, versions, version)


def _texts(given: object, what: str) -> dict[str, str]:
    """Return the fields or options in JSON as a form posts them; raises Refused if they are none."""
    if not isinstance(given, dict) or not all(isinstance(value, str | int) for value in given.values()):
        raise Refused(400, f"{what} must be an object with names and values, which are texts, numbers, true or false")
    words = {True: "on", False: "off" if what == "options" else ""}
    return {str(name): words[value] if isinstance(value, bool) else str(value) for name, value in given.items()}
