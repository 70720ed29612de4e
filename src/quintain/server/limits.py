"""How often somebody may post, and how much they may have at once."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

MOST_KEPT = 10_000


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    per_second: float


class Limit:
    """A bucket of tokens for everybody: each post takes one, and they fill up with time."""

    def __init__(self, rate: Rate):
        self.rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str) -> bool:
        """Take a token; False if there is none left."""
        now = time.monotonic()
        tokens, then = self._buckets.pop(who, (self.rate.burst, now))
        tokens = min(self.rate.burst, tokens + (now - then) * self.rate.per_second)
        allowed = tokens >= 1
        self._buckets[who] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > MOST_KEPT:
            self._buckets.popitem(last=False)
        return allowed


class Places:
    """How many of something each may have at the same time."""

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
    """Return what counts as one address: in IPv6 a network of 64 bits, which is what a single client has.

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
