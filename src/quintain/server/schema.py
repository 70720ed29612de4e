"""The tables of the database, as SQLAlchemy sees them; `migrations` makes them, and `store.py` uses them."""

from __future__ import annotations

from sqlalchemy import JSON, Double, ForeignKey, Index, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Base class of the database's tables. All times are seconds since 1970."""

    type_annotation_map = {dict[str, object]: JSON(none_as_null=True), float: Double()}  # noqa: RUF012


class HouseRow(Base):
    """A table with one row: how many times the database was restored from a backup."""

    __tablename__ = "house"
    id: Mapped[int] = mapped_column(primary_key=True)
    generation: Mapped[int] = mapped_column(server_default="0")


class KeyRow(Base):
    """A key of the kind `cookies` or `records`, in hex. Once it has ended, its secret half is empty."""

    __tablename__ = "keys"
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    secret: Mapped[str]
    public: Mapped[str | None]
    made: Mapped[float]
    ended: Mapped[float | None]


class HealthRow(Base):
    """A table with one row, which `health.py` writes to check that the database works: the time of the last check."""

    __tablename__ = "health"
    id: Mapped[int] = mapped_column(primary_key=True)
    written: Mapped[float]


class PlayerRow(Base):
    """A player: the number in logs and records, the id in the signed cookie, and the name, as of the time `named`.

    Cookies of a session below `session` no longer hold. With the code `recovery` somebody is this player again on a new
    device; they last saw it at the time `recovery_shown`. A player who has been deleted is `gone` since a time.
    """

    __tablename__ = "players"
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str | None]
    made: Mapped[float]
    named: Mapped[float]
    session: Mapped[int] = mapped_column(index=True, server_default="0")
    recovery: Mapped[str | None] = mapped_column(index=True, unique=True)
    recovery_shown: Mapped[float | None]
    gone: Mapped[float | None]


class DeviceRow(Base):
    """A browser in which a player is signed in: the id in its cookie, what it says of itself, and when it was seen."""

    __tablename__ = "devices"
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), index=True)
    agent: Mapped[str]
    made: Mapped[float]
    seen: Mapped[float]
    ended: Mapped[float | None] = mapped_column(index=True)


class DeviceLinkRow(Base):
    """A link that signs one more device in, once, until a time."""

    __tablename__ = "device_links"
    token: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    until: Mapped[float]


class ListedTable(Base):
    """A row that lists a table; it follows from the table's log."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    version: Mapped[int]
    options: Mapped[dict[str, object]]
    clock: Mapped[str]
    speed: Mapped[str]
    private: Mapped[bool]
    status: Mapped[str] = mapped_column(index=True)
    made: Mapped[float] = mapped_column(index=True)
    begun: Mapped[float | None]
    rematch: Mapped[str | None]
    lesson: Mapped[int | None]
    rated: Mapped[bool] = mapped_column(server_default=false())


class ListedSeat(Base):
    """A row that lists a seat; it follows from the table's log."""

    __tablename__ = "seats"
    table: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int | None] = mapped_column(ForeignKey("players.number"), index=True)
    bot: Mapped[str | None]
    stand_in: Mapped[bool]
    moved: Mapped[int]
    since: Mapped[float]


class PlayedRow(Base):
    """A row that lists a seat of a finished game; it follows from the table's log. See `results.PlayedSeat`."""

    __tablename__ = "played"
    __table_args__ = (Index("ix_played_who", "who", "ended", "table"), Index("ix_played_game", "game", "ended"))
    table: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    who: Mapped[str]
    bot: Mapped[bool]
    game: Mapped[str]
    ended: Mapped[float]
    result: Mapped[str]
    rank: Mapped[int]
    score: Mapped[int | None]
    moves: Mapped[int]
    rated: Mapped[bool]
    private: Mapped[bool]


class LogRow(Base):
    """An entry of a table's log, as stored."""

    __tablename__ = "entries"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    table: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    kind: Mapped[str]
    text: Mapped[str]
    at: Mapped[float]


class ProcessRow(Base):
    """A process of the server, which counts as alive until a time by the database's clock."""

    __tablename__ = "processes"
    id: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[float]


class LeaseRow(Base):
    """The right of one process to do what happens by itself at a table. It ends with the process."""

    __tablename__ = "leases"
    table: Mapped[str] = mapped_column(primary_key=True)
    process: Mapped[str] = mapped_column(ForeignKey("processes.id", ondelete="CASCADE"), index=True)


class PresenceRow(Base):
    """Somebody who has a table open in a page that a process serves; it ends with the process."""

    __tablename__ = "presence"
    table: Mapped[str] = mapped_column(primary_key=True)
    process: Mapped[str] = mapped_column(ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True, index=True)
    player: Mapped[str] = mapped_column(primary_key=True)
