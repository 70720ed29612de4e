"""Helpers for tests over HTTP: servers in a thread or in a process, and guests who play on them.

Guests post as browsers do (`submit`) or as programs do (`post`). For real browsers see `browsing.py`.
"""

import asyncio
import contextlib
import io
import itertools
import random
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psutil
from sqlalchemy import URL
from websockets.sync.client import connect

from quintain.games.kings_court.words import HOUSE_NAMES
from quintain.server.http.site import Config
from quintain.server.limits import Rate
from quintain.server.private import keep_private
from quintain.server.run.app import create_app
from quintain.server.run.serving import Server
from quintain.server.store.upgrades import prepare

PATIENCE = 120
"""Seconds until a test gives up to wait for something. On a busy machine all takes long, and only a hang takes this."""
NUMBERS = itertools.count()
UNLIMITED = Rate(1e9, 1e9)
UNUSED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""What clients get for https, by which no test asks: else each client would read all certificates, in 30 ms."""
HOUSES = "|".join(HOUSE_NAMES)
CARD = re.compile(rf"\b({HOUSES}) ([1-8])\b|\b({'|'.join(h.lower().replace(' ', '_') for h in HOUSE_NAMES)})-([1-8])\b")
PROGRAM = Path(sys.executable).with_name("quintain")
ACTIONS = re.compile(r'<button[^>]*name="action" value="(\d+)"')


class Serving:
    """A server in a thread of this process, with server.sqlite in a folder, or with the database that is named."""

    def __init__(self, where: Path | URL, **config):
        rates = dict.fromkeys(
            ("player_rate", "address_rate", "table_rate", "address_table_rate", "cost_rate"), UNLIMITED
        )
        database = where / "server.sqlite" if isinstance(where, Path) and where.is_dir() else where
        if isinstance(database, Path):
            put_database(database)
        made = Config(**{"database": database, "pace": 0.0, **rates, **config})
        self.app = create_app(made)
        self.server = Server(self.app, made.bounds)
        self.guests: list[Guest] = []
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self):
        self.server.config.port = 0
        self.thread.start()
        wait_until(lambda: self.server.started or not self.thread.is_alive())
        (listening,) = self.server.servers[0].sockets
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.loop = self.server.servers[0].get_loop()
        return self

    def waits(self) -> str:
        """Return what each thread and each task of the server is doing."""
        told = io.StringIO()
        frames = sys._current_frames()
        for thread in threading.enumerate():
            told.write(f"thread {thread.name}\n{''.join(traceback.format_stack(frames.get(thread.ident)))}")
        for task in asyncio.all_tasks(self.loop):
            task.print_stack(file=told)
        return told.getvalue()

    def __exit__(self, *_):
        self.say_goodbye()
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), f"the server does not stop: it waits for\n{self.waits()}"

    @property
    def site(self):
        return self.app.state.site

    @property
    def sites(self) -> list:
        """The sites of all servers of this database: there is one."""
        return [self.site]

    def live(self, table: str):
        """Return a table as the server has it in memory, with all that is here."""
        return self.site.tables._opening[table].result()

    def table(self, table: str):
        """Return a table as its log tells it, from the server's memory."""
        return self.live(table).table

    def guest(self, name: str = "") -> "Guest":
        self.guests.append(Guest(self.url, name))
        return self.guests[-1]

    def say_goodbye(self) -> None:
        """Close the connections of all guests."""
        while self.guests:
            self.guests.pop().http.close()


class Balancer(httpx.HTTPTransport):
    """Sends each request to one of several servers, as chance has it."""

    def __init__(self, urls: Sequence[str], chance: random.Random):
        super().__init__(verify=UNUSED)
        self.ports, self.chance = [httpx.URL(url).port for url in urls], chance

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(port=self.chance.choice(self.ports))
        return super().handle_request(request)


class Guest:
    """A guest with a cookie of their own, and a name if one is given. `received` keeps every answer.

    Each request and each socket goes to one of the servers, if there are `more` of them.
    """

    def __init__(self, url: str, name: str = "", more: Sequence[str] = ()):
        self.url, self.urls, self.chance = url, [url, *more], random.Random(next(NUMBERS))
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, transport=Balancer(self.urls, self.chance))
        weakref.finalize(self, self.http.close)  # a client that nobody closes would end in a later test
        self.received: list[str] = []
        self.csrf = self.get("/tables.json").json()["csrf"]
        if name:
            assert self.post("/name", name=name).status_code == 200

    def get(self, path: str, **more) -> httpx.Response:
        answer = self.http.get(path, **more)
        self.received.append(answer.text)
        return answer

    def post(self, path: str, **fields) -> httpx.Response:
        """Post JSON, as a program does."""
        answer = self.http.post(path, json={"csrf": self.csrf, **fields})
        self.received.append(answer.text)
        return answer

    def submit(self, path: str, **fields) -> httpx.Response:
        """Post a form, as a browser does."""
        answer = self.http.post(path, data={"csrf": self.csrf, **fields}, headers={"accept": "text/html"})
        self.received.append(answer.text)
        return answer

    def view(self, table: str) -> dict:
        return self.get(f"/tables/{table}.json").json()

    def make(self, game: str, *seats: str, **more) -> str:
        more = {"clock": "120", **more} if more.get("rated") else more
        answer = self.post("/tables", game=game, seats=list(seats), **more)
        assert answer.status_code == 201, answer.text
        return answer.json()["table"]["id"]

    def sit(self, table: str, seat: int) -> None:
        answer = self.post(f"/tables/{table}/seats/{seat}")
        assert answer.status_code == 200, answer.text

    def move(self, table: str, action, decision: int) -> httpx.Response:
        return self.post(f"/tables/{table}/moves", action=action, decision=decision)

    def move_at_random(self, table: str, chance: random.Random) -> bool:
        """Play a move if there is one to play; False if it is not this guest's turn."""
        seen = self.view(table)
        if not seen["menu"]:
            return False
        action = chance.choice(seen["menu"])["action"]
        return self.move(table, action, seen["table"]["decision"]).status_code == 200

    def click(self, table: str, chance: random.Random) -> bool:
        """Press a button of the table's page, as a browser without script does; False if the page has none."""
        page = self.get(f"/tables/{table}").text
        actions = ACTIONS.findall(page)
        if not actions:
            return False
        decision = re.search(r'name="decision" value="(\d+)"', page)[1]
        answer = self.submit(f"/tables/{table}/moves", action=chance.choice(actions), decision=decision)
        return answer.status_code == 303

    @contextlib.contextmanager
    def watching(self, table: str, **more):
        """Open the socket of a table."""
        with connect(self.socket_url(table), additional_headers=self.headers(), **more) as socket:
            yield socket

    def listening(self):
        """Open the socket of the lobby."""
        return connect(f"{self._sockets()}/lobby/socket", additional_headers=self.headers())

    def socket_url(self, table: str) -> str:
        return f"{self._sockets()}/tables/{table}/socket"

    def _sockets(self) -> str:
        return self.chance.choice(self.urls).replace("http", "ws")

    def headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        return {"cookie": cookies}


def unsigned(record):
    """Return a record without its signature, and without the checksum that covers it."""
    return {name: value for name, value in record.items() if name not in ("signature", "sha256")}


def is_over(seen: dict) -> bool:
    return seen["table"]["status"] == "over"


def wait_until(holds, seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it does not come about"
        time.sleep(0.01)


class ServingProcess:
    """A server in a process of its own, or in several, which tests kill and start again."""

    def __init__(self, where: Path | URL, *game_files, processes: int = 1, log_level: str = "error"):
        self.database, self.port = where / "server.sqlite" if isinstance(where, Path) else where, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [PROGRAM, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.command += ["--database", written(self.database), "--log-level", log_level, "--processes", str(processes)]
        self.command += [word for file in game_files for word in ("--game-file", file)]
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def start(self):
        """Start, and wait for an answer; a server that gives none is killed, since nobody else would end it."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: self.process.poll() is not None or self.answers())
            assert self.process.poll() is None, "the server does not start"
        except BaseException:
            self.kill()
            raise

    def guest(self, name: str = "") -> Guest:
        return Guest(self.url, name)

    def answers(self):
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/health").status_code == 200
        return False

    def serving(self) -> list[psutil.Process]:
        """Return the processes that serve, if there are several."""
        with contextlib.suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.process.pid).children()
            return [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        return []

    def kill(self):
        """Kill the first process, if it runs; the others stop by themselves, and free the port."""
        others = self.serving()
        self.process.kill()
        self.process.wait()
        _, alive = psutil.wait_procs(others, PATIENCE)
        assert not alive


@cache
def new_database() -> bytes:
    """Return the SQLite file that the migrations make, from which tests get copies: a copy saves 80 ms."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "server.sqlite"
        prepare(database)
        return database.read_bytes()


def put_database(path: Path) -> None:
    """Put a new database where there is none: a copy, so that not every test runs the migrations."""
    if not path.exists():
        keep_private(path)
        path.write_bytes(new_database())


def written(database: Path | URL) -> str:
    """Return an address for `--database`."""
    return str(database) if isinstance(database, Path) else database.render_as_string(hide_password=False)


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def cards_in(text: str) -> set[str]:
    """Return the cards of King's Court that a text names, in words or by their faces."""
    found = set()
    for house, rank, low_house, low_rank in CARD.findall(text):
        found.add(f"{house} {rank}" if house else f"{low_house.replace('_', ' ').title()} {low_rank}")
    return found
