"""Limits on connections: how many may be open, and how long a request may take to arrive.

No single client can block the others. A request whose head or body does not arrive in time gets the answer 408. The
server and each address have a limit of connections. When it is reached, a new connection displaces the oldest one that
still owes us its request: a client that speaks goes before a client that is silent. `ServerConfig` gives these
classes to uvicorn.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import uvicorn
from litestar.types import ASGIApp, Receive
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from quintain.server.limits import household

SPARE_FILES = 128
"""Open files reserved for the database, the workers and all else but connections."""
KEPT_ALIVE = 60
"""Seconds that a connection may be silent between two requests."""
MOST_FRAME = 1024
"""Bytes that a message on a socket may have; sockets take no messages at all."""
LINGER = 5.0
"""Seconds that a client has to read the rest once we have closed its connection."""
TOO_LATE, TOO_LONG, TOO_MANY = (
    (b"408 Request Timeout", b"the request did not come in time"),
    (b"431 Request Header Fields Too Large", b"the head of the request is too long"),
    (b"503 Service Unavailable", b"too many connections are open: close some, or wait a moment"),
)
PROXIES = ("127.0.0.1", "::1")
"""The proxies whose word counts for whom they ask, if the operator names no others: those on this machine."""
NOT_UTF_8 = 1007
"""The code for closing a socket on which a text came that is not UTF-8."""


@dataclass(frozen=True)
class Bounds:
    """Limits on connections and sockets, and on the time that a request may take to arrive.

    Browsers in one household, in one school or behind one proxy often share an address and its limits. A browser opens
    up to six connections, and a socket for each open page. With a proxy in front of the server, connections come from
    the proxy's address, but sockets count for the address that the proxy forwards.
    """

    connections: int = 4000
    connections_per_address: int = 500
    sockets_per_address: int = 250
    sockets_per_player: int = 20
    head_seconds: float = 10.0
    body_seconds: float = 30.0
    head_bytes: int = 64 * 1024

    def shared_by(self, processes: int) -> Bounds:
        """Return the bounds of each of so many processes, if these are the bounds of the whole server."""
        return replace(
            self,
            connections=-(-self.connections // processes),
            connections_per_address=-(-self.connections_per_address // processes),
            sockets_per_address=-(-self.sockets_per_address // processes),
            sockets_per_player=-(-self.sockets_per_player // processes),
        )


USUAL = Bounds()


class Doors:
    """The open connections by address, oldest first; each with its entrance, or None once it is a socket."""

    def __init__(self, bounds: Bounds):
        self.bounds = bounds
        self.most = min(bounds.connections, max(1, _most_files() - SPARE_FILES))
        self._open: dict[str, dict[asyncio.BaseTransport, Entrance | None]] = {}
        self._addresses: dict[asyncio.BaseTransport, str] = {}

    def enter(self, address: str, transport: asyncio.BaseTransport, entrance: Entrance) -> bool:
        """Let a connection in, if need be in place of a silent one; False if no place is free."""
        there = self._open.get(address, {})
        if len(there) >= self.bounds.connections_per_address and not self._make_room(there):
            return False
        if len(self._addresses) >= self.most and not self._make_room(max(self._open.values(), key=len)):
            return False
        self._open.setdefault(address, {})[transport] = entrance
        self._addresses[transport] = address
        return True

    def upgrade(self, transport: asyncio.BaseTransport) -> None:
        """Note that a connection has become a socket, which owes us nothing."""
        self._open[self._addresses[transport]][transport] = None

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection."""
        address = self._addresses.pop(transport, None)
        if address is not None:
            del self._open[address][transport]
            if not self._open[address]:
                del self._open[address]

    def _make_room(self, there: dict[asyncio.BaseTransport, Entrance | None]) -> bool:
        """Close the oldest of these connections that owes us its request; False if all are busy."""
        for transport, entrance in there.items():
            if entrance and entrance.is_silent:
                self.leave(transport)
                entrance.transport.abort()
                return True
        return False


class ServerConfig(uvicorn.Config):
    """Uvicorn's settings, with the doors for its connections; what `proxies` say counts for whom they ask."""

    def __init__(self, app: ASGIApp, bounds: Bounds = USUAL, proxies: Sequence[str] = PROXIES):
        super().__init__(
            app,
            http=Entrance,
            ws=OpenSocket,
            log_config=None,
            access_log=False,
            server_header=False,
            forwarded_allow_ips=list(proxies),
            ws_max_size=MOST_FRAME,
            ws_per_message_deflate=False,
            timeout_keep_alive=KEPT_ALIVE,
        )
        self.doors = Doors(bounds)


class Entrance(HttpToolsProtocol):
    """A connection for requests, which must arrive in time."""

    config: ServerConfig
    _timer: asyncio.TimerHandle | None = None
    _is_in = False
    _in_body = False
    _read = 0
    _answering: RequestResponseCycle | None = None
    """The request that is being answered; `cycle` is the last one that has come, and may wait for its turn."""

    @property
    def is_silent(self) -> bool:
        """Whether the server waits for the client to send a request, or the rest of one."""
        return self._in_body or self._has_answered

    @property
    def _has_answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let the connection in, or refuse it."""
        super().connection_made(transport)
        self._is_in = self.config.doors.enter(household(self.client[0] if self.client else ""), transport, self)
        if self._is_in:
            self._allow(self.config.doors.bounds.head_seconds)
        else:
            self._refuse(*TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection: nobody hears the answer to any request that came on it."""
        self._stop_timer()
        self.config.doors.leave(self.transport)
        super().connection_lost(exc)
        if self._answering and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()
        self.pipeline.clear()

    def data_received(self, data: bytes) -> None:
        """Read more bytes. Bytes after a finished request begin the next one, and its time begins."""
        if not self._is_in or self.transport.is_closing():
            return
        self._read += len(data)
        super().data_received(data)
        if self._in_body or self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if self._read > self.config.doors.bounds.head_bytes:
            self._refuse(*TOO_LONG)
        elif self._timer is None and self._has_answered:
            self._allow(self.config.doors.bounds.head_seconds)

    def on_headers_complete(self) -> None:
        """Start the timer for the body."""
        self._stop_timer()
        self._in_body, self._read = True, 0
        self._allow(self.config.doors.bounds.body_seconds)
        super().on_headers_complete()
        if not any(cycle is self.cycle for cycle, _ in self.pipeline):
            self._answering = self.cycle

    def on_message_complete(self) -> None:
        """Stop the timer: the whole request is here."""
        self._stop_timer()
        self._in_body, self._read = False, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request, if one waits."""
        if self.pipeline and not self.transport.is_closing():
            self._answering = self.pipeline[-1][0]
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        """Go on as a socket, which counts as the same connection."""
        self._stop_timer()
        self.config.doors.upgrade(self.transport)
        super().handle_websocket_upgrade()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has been silent between two requests."""
        self._close()

    def _allow(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self._end_wait)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_wait(self) -> None:
        """Close a connection whose request did not arrive in time; answer 408 if a part of it did."""
        self._timer = None
        if self._read or self._in_body:
            self._refuse(*TOO_LATE)
        else:
            self._close()

    def _refuse(self, status: bytes, words: bytes) -> None:
        """Close a connection, and say why, unless an answer has begun already."""
        is_free = not self.pipeline and (self._has_answered or not self.cycle.response_started)
        if is_free and not self.transport.is_closing():
            length = str(len(words)).encode()
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\ncontent-length: " + length
            self.transport.write(b"HTTP/1.1 " + status + b"\r\n" + head + b"\r\n\r\n" + words)
        self._close()

    def _close(self) -> None:
        """Close the connection, even if the client does not read what we have sent."""
        self._stop_timer()
        if not self.transport.is_closing():
            self.transport.close()
            self.loop.call_later(LINGER, self.transport.abort)


def has_hung_up(receive: Receive) -> bool:
    """Tell whether the client of a request, which the server gave this `receive`, is gone."""
    return getattr(getattr(receive, "__self__", None), "disconnected", False) is True


class OpenSocket(WebSocketsSansIOProtocol):
    """A connection that has become a socket."""

    config: ServerConfig

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; close the socket if its text is not UTF-8, which is the sender's fault and no event."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_utf_8(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(NOT_UTF_8)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.config.doors.leave(self.transport)
        super().connection_lost(exc)


def _is_utf_8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def raise_file_limit() -> None:
    """Raise this process's limit of open files as far as the system allows."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):
            return


def _most_files() -> int:
    """Return how many files this process may have open."""
    if sys.platform == "win32":
        return 8192
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if most == resource.RLIM_INFINITY else most
