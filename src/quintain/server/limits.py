"""Limits on how often somebody may ask, and on how many of something they may have at the same time.

`http/site.py` has the numbers; the modules of `http` ask before they do anything.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

MOST_KEPT = 10_000
"""A limit remembers this many people or addresses; it forgets first whoever has been quiet longest."""


@dataclass(frozen=True)
class Rate:
    """A rate: `burst` requests at once, and `per_second` a second after that."""

    burst: float
    per_second: float


class Limit:
    """A bucket of tokens for each person or address: each request takes a token, and time adds new ones."""

    def __init__(self, rate: Rate):
        self.rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str) -> bool:
        """Take a token; False if there is none left."""
        is_left = self.left(who) >= 1
        self.charge(who, 1.0 if is_left else 0.0)
        return is_left

    def left(self, who: str) -> float:
        """Return how many tokens are left; fewer than 0 if more were charged than there were."""
        now = time.monotonic()
        tokens, then = self._buckets.get(who, (self.rate.burst, now))
        return min(self.rate.burst, tokens + (now - then) * self.rate.per_second)

    def charge(self, who: str, tokens: float) -> None:
        """Take some tokens, even if fewer are left."""
        left = self.left(who) - tokens
        self._buckets[who] = (left, time.monotonic())
        self._buckets.move_to_end(who)
        if len(self._buckets) > MOST_KEPT:
            self._buckets.popitem(last=False)


class Places:
    """Places for things that last, such as sockets: each person or address has at most `most` at the same time."""

    def __init__(self, most: int):
        self.most = most
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, who: str) -> Iterator[bool]:
        """Take a place for a while; yields False, and takes none, if all are taken."""
        is_free = self._taken[who] < self.most
        self._taken[who] += is_free
        try:
            yield is_free
        finally:
            self._taken[who] -= is_free
            if not self._taken[who]:
                del self._taken[who]


@lru_cache(4096)
def household(host: str) -> str:
    """Return the address that limits count by: in IPv6 the network of 64 bits, since one client often has a whole one.

    >>> household("192.0.2.7"), household("::ffff:192.0.2.7"), household("2001:db8::a:b")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
