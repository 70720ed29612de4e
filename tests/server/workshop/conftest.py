"""A browser for the pages of the workshop."""

from server.study.conftest import visit

__all__ = ["visit"]
