"""Where the Python of a page begins: it opens the house over what JavaScript gives it, and answers its requests.

`files/house.js` calls `start` in the worker of the tables, and `files/bots.js` calls `minds.answered` in that of the
bots. JavaScript hands over functions, texts and bytes, and nothing else.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping

from quintain.server.browser.added import register_added
from quintain.server.browser.asking import PageAnswer, PageRequest, readdressed
from quintain.server.browser.house import House
from quintain.server.browser.keeping import BrowserStore, Keeping
from quintain.server.browser.minds import Asking, BrowserMinds
from quintain.server.browser.routes import answered, watch


class Start:
    """The Python of a page that has started. `folder` is where the site lies on its host, such as "/quintain"."""

    def __init__(self, house: House, folder: str):
        self.house, self.folder = house, folder
        self._watching: dict[str, asyncio.Task[None]] = {}

    async def answer(self, method: str, address: str, headers: str, body: str) -> str:
        """Return the answer to a request as JSON: its status, headers and text."""
        given: Mapping[str, str] = json.loads(headers)
        asked = PageRequest.of(method, address.removeprefix(self.folder), given, body.encode())
        found: PageAnswer = await answered(self.house, asked)
        more = {name: self._placed(name, value) for name, value in found.headers.items()}
        text = readdressed(found.text, self.folder)
        return json.dumps({"status": found.status, "headers": {"content-type": found.kind, **more}, "text": text})

    def _placed(self, name: str, value: str) -> str:
        return self.folder + value if name == "location" else value

    def connect(
        self, key: str, path: str, send: Callable[[str], None], close: Callable[[], None] = lambda: None
    ) -> None:
        """Open a socket: send the page at a path whenever it changes, and close the socket when there is no more."""

        def placed(html: str) -> None:
            send(readdressed(html, self.folder))

        def over(task: asyncio.Task[None]) -> None:
            self._watching.pop(key, None)
            if not task.cancelled() and task.exception() is None:
                close()

        task = self._watching[key] = asyncio.create_task(watch(self.house, path.removeprefix(self.folder), placed))
        task.add_done_callback(over)

    def disconnect(self, key: str) -> None:
        """Close a socket."""
        if task := self._watching.pop(key, None):
            task.cancel()


async def start(keeper: Keeping, ask: Asking, base_url: str, folder: str, assets: str) -> Start:
    """Open the house. `assets` maps static files to parts of their hashes, as JSON."""
    register_added()
    versions: Mapping[str, str] = json.loads(assets)
    house = House(
        await BrowserStore.open(keeper),
        BrowserMinds(ask),
        base_url,
        lambda path: f"/static/{path}?v={versions[path]}",
    )
    await house.open()
    return Start(house, folder)
