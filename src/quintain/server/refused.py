"""What the server refuses, with the status of its answer."""

from __future__ import annotations

from quintain.engine.errors import QuintainError


class Refused(QuintainError):
    """Raised if something cannot be done; `status` is the HTTP status of the answer."""

    def __init__(self, status: int, words: str):
        super().__init__(words)
        self.status = status
