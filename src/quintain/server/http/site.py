"""The site: the objects that all handlers of one server share, its settings, and the limits on requests.

`app.py` makes the site when the server starts; handlers get it as `site`.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litestar import Request, Response, WebSocket
from litestar.datastructures import State
from litestar.di import NamedDependency
from minijinja import Environment

from quintain.server.http.costs import FairTurns
from quintain.server.http.doors import PROXIES, USUAL, Bounds
from quintain.server.limits import Limit, Places, Rate
from quintain.server.model.talk import REPORT_RATE, TALK_RATE
from quintain.server.pages.archive import Archive
from quintain.server.pages.drawing import Drawing
from quintain.server.people.identities import Identities
from quintain.server.people.players import (
    CONFIRM_COOKIE,
    COOKIE,
    NO,
    TALK_COOKIE,
    THEME_COOKIE,
    THEMES,
    YES,
    Session,
    Visitor,
    new_device,
    new_id,
)
from quintain.server.refused import Refused
from quintain.server.slices import Slices
from quintain.server.store.addresses import Address
from quintain.server.store.health import Health
from quintain.server.study.judging import Judges
from quintain.server.tables.lobby import Lobby
from quintain.server.tables.replays import Replays
from quintain.server.workshop.trials import Trials

PLAYER_RATE, ADDRESS_RATE, REPLAY_RATE = Rate(120, 5), Rate(1200, 50), Rate(200, 10)
"""How often one player may post, and all players at one address together; how often one address may load steps of
replays and lists."""
COST_RATE = Rate(8, 0.4)
"""The seconds of the event loop that the requests of one address may cost: at once, and in each second after that."""
TABLE_RATE, ADDRESS_TABLE_RATE = Rate(30, 0.1), Rate(300, 1)
"""How often one player may make tables, and all players at one address together."""
NAME_RATE = Rate(20, 0.1)
"""How often one player may choose a name, which is then written at all their tables."""
RECOVERY_RATE = Rate(10, 0.02)
"""How often one address may try recovery codes."""
MOST_HOST = 255
"""Characters that a host name can have."""
AnyRequest = Request[None, None, State]
Socket = WebSocket[None, None, State]
Connection = AnyRequest | Socket
Reply = Response[Any]
"""A page, JSON or a redirect: browsers and programs get different answers."""


@dataclass(frozen=True)
class Config:
    """The settings of a server.

    `address` is its URL for other devices in the network, empty if they cannot reach it; `pace` multiplies the time
    that bots take for a move; `workers` is the number of processes for bots. With `metrics_token` the operator reads
    the metrics from elsewhere; requests from `proxies` count for the addresses that they forward. The limits are those
    of the whole server: each of its `processes` keeps to its share of them.
    """

    database: Address
    address: str = ""
    pace: float = 1.0
    workers: int = 1
    game_files: tuple[Path, ...] = ()
    metrics_token: str = ""
    proxies: tuple[str, ...] = PROXIES
    player_rate: Rate = PLAYER_RATE
    address_rate: Rate = ADDRESS_RATE
    table_rate: Rate = TABLE_RATE
    address_table_rate: Rate = ADDRESS_TABLE_RATE
    name_rate: Rate = NAME_RATE
    recovery_rate: Rate = RECOVERY_RATE
    talk_rate: Rate = TALK_RATE
    report_rate: Rate = REPORT_RATE
    replay_rate: Rate = REPLAY_RATE
    cost_rate: Rate = COST_RATE
    bounds: Bounds = USUAL
    processes: int = 1

    def share(self, rate: Rate) -> Limit:
        """Return the limit of one process, if this is the rate of the whole server."""
        return Limit(Rate(max(1.0, rate.burst / self.processes), rate.per_second / self.processes))


class Site:
    """The objects that the handlers of one server share."""

    def __init__(
        self,
        config: Config,
        archive: Archive,
        drawing: Drawing,
        lobby: Lobby,
        templates: Environment,
        judges: Judges,
        trials: Trials,
        has_browser_files: bool,
    ):
        self.config, self.archive, self.judges, self.trials = config, archive, judges, trials
        self.store, self.tables, self.sessions = archive.store, archive.tables, archive.sessions
        self.keys, self.signer = self.sessions.keys, self.sessions.keys.signer
        self.drawing, self.lobby, self.templates = drawing, lobby, templates
        self.has_browser_files = has_browser_files
        """Whether static/vendor is complete, so that pages can be drawn."""
        share, bounds = self.config.share, self.config.bounds.shared_by(self.config.processes)
        self.player_limit, self.address_limit = share(self.config.player_rate), share(self.config.address_rate)
        self.sockets_at_address = Places(bounds.sockets_per_address)
        self.sockets_of_player = Places(bounds.sockets_per_player)
        self.identities = Identities(self.sessions)
        self.replays = Replays()
        self.foreseeing, self.looking_back = Slices(), Slices()
        self.health = Health(self.config.database)
        self.table_limit, self.name_limit = share(self.config.table_rate), share(self.config.name_rate)
        self.address_table_limit = share(self.config.address_table_rate)
        self.recovery_limit = share(self.config.recovery_rate)
        self.replay_limit, self.cost_limit = share(self.config.replay_rate), share(self.config.cost_rate)
        self.turns = FairTurns(self.cost_limit)

    async def visitor(self, connection: Connection) -> Visitor:
        """Return the visitor behind a connection, with their name: known by cookie, or new."""
        return await self.named(self.nameless(connection))

    async def named(self, visitor: Visitor) -> Visitor:
        """Return a visitor with their name, if they have one."""
        found = None if visitor.fresh else await self.store.player(visitor.id)
        return replace(visitor, name=found.name, number=found.number) if found else visitor

    def nameless(self, connection: Connection) -> Visitor:
        """Return the visitor behind a connection, without looking their name up."""
        known = self.sessions.of_cookie(connection.cookies.get(COOKIE))
        player, session, device = known or Session(new_id(), device=new_device())
        theme = connection.cookies.get(THEME_COOKIE, "")
        theme = theme if theme in THEMES else THEMES[0]
        confirms = connection.cookies.get(CONFIRM_COOKIE) == YES
        csrf = self.signer.csrf(player, session)
        quiet = connection.cookies.get(TALK_COOKIE) == NO
        return Visitor(player, None, csrf, theme, confirms, known is None, session, device=device, quiet=quiet)

    def check_table_limit(self, player: str, address: str) -> None:
        """Raise Refused if a player, or all players at one address together, have made too many tables."""
        if not (self.table_limit.allows(player) and self.address_table_limit.allows(address)):
            raise Refused(429, "you have made many tables: wait a moment before you make another")

    def check_replay_limit(self, address: str) -> None:
        """Raise Refused if all players at an address ask for too many lists and replays: they are dearer than pages."""
        if not self.replay_limit.allows(address):
            raise Refused(429, "that was too much at once: wait a moment")

    def base_url(self, connection: Connection) -> str:
        """Return the server's URL for links to other people; a browser on this machine gets the network's address."""
        try:
            url = connection.base_url
            host = url.hostname or ""
        except ValueError as error:
            raise Refused(400, f"the host of this request cannot be read: {error}") from error
        if len(host) > MOST_HOST:
            raise Refused(400, f"the host of this request is longer than {MOST_HOST} characters")
        scheme = {"ws": "http", "wss": "https"}.get(url.scheme, url.scheme)
        if self.config.address and is_loopback(host):
            return self.config.address
        return f"{scheme}://{url.netloc}"


TheSite = NamedDependency[Site]


def is_loopback(host: str) -> bool:
    """Tell whether an address or a name of a host means this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
