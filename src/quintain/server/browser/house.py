"""Everything that the answers in the browser share: the tables, the templates, and who holds the device.

Several people may play on one device. At each table one of them holds it; when another one is asked, the page shows
nothing but whose turn it is, until they say that they have it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping

from quintain.engine.errors import BadOption
from quintain.engine.names import check_names
from quintain.server.browser.cards.deck_store import BrowserDecks
from quintain.server.browser.cards.set_store import BrowserSavedSets
from quintain.server.browser.keeping import BrowserStore
from quintain.server.browser.minds import BrowserMinds
from quintain.server.browser.study.kept_analyses import BrowserAnalyses
from quintain.server.browser.study.kept_puzzles import BrowserAnswers, BrowserParts, BrowserPuzzles
from quintain.server.browser.workshop.set_store import BrowserSets
from quintain.server.browser.workshop.trial_store import BrowserTrials
from quintain.server.model.entries import OVER, PLAYING
from quintain.server.model.levels import is_reserved
from quintain.server.model.listed import Learned
from quintain.server.model.seating import Person
from quintain.server.pages.contexts import page_context, table_context, table_facts
from quintain.server.pages.drawing import Drawing, Order
from quintain.server.pages.rendering import Context, environment
from quintain.server.people.players import Signer, Visitor
from quintain.server.slices import Slices
from quintain.server.study.judging import Judges
from quintain.server.study.own_puzzles import PuzzleStudy
from quintain.server.study.puzzle_judging import PuzzleJudging
from quintain.server.tables.foresight import NOTHING_FORESEEN, Previews
from quintain.server.tables.live_table import LiveTable, Viewing
from quintain.server.tables.lobby import Lobby
from quintain.server.tables.memory import Tables
from quintain.server.tables.replays import Replays
from quintain.server.workshop.bench import Bench
from quintain.server.workshop.trials import Trials

HAND_ON, HAND_ON_PART = "hand_on.html", "parts/hand_on.html"
"""The templates of the page that hides a table when somebody else is asked, and of the part that changes."""


class House:
    """The tables of a browser. `base_url` is the address of the site, without a slash at its end."""

    def __init__(self, store: BrowserStore, thinkers: BrowserMinds, base_url: str, asset: Callable[[str], str]):
        self.store, self.base_url = store, base_url
        self.templates = environment(is_alone=True, address=asset)
        self.decks, self.sets = BrowserDecks(store.keeper), BrowserSets(store.keeper)
        self.saved_sets = BrowserSavedSets(store.keeper)
        self.signer = Signer([secrets.token_hex(32)])
        self.drawing = Drawing(self.templates, self.signer, draws=self.draw)
        self.lobby = Lobby(self._no_lobby)
        self.tables = Tables(store, thinkers, self.drawing.show, self.lobby.tell)
        self.replays, self.analyses = Replays(), BrowserAnalyses(store)
        self.judges = Judges(self.analyses, thinkers, is_bounded=False)
        answers, own = BrowserAnswers(store.keeper), BrowserPuzzles(store.keeper)
        judging = PuzzleJudging(thinkers, BrowserParts(store.keeper))
        self.puzzles = PuzzleStudy(self.tables, answers, own, self._learned, judging)
        self.bench = Bench()
        self.trials = Trials(BrowserTrials(store.keeper), thinkers, is_bounded=False)
        self.foreseeing, self.looking_back = Slices(), Slices()
        self._tidying: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Go on with the tables at which a bot is due."""
        self._tidying = asyncio.create_task(self.tables.tidy())
        await self.tables.resume()

    @property
    def link_base(self) -> str:
        """What stands before a path in a link that leads here from elsewhere, also on a device without the site."""
        return f"{self.base_url}/index.html#"

    @staticmethod
    async def _no_lobby(_: object) -> dict[tuple[str, str], str]:
        return {}

    async def _learned(self, player: str) -> Mapping[str, Learned]:
        return self.store.learned(player)

    def visitor(self, player: str = "") -> Visitor:
        """Return a person as the visitor of pages: the one with an id, or whoever was last here."""
        settings = self.store.settings
        person = next((each for each in settings.people if each.id == (player or settings.here)), None)
        id_ = person.id if person else ""
        csrf = self.signer.csrf(id_)
        if person is None:
            return Visitor(id_, None, csrf, settings.theme, settings.confirms, quiet=True)
        return Visitor(id_, person.name, csrf, settings.theme, settings.confirms, number=person.number, quiet=True)

    async def named(self, name: str) -> Person:
        """Return the person with a name, who is here from now on; raises BadOption if it cannot be a name."""
        (name,) = check_names([" ".join(name.split())], 1)
        if is_reserved(name):
            raise BadOption(f"{name!r} looks like the name of a bot, or like a word of the log: choose another one")
        known = next((person for person in self.store.settings.people if person.name == name), None)
        person = known or await self.store.name_player(name)
        await self.store.set(here=person.id)
        return person

    def people_at(self, live: LiveTable) -> list[str]:
        """Return the ids of the people on this device who sit at a table, in the order of the seats."""
        known = {person.id for person in self.store.settings.people}
        return [seat.player for seat in live.table.seats if seat.player in known]

    def holder(self, live: LiveTable) -> str:
        """Return the id of whoever holds the device, if they sit at a table; else it is empty, as for spectators.

        A finished game hides nothing: there it is then the first person here who sat at the table.
        """
        people, here = self.people_at(live), self.store.settings.here
        return here if here in people else next(iter(people), "") if live.table.status == OVER else ""

    def awaited(self, live: LiveTable) -> str | None:
        """Return the id of the person to whom the device must be handed on; None if nobody else is asked."""
        people, holder = self.people_at(live), self.holder(live)
        if live.table.status != PLAYING or live.table.match is None:
            return None
        asked = [live.table.seats[seat].player for seat in sorted(live.table.match.to_act)]
        here = [player for player in asked if player in people]
        return None if not here or holder in here else here[0]

    async def hand_on(self, player: str) -> None:
        """Note that a person holds the device now."""
        await self.store.set(here=player)

    def at_table(self, live: LiveTable) -> Visitor:
        """Return the visitor of a table: whoever holds the device there. The others here are no further away."""
        holder = self.holder(live)
        live.elsewhere = {player for player in self.people_at(live) if player != holder}
        return self.visitor(holder)

    def context(
        self,
        live: LiveTable,
        chosen: str = "",
        previews: Previews = NOTHING_FORESEEN,
        remark: int | None = None,
        viewing: Viewing | None = None,
    ) -> Context:
        """Return the values for a table's page."""
        viewing = viewing or Viewing.of(live, self.at_table(live))
        shown = table_context(viewing, self.base_url, "", chosen=chosen, previews=previews, remark=remark)
        return {**shown, "reloads": False}

    def hand_on_context(self, live: LiveTable, player: str) -> Context:
        """Return the values for the page that hides the table until a person has the device; it shows no secret."""
        asked = self.visitor(player).name
        facts = {**table_facts(Viewing.of(live, self.visitor("nobody"))), "status": "waiting"}
        return {
            **page_context(self.visitor(), f"{asked} is asked", f"/tables/{live.id}"),
            "table": facts,
            "asked": asked,
        }

    def draw(self, live: LiveTable, order: Order) -> str:
        """Return the part of a table's page that changes, for whoever holds the device."""
        if (player := self.awaited(live)) is not None:
            return self.templates.render_template(HAND_ON_PART, **self.hand_on_context(live, player))
        viewing = Viewing.of(live, order.visitor)
        return self.templates.render_template("table_body.html", **table_context(viewing, self.base_url, ""))

    async def previews(self, live: LiveTable, viewing: Viewing, chosen: str = "") -> Previews:
        """Return the previews that a page shows at once; none for a spectator, or before play has begun."""
        if viewing.seen is None or viewing.you is None or live.table.lesson_progress():
            return NOTHING_FORESEEN
        found = await live.foresight.of(self.foreseeing, viewing.seen, chosen)
        await live.settled()
        return found
