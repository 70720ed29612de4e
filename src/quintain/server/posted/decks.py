"""What is posted about decks of one's own, and what is done with it, whatever keeps the decks."""

from __future__ import annotations

from collections.abc import Callable

from quintain.engine.errors import BadDeck
from quintain.engine.rules.game import Game
from quintain.server.model.deck_lists import changed_list, deck_name, decks_of, kept_list, read_code
from quintain.server.model.own_decks import KeptDecks, OwnDeck
from quintain.server.pages.cards.deck_pages import ready_made
from quintain.server.pages.cards.tabs import game_with_cards
from quintain.server.posted.posts import Named
from quintain.server.refused import Refused

TRIES = 20
"""How often a change is tried if the deck changes at the same time."""
MOST_ID = 40
"""Characters of the id of a deck."""
NEW = "My deck"


class NewDeck(Named, kw_only=True):
    """A new deck: a copy of a `ready` made one, of a `deck` of yours by its id, or of a shared one by its `code`.

    Without any of them it begins with nothing. `title` is its name.
    """

    ready: str = ""
    deck: str = ""
    code: str = ""
    title: str = ""

    async def begin(self, decks: KeptDecks, number: int, found: Game) -> str:
        """Begin a deck of a player's own: a copy of another, or with nothing. Return its id."""
        title, text, began = await self._copied(decks, number, found)
        return await decks.add(number, found.id, deck_name(self.title) if self.title else title, text, began)

    async def _copied(self, decks: KeptDecks, number: int, found: Game) -> tuple[str, str, str]:
        """Return the name and the list of a new deck, and what it was copied from."""
        if self.ready:
            ready = next((each for each in ready_made(found) if each["name"] == self.ready), None)
            if ready is None:
                raise BadDeck(
                    f"there is no ready-made deck of this name; there are {', '.join(decks_of(found).ready_made)}"
                )
            return f"My {str(ready['title']).removeprefix('The ')}", str(ready["list"]), str(ready["title"])
        if self.deck:
            own = await own_deck(decks, number, found, self.deck)
            return deck_name(f"{own.name[:33]}, again"), own.text, own.name
        if self.code:
            name, text = read_code(self.code)
            return name, kept_list(found, text), name
        return NEW, kept_list(found, ""), ""


class CardTouch(Named, kw_only=True):
    """One card `more`, or one `less`, by its name; `times` says how many copies."""

    more: str = ""
    less: str = ""
    times: int = 1

    async def do(self, decks: KeptDecks, number: int | None, found: Game, id_: str) -> str:
        """Put copies of a card into a deck, or take some out, and return the card; raises BadDeck and Refused."""
        card, by = self.more or self.less, self.times if self.more else -self.times
        if not 1 <= self.times <= max(place.most for place in decks_of(found).places("").values()):
            raise Refused(422, "times says how many copies: a whole number from 1 on, and no more than a deck can have")
        await _write(decks, number, found, id_, lambda own: changed_list(found, own.text, card, by))
        return card


class AsText(Named, kw_only=True):
    """The whole deck as text."""

    text: str

    async def do(self, decks: KeptDecks, number: int | None, found: Game, id_: str) -> None:
        """Take the text in as the whole list of a deck; it may be unfinished. Raises BadDeck and Refused."""
        await _write(decks, number, found, id_, lambda _: kept_list(found, self.text))


class Title(Named, kw_only=True):
    """The name of a deck."""

    title: str


def deck_game(game_id: str) -> Game:
    """Return a game whose players bring decks; raises UnknownGame."""
    found = game_with_cards(game_id)
    decks_of(found)
    return found


async def own_deck(decks: KeptDecks, number: int | None, found: Game, id_: str) -> OwnDeck:
    """Return a deck of a player's own for a game; raises Refused if there is none."""
    own = await decks.find(number or 0, id_[:MOST_ID])
    if own.game != found.id:
        raise Refused(404, f"this is no deck for {found.title}")
    return own


async def _write(
    decks: KeptDecks, number: int | None, found: Game, id_: str, changed: Callable[[OwnDeck], str]
) -> None:
    """Keep a changed list; if the deck has changed meanwhile, the change is made anew. Raises BadDeck and Refused."""
    for _ in range(TRIES):
        own = await own_deck(decks, number, found, id_)
        text = changed(own)
        if text == own.text or await decks.write(own, text):
            return
    raise Refused(503, "this deck changes all the time: wait a moment")
