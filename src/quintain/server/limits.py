"""How often somebody may post."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass

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
