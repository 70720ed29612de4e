"""Helpers for tests in Chromium: pages opened without a server, and people who play on a server by mouse or keyboard.

`test_looks.py` and `tools/screenshots.py` open rendered pages; `test_browser.py` lets people play.
"""

import contextlib
import mimetypes
import random
import sys
import threading
from collections.abc import Sequence
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from quintain.server.pages.rendering import STATIC
from server.guests import PATIENCE, Guest, is_over

with contextlib.suppress(ImportError):
    from playwright.sync_api import Error as PlaywrightError
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

CHROMIUM = Path("/usr/bin/chromium")
POLICY = {"Content-Security-Policy": "default-src 'self'"}
WHY = "<p>Not now: it is not in your hand.</p>"
ANSWER = "#moves :is(button[name=action], a.piece.lit):visible"
"""What a person can touch first: a button that answers, or a piece that can be chosen."""
NEXT = "#moves :is(.group:not(.free) .act, .piece.target):visible"
"""What they can touch once they have chosen a piece."""
DEAL, READY, CHOICE = "#acts [data-way=rest]", "#acts [data-way=chosen]", "[data-set-choice]"
"""Where a whole set of cards is chosen: the button that deals it, the one that plays it, and all of the choice."""
TABLE = "#table-body[data-turn]"
DECISION = """() => [
  document.querySelector("#table-body").dataset.turn,
  document.querySelector("#moves > [name=decision]")?.value,
  [...document.querySelectorAll("#moves button[name=action]")].map((each) => each.value),
  document.querySelector("button[form=undo], [data-set-choice]") !== null,
]"""
"""What a page asks, all from one page: whose turn it is, the decision, its actions, whether there is another way.

That is to take the last move back, or to choose a whole set of cards."""
STATE = """() => ({
  ...document.querySelector("#table-body").dataset,
  shown: [...document.querySelectorAll("#link, #question, #notice, #log")].map((each) => each.innerText),
  focus: document.activeElement.outerHTML.slice(0, 300),
})"""
"""What a page shows that waits in vain: for the message of a test that fails."""
ASKED, RESULT, TAKE_BACK = "#table-body[data-turn=yes]", "#result", "button[form=undo]"
CUT_OFF = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_",
    "ERR_CONTENT_LENGTH_MISMATCH",
    "ERR_EMPTY_RESPONSE",
    "Failed to fetch",
    "htmx:ws:error",
)
"""Messages of a browser without a network or a server; tests that cut it off expect them."""
LEFT_EARLY = "WebSocket is closed before the connection is established"
WORDS = """(place) => {
  const pills = [...place.querySelectorAll(".preview")];
  for (const pill of pills) pill.hidden = true;
  const words = place.innerText;
  for (const pill of pills) pill.hidden = false;
  return words;
}"""
"""The text of an element without previews, which a script adds when it has fetched them."""
MOST_TABS, MOST_ROUNDS, MOST_TRIES = 100, 2000, 5
SHORTLY = 10000
"""Milliseconds after which a touch of something that is no longer there is given up."""
HURRY = (
    "const usual = setTimeout; window.setTimeout = (act, time, ...more) => usual(act, time > 1000 ? time : 0, ...more)"
)
"""A script that shortens the pauses between events, so that games in tests take no longer than their moves."""


class Answer(BaseHTTPRequestHandler):
    """Answers a browser that shows a rendered page: with the page, a reason, or a static file, which it may keep."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path.startswith("/static/") and not (STATIC / path.removeprefix("/static/")).is_file():
            self.send_error(404)
        elif path.startswith("/static/"):
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            self._answer(static(path.removeprefix("/static/")), kind, {"Cache-Control": "max-age=86400, immutable"})
        elif query.startswith("why="):
            self._answer(WHY.encode(), "text/html", {})
        else:
            shown = site().shown[self.headers["Host"].partition(".")[0]]
            self._answer(shown.html.encode(), "text/html; charset=utf-8", POLICY)

    do_POST = do_GET  # noqa: N815

    def _answer(self, body: bytes, kind: str, headers: dict[str, str]) -> None:
        self.send_response(200)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Site(ThreadingHTTPServer):
    """Serves rendered pages to browsers of this process, and static files, which a browser's page fetches once.

    If a test's routes answered, the browser would keep nothing, and a page would take twice as long.
    """

    daemon_threads = True
    request_queue_size = 100

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.shown: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self.numbers = count(1)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *where: Any) -> None:
        """Say nothing of browsers that hang up when they leave a page."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*where)

    def address(self, page: Any) -> str:
        """Return an address of its own for a browser's page; under it the site shows the `html` of the page."""
        name = f"page{next(self.numbers)}"
        self.shown[name] = page
        return f"http://{name}.localhost:{self.server_port}/tables/k7f3"


@cache
def site() -> Site:
    return Site()


@cache
def static(path: str) -> bytes:
    return (STATIC / path).read_bytes()


idle: dict[bool, list[Any]] = {False: [], True: []}
"""The pages that tests have closed, by whether they are touched; the next ones get them, in a seventh of the time."""


def opened(browser: Any, html: str, width: int = 1280, height: int = 800, touch: bool = False) -> Any:
    """Open a rendered page in a browser, and return the browser's page; its `complaints` gather errors and warnings.

    Every address but those of static files, and of reasons, shows the same page. Its socket opens and says nothing.
    """
    size = {"width": width, "height": height}
    waiting = [page for page in idle[touch] if not page.is_closed() and page.context.browser is browser]
    if waiting:
        page = waiting.pop()
        page.set_viewport_size(size)
    else:
        page = browser.new_page(viewport=size, has_touch=touch, reduced_motion="reduce")
        page.set_default_timeout(1000 * PATIENCE)
        page.complaints = []
        gather(page, page.complaints)
        page.route_web_socket("**/*", lambda socket: None)
        page.address = site().address(page)
        page.close = lambda: set_aside(page, touch)
    idle[touch] = waiting
    return reopened(page, html)


def set_aside(page: Any, touch: bool) -> None:
    """Keep a page for the next test, which finds it as if it were new: nothing stored, no routes, no settings."""
    page.unroute_all()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.emulate_media(reduced_motion="reduce")
    page.mouse.move(0, 0)
    reopened(page, "<!doctype html><title>Nothing</title>")
    page.complaints.clear()
    idle[touch].append(page)


def reopened(page: Any, html: str) -> Any:
    """Open another rendered page in the place of one, which takes half as long as to open a browser's page for it."""
    page.html = html
    page.goto(page.address)
    return page


def gather(page: Any, complaints: list[str]) -> None:
    """Gather the errors and warnings of a page; a browser reports breaches of the content policy as errors.

    A page that is left while its socket connects warns of that, too: no fault of the page.
    """

    def heard(said: Any) -> None:
        if said.type in ("error", "warning") and LEFT_EARLY not in said.text:
            complaints.append(said.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))


class Person:
    """A person with their own browser, who answers at random; `complaints` gather the errors on all their pages."""

    def __init__(self, browser: Any, url: str, hurries: bool = True, **settings: Any):
        self.url, self.chance = url, random.Random(5)
        self.context = browser.new_context(**{"reduced_motion": "reduce", **settings})
        self.context.set_default_timeout(1000 * PATIENCE)
        if hurries:
            self.context.add_init_script(HURRY)
        self.complaints: list[str] = []
        self.posts: list[Any] = []
        """The requests by which their pages sent something."""
        self.was_late = False
        """Whether they may have given an only answer just after the server did so, which refuses it then (409)."""
        self.page = self.new_tab()

    def new_tab(self) -> Any:
        page = self.context.new_page()
        gather(page, self.complaints)
        page.on("request", lambda request: request.method == "POST" and self.posts.append(request))
        return page

    def touch(self, what: Any) -> None:
        what.click(timeout=SHORTLY)

    def touch_answer(self) -> None:
        """Touch a piece or a button; if that only chooses a piece, touch one of its actions, too."""
        if self.page.locator(CHOICE).count():
            self.deal_a_set()
            return
        first = self.any_of(ANSWER)
        only_chooses = first.evaluate("element => element.matches('a')", timeout=SHORTLY)
        self.touch(first)
        if only_chooses:
            self.touch(self.any_of(NEXT))

    def deal_a_set(self) -> None:
        """Let the page deal what is missing, and play the set."""
        if self.page.locator(f"{DEAL}[aria-disabled=false]").count():
            self.touch(self.page.locator(DEAL))
        self.touch(self.page.locator(READY))

    def any_of(self, selector: str) -> Any:
        """Return one of the elements that can be seen, at random."""
        found = self.page.locator(selector)
        found.first.wait_for(timeout=SHORTLY)
        return found.nth(self.chance.randrange(found.count() or 1))

    def make_table(self, game: str, name: str) -> str:
        """Make a table for two, from the lobby; return the address to send to a friend."""
        self.page.goto(f"{self.url}/name")
        self.page.get_by_label("Your name").fill(name)
        self.touch(self.page.get_by_role("button", name="That is me"))
        self.touch(self.page.locator(f"a[href='/new/{game}']"))
        make = self.page.get_by_role("button", name="Make the table")
        make.wait_for()
        for seat in self.page.locator("select[name^='seat.']:has([value=nobody])").all():
            seat.select_option("nobody")
        self.touch(make)
        return str(self.page.get_by_label("The address of this table").input_value())

    def come_as(self, guest: Guest, table: str) -> None:
        """Go on as a guest whose cookie this browser gets, at a table: that spares the pages on the way there."""
        cookies = [{"name": name, "value": value, "url": self.url} for name, value in guest.http.cookies.items()]
        self.context.add_cookies(cookies)
        self.page.goto(f"{self.url}/tables/{table}")

    def sit_down(self, invite: str, name: str) -> None:
        self.page.goto(invite)
        self.page.get_by_label("Your name").fill(name)
        self.touch(self.page.get_by_role("button", name="Sit down here"))
        self.page.locator(TABLE).wait_for()

    def words(self, place: str) -> str:
        """Return the text of an element, without previews."""
        return str(self.page.locator(place).evaluate(WORDS))

    def is_over(self) -> bool:
        return bool(self.page.locator(RESULT).count())

    def is_asked(self) -> bool:
        return bool(self.page.locator(ASKED).count()) and not self.is_over()

    def comes_to_turn(self) -> bool:
        """Tell whether the page asks a question now or soon."""
        with contextlib.suppress(PlaywrightTimeout):
            self.page.locator(f"{ASKED}, {RESULT}").first.wait_for(timeout=500)
        return self.is_asked()

    def answer(self) -> None:
        """Answer, and wait until the page shows it. The server gives an only answer itself if it tells no secret."""
        turn, asked, actions, has_other = self.decision()
        if turn != "yes":
            return  # another page has come, without a question
        is_free = len(set(actions)) > 1 or has_other
        if is_free or not self.has_news(asked):
            self.was_late = self.was_late or not is_free
            self.touch_until_there_is_news(asked)
        self.wait_for_news(asked)

    def decision(self) -> Any:
        """Return what the page asks, at one moment."""
        return self.page.evaluate(DECISION)

    def touch_until_there_is_news(self, asked: str) -> None:
        """Touch an answer; once more if another page came while they did so, which shows the same question anew.

        A browser may then forget the press, and sends nothing.
        """
        for tries_left in reversed(range(MOST_TRIES)):
            before = len(self.posts)
            try:
                self.touch_answer()
                if len(self.posts) > before or self.has_news(asked):
                    return
            except PlaywrightTimeout:
                if self.has_news(asked):
                    return
                if not tries_left:
                    raise

    def has_news(self, asked: str) -> bool:
        """Tell whether the page soon no longer asks for this decision."""
        with contextlib.suppress(PlaywrightTimeout):
            self.page.locator(self.news(asked)).first.wait_for(state="attached", timeout=1000)
            return True
        return False

    def wait_for_news(self, asked: str) -> None:
        """Wait until the page no longer asks for this decision."""
        try:
            self.page.locator(self.news(asked)).first.wait_for(state="attached")
        except PlaywrightTimeout as error:
            told = f"no news after decision {asked}: {self.page.evaluate(STATE)}, sent: {self.last_posts()}"
            raise AssertionError(told) from error

    def last_posts(self) -> list[str]:
        """Return where the pages sent something last, and the status of each answer that came."""
        return [f"{post.url} {(found := post.existing_response) and found.status}" for post in self.posts[-3:]]

    def news(self, asked: str) -> str:
        return f"#moves > [name=decision]:not([value='{asked}']), #table-body[data-turn=no], {RESULT}"


class Phone(Person):
    """A person who taps on a small screen; no page may be wider than it."""

    def __init__(self, browser: Any, url: str):
        super().__init__(browser, url, viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True)

    def touch(self, what: Any) -> None:
        what.tap(timeout=SHORTLY)

    def touch_answer(self) -> None:
        assert self.page.evaluate("document.documentElement.scrollWidth") == 375
        super().touch_answer()


class Keyboard(Person):
    """A person who uses only the keyboard."""

    def touch(self, what: Any) -> None:
        """Move to an element with Tab, and press Enter."""
        what.wait_for()
        self.tab_until(lambda: what.evaluate("thing => thing === document.activeElement"))
        self.page.keyboard.press("Enter")

    def tab_until(self, holds: Any) -> None:
        for _ in range(MOST_TABS):
            if holds():
                return
            self.page.keyboard.press("Tab")
        raise PlaywrightTimeout("Tab does not lead there")

    def touch_answer(self) -> None:
        """Press the digit of an answer; or go to a piece with Tab and the arrows, press Enter, and a digit if asked."""
        if self.page.locator(CHOICE).count():
            self.deal_a_set()
            return
        digits = self.page.locator("[data-digit]").count()
        if digits and self.chance.random() < 0.5:
            self.page.keyboard.press(str(1 + self.chance.randrange(digits)))
            return
        self.tab_until(self.is_at_answer)
        for _ in range(self.chance.randrange(4)):
            self.page.keyboard.press("ArrowRight")
        for _ in range(MOST_TABS):
            if self.is_at_answer():
                break
            self.page.keyboard.press("ArrowRight")
        only_chooses = self.page.evaluate("document.activeElement.matches('a')")
        self.page.keyboard.press("Enter")
        if only_chooses and self.page.locator("#acts .group:not(.free) .act:visible").count():
            self.page.keyboard.press("1")
        elif only_chooses:
            self.tab_until(lambda: self.page.evaluate("document.activeElement.matches('.target')"))
            self.page.keyboard.press("Enter")

    def is_at_answer(self) -> bool:
        at = "document.activeElement.matches('#moves :is(button[name=action], a.piece.lit)')"
        return bool(self.page.evaluate(at))


class Scriptless(Person):
    """A person whose browser runs no script: they load the page again to see the others' moves."""

    def __init__(self, browser: Any, url: str):
        super().__init__(browser, url, java_script_enabled=False)

    def touch(self, what: Any) -> None:
        with self.page.expect_navigation():
            what.click()

    def deal_a_set(self) -> None:
        """Let the server deal what is missing, which plays the set at once."""
        self.touch(self.page.locator(DEAL))

    def comes_to_turn(self) -> bool:
        self.reload()
        return self.is_asked()

    def is_asked(self) -> bool:
        """Tell whether the page asks a question and waits. A page that loads itself again has one for the server."""
        return super().is_asked() and not self.page.locator("meta[http-equiv=refresh]").count()

    def decision(self) -> Any:
        """Return what the page asks. A page that loads itself again may come in between."""
        for _ in range(MOST_TRIES):
            with contextlib.suppress(PlaywrightError):
                return super().decision()
            self.page.wait_for_load_state()
        return super().decision()

    def has_news(self, asked: str) -> bool:
        self.page.wait_for_timeout(500)
        self.reload()
        return bool(self.page.locator(self.news(asked)).count())

    def wait_for_news(self, asked: str) -> None:
        while not self.page.locator(self.news(asked)).count():
            self.reload()

    def reload(self) -> None:
        """Load the page again. A page that waits does so itself from time to time, which may cut this short."""
        with contextlib.suppress(PlaywrightError):
            self.page.reload()
        self.page.locator(TABLE).wait_for(state="attached")


class Distant:
    """A person whose pages are not looked at: they play over HTTP, at random, beside people with browsers."""

    def __init__(self, _: Any, url: str):
        self.guest, self.chance, self.table = Guest(url), random.Random(5), ""
        self.context, self.complaints = self.guest.http, list[str]()

    def sit_down(self, invite: str, name: str) -> None:
        self.table = invite.rpartition("/")[2]
        assert self.guest.post("/name", name=name).status_code == 200
        self.guest.sit(self.table, 1)

    def is_over(self) -> bool:
        return is_over(self.guest.view(self.table))

    def is_asked(self) -> bool:
        return bool(self.guest.view(self.table)["menu"])

    comes_to_turn = is_asked

    def answer(self) -> None:
        self.guest.move_at_random(self.table, self.chance)


def play(people: Sequence[Person | Distant], answers: int = 1000) -> None:
    """Let people play at their table until they have given this many answers, or until all see the result."""
    for person in islice(cycle(people), MOST_ROUNDS):
        if all(each.is_over() for each in people):
            return
        asked = person.comes_to_turn()
        while asked:
            person.answer()
            answers -= 1
            if not answers:
                return
            asked = person.is_asked()
    raise AssertionError("nobody is asked, and the game is not over")
