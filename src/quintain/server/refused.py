"""What the server refuses, with the status of its answer."""

from __future__ import annotations

from quintain.engine.errors import QuintainError


class Refused(QuintainError):
    """Raised if something cannot be done; `status` is the HTTP status of the answer."""

    def __init__(self, status: int, words: str):
        super().__init__(words)
        self.status = status


class Stopping(QuintainError):
    """Raised if the end of the server cuts something off, or comes before it; the answer's HTTP status is 503."""

    def __init__(self) -> None:
        super().__init__("the server is stopping: ask again in a moment")
