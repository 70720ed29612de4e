"""Helpers for tests that run on both stores: a server on SQLite, or a pair of servers on one PostgreSQL database."""

from pathlib import Path

from sqlalchemy import URL, text

from quintain.server.store.addresses import sync_engine
from server.guests import Guest, Serving

SQLITE, POSTGRESQL = "sqlite", "postgresql"


class Pair:
    """Two servers in threads of this process, which share a PostgreSQL database; guests use both in turn."""

    def __init__(self, database: URL, **config):
        self.each = [Serving(database, **{"processes": 2, **config}) for _ in range(2)]

    def __enter__(self):
        for serving in self.each:
            serving.__enter__()
        self.urls = [serving.url for serving in self.each]
        self.url = self.urls[0]
        return self

    def __exit__(self, *error):
        for serving in self.each:
            serving.__exit__(*error)

    @property
    def site(self):
        return self.each[0].site

    @property
    def sites(self) -> list:
        """The sites of both servers."""
        return [serving.site for serving in self.each]

    def copies(self, table: str) -> list:
        """Return a table as the servers have it in memory, of which each may have a copy."""
        return [copy for site in self.sites for copy in site.tables.in_memory() if copy.id == table]

    def live(self, table: str):
        """Return the newest copy of a table in memory, with all that is here."""
        return max(self.copies(table), key=lambda copy: copy.table.seq)

    def table(self, table: str):
        """Return the newest copy of a table in memory, as its log tells it."""
        return self.live(table).table

    def guest(self, name: str = "") -> Guest:
        first = self.each[0]
        first.guests.append(Guest(self.url, name, self.urls[1:]))
        return first.guests[-1]

    def say_goodbye(self) -> None:
        """Close the connections of all guests."""
        for serving in self.each:
            serving.say_goodbye()


def servers_on(database: Path | URL, **config) -> Serving | Pair:
    """Return a server on a SQLite file, or a pair on a PostgreSQL database."""
    return Serving(database, **config) if isinstance(database, Path) else Pair(database, **config)


def execute(database: Path | URL, statement: str, **given) -> None:
    """Change a database behind the back of its servers."""
    with sync_engine(database).begin() as connection:
        connection.execute(text(statement), given)


def rows(database: Path | URL, query: str, **given) -> list[tuple]:
    """Return what is in a database."""
    with sync_engine(database).connect() as connection:
        return [tuple(row) for row in connection.execute(text(query), given)]
