"""The tables of the database, as SQLAlchemy sees them; `migrations` makes them, and `store.py` uses them."""

from __future__ import annotations

from sqlalchemy import JSON, Double, ForeignKey, Index, LargeBinary, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

LISTED_BY = ("ended", "table", "seat", "result", "rank", "game", "rated", "private", "uncounted")
"""The columns by which the games of a player are filtered and sorted: an index of them all finds the rows of a page."""


class Base(DeclarativeBase):
    """Base class of the database's tables. All times are seconds since 1970."""

    type_annotation_map = {dict[str, object]: JSON(none_as_null=True), float: Double(), bytes: LargeBinary()}  # noqa: RUF012


class GenerationRow(Base):
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

    Cookies of a session below `session` are invalid. With the code `recovery` a player signs in on a new device; they
    last saw it at the time `recovery_shown`. A player who has been deleted is `gone` since a time. One who is `muted`
    until a time says nothing at tables. Nor does anybody who came from the same address after `muted_at`.
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
    muted: Mapped[float | None]
    muted_at: Mapped[float | None]


class DeviceRow(Base):
    """A browser in which a player is signed in: the id in its cookie, what it says of itself, and when it was seen.

    `address` is a hash of the address from which it was last seen.
    """

    __tablename__ = "devices"
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), index=True)
    agent: Mapped[str]
    address: Mapped[str] = mapped_column(server_default="", index=True)
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
    __table_args__ = (Index("ix_tables_status", "status", "made"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    version: Mapped[int]
    options: Mapped[dict[str, object]]
    clock: Mapped[str]
    speed: Mapped[str]
    private: Mapped[bool]
    status: Mapped[str]
    made: Mapped[float] = mapped_column(index=True)
    begun: Mapped[float | None]
    rematch: Mapped[str | None]
    lesson: Mapped[int | None]
    rated: Mapped[bool] = mapped_column(server_default=false())
    owned: Mapped[bool] = mapped_column(server_default=false())


class ListedSeat(Base):
    """A row that lists a seat; it follows from the table's log."""

    __tablename__ = "seats"
    __table_args__ = (Index("ix_seats_number", "number", "table"),)
    table: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int | None] = mapped_column(ForeignKey("players.number"))
    bot: Mapped[str | None]
    stand_in: Mapped[bool]
    moved: Mapped[int]
    since: Mapped[float]
    stranger: Mapped[str] = mapped_column(server_default="")


class PlayedRow(Base):
    """A row that lists a seat of a finished game; it follows from the table's log. See `results.PlayedSeat`.

    `change` is by how many points the game has changed the rating of the seat's player, if it is rated.
    """

    __tablename__ = "played"
    __table_args__ = (
        Index("ix_played_who", "who", *LISTED_BY),
        Index("ix_played_table", "table", "seat", "who", "bot", "result", "rank"),
        Index("ix_played_game", "game", "ended"),
    )
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
    alike: Mapped[bool] = mapped_column(server_default=false())
    uncounted: Mapped[bool] = mapped_column(server_default=false())
    change: Mapped[int | None]


class CountRow(Base):
    """How many games seats with something in common had, and how many they won, in one game: see `model/wins.py`."""

    __tablename__ = "counts"
    game: Mapped[str] = mapped_column(primary_key=True)
    seats: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    bot: Mapped[bool] = mapped_column(primary_key=True)
    games: Mapped[int]
    won: Mapped[float]


class InvitationRow(Base):
    """A player is asked to a table by another; see `invitations.py`."""

    __tablename__ = "invitations"
    table: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), primary_key=True, index=True)
    by: Mapped[int] = mapped_column(ForeignKey("players.number"))
    at: Mapped[float]


class TallyRow(Base):
    """How often a player was ahead of an opponent in a game, and behind, over all finished games that count."""

    __tablename__ = "tallies"
    who: Mapped[str] = mapped_column(primary_key=True)
    opponent: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    bot: Mapped[bool]
    ahead: Mapped[int]
    behind: Mapped[int]
    games: Mapped[int]


class RatingRow(Base):
    """The rating of a player in a game, after so many rated games; see `ratings.py`."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ix_ratings_game", "game", "mu"),)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]


class AnalysisRow(Base):
    """The analysis of a finished game: who asked for it last, and how far it is; see `study.judging`.

    `steps` are the judged positions, packed. A process judges until a time, `until`, unless it says so again.
    """

    __tablename__ = "analyses"
    table: Mapped[str] = mapped_column(primary_key=True)
    by: Mapped[int] = mapped_column(ForeignKey("players.number"))
    tries: Mapped[int]
    done: Mapped[int]
    steps: Mapped[bytes]
    until: Mapped[float]
    stopped: Mapped[bool] = mapped_column(server_default=false())
    problem: Mapped[str] = mapped_column(server_default="")


class AnalysisAskRow(Base):
    """A player asked for an analysis, or for a better one; see `study.judging`."""

    __tablename__ = "analysis_asks"
    __table_args__ = (Index("ix_analysis_asks_number", "number", "at"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    at: Mapped[float]


class JudgedSeatRow(Base):
    """What a seat's decisions and the cards did in a game that is judged to its end, in shares of a win."""

    __tablename__ = "judged_seats"
    __table_args__ = (Index("ix_judged_seats_who", "who", "game"), Index("ix_judged_seats_game", "game"))
    table: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    who: Mapped[str]
    game: Mapped[str]
    lost: Mapped[float]
    cards: Mapped[float]
    decisions: Mapped[int]
    free: Mapped[int]


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


class TalkRow(Base):
    """A line that somebody said at a table: a player at a seat, or a spectator, whose `seat` is NULL.

    It follows from no log, and no log or record holds it.
    """

    __tablename__ = "talk"
    __table_args__ = (Index("ix_talk_table", "table", "id"), {"sqlite_autoincrement": True})
    id: Mapped[int] = mapped_column(primary_key=True)
    table: Mapped[str]
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), index=True)
    seat: Mapped[int | None]
    text: Mapped[str]
    at: Mapped[float]


class PuzzleRow(Base):
    """What the people here made of a puzzle: its rating, after so many first tries, and how many of these were right.

    A `doubter` has had it judged again, with more tries, since the time `doubted`. `judged` holds what came out, as
    rows of an action, its words, its share and its tries. A puzzle whose answer fell is `withdrawn` since a time.
    """

    __tablename__ = "puzzles"
    game: Mapped[str] = mapped_column(primary_key=True)
    puzzle: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    solvers: Mapped[int]
    solved: Mapped[int]
    doubter: Mapped[int | None] = mapped_column(ForeignKey("players.number"), index=True)
    doubted: Mapped[float | None]
    judged: Mapped[dict[str, object] | None]
    withdrawn: Mapped[float | None]


class SolverRow(Base):
    """How good a player is at puzzles, after so many first tries, and how many of these were right."""

    __tablename__ = "solvers"
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    tries: Mapped[int]
    solved: Mapped[int]


class AnswerRow(Base):
    """What a player answered to a puzzle at the first try; before that, `action` is NULL, and they asked for a hint.

    `day` is the day whose puzzle it was then, such as 2026-11-28. The rating of the player at puzzles was `before` in
    points, and is `after` it; NULL if the answer counted for none.
    """

    __tablename__ = "puzzle_answers"
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    puzzle: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[float]
    hinted: Mapped[bool]
    action: Mapped[int | None]
    solved: Mapped[bool | None]
    day: Mapped[str | None]
    before: Mapped[int | None]
    after: Mapped[int | None]


class OwnPuzzleRow(Base):
    """A puzzle of a player's own, made from a decision of theirs: the one before an entry of a finished match.

    `judged` holds its moves as in `PuzzleRow`, as soon as they are judged; `action` is what the player answered.
    """

    __tablename__ = "own_puzzles"
    __table_args__ = (Index("ix_own_puzzles_number", "number", "made"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    table: Mapped[str]
    entry: Mapped[int]
    game: Mapped[str]
    made: Mapped[float]
    judged: Mapped[dict[str, object] | None]
    hinted: Mapped[bool] = mapped_column(server_default=false())
    action: Mapped[int | None]


class DeckRow(Base):
    """A deck of a player's own; `version` is that of its list now, and `began` says what it was copied from."""

    __tablename__ = "decks"
    __table_args__ = (Index("ix_decks_number", "number", "game", "changed"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    game: Mapped[str]
    name: Mapped[str]
    began: Mapped[str]
    made: Mapped[float]
    changed: Mapped[float]
    version: Mapped[int]


class DeckVersionRow(Base):
    """The list of a deck as it was after a change; see `player_decks.py`."""

    __tablename__ = "deck_versions"
    deck: Mapped[str] = mapped_column(ForeignKey("decks.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    list: Mapped[str]
    at: Mapped[float]


class OwnedCardRow(Base):
    """A card that a player owns, and who lost it to them; see `owned_cards.py`."""

    __tablename__ = "owned_cards"
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    card: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[float]
    giver: Mapped[int | None] = mapped_column(ForeignKey("players.number"))


class ProcessRow(Base):
    """A process of the server, which counts as alive until a time by the database's clock."""

    __tablename__ = "processes"
    id: Mapped[str] = mapped_column(primary_key=True)
    until: Mapped[float]


class LeaseRow(Base):
    """The right of one process to run the steward of a table. It ends with the process."""

    __tablename__ = "leases"
    table: Mapped[str] = mapped_column(primary_key=True)
    process: Mapped[str] = mapped_column(ForeignKey("processes.id", ondelete="CASCADE"), index=True)


class PresenceRow(Base):
    """Somebody who has a table open in a page that a process serves; it ends with the process."""

    __tablename__ = "presence"
    table: Mapped[str] = mapped_column(primary_key=True)
    process: Mapped[str] = mapped_column(ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True, index=True)
    player: Mapped[str] = mapped_column(primary_key=True)


class CardSetRow(Base):
    """A set of cards of a player's own, as `OwnSet` in `player_sets.py` says."""

    __tablename__ = "card_sets"
    __table_args__ = (Index("ix_card_sets_number", "number", "game", "changed"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    game: Mapped[str]
    name: Mapped[str]
    made: Mapped[float]
    changed: Mapped[float]
    change: Mapped[int]
    version: Mapped[int]
    draft: Mapped[str]
    valid: Mapped[str]
    step: Mapped[int] = mapped_column(server_default="0")


class CardSetStepRow(Base):
    """A packed draft of a set before or after the one that it has now, to which it can go back or forth."""

    __tablename__ = "card_set_steps"
    card_set: Mapped[str] = mapped_column(ForeignKey("card_sets.id"), primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True)
    draft: Mapped[bytes]


class CardSetVersionRow(Base):
    """A saved version of a set; whoever has a link with its `token` can read it."""

    __tablename__ = "card_set_versions"
    card_set: Mapped[str] = mapped_column(ForeignKey("card_sets.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]
    at: Mapped[float]
    token: Mapped[str | None] = mapped_column(unique=True, index=True)


class SavedSetRow(Base):
    """A set of cards that a player saved under a name, whole or not: the names of its cards, one a line."""

    __tablename__ = "saved_sets"
    __table_args__ = (Index("ix_saved_sets_number", "number", "game", "made"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    game: Mapped[str]
    name: Mapped[str]
    cards: Mapped[str]
    made: Mapped[float]
    changed: Mapped[float]


class PlayedSetRow(Base):
    """A set that a player chose whole at a table, by its mark: see `saved_sets.py`."""

    __tablename__ = "played_sets"
    number: Mapped[int] = mapped_column(ForeignKey("players.number"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    table: Mapped[str] = mapped_column(primary_key=True)
    mark: Mapped[str] = mapped_column(primary_key=True)


class TrialRow(Base):
    """A trial by bots of a player's set or deck, as `KeptTrial` in `kept_trials.py` says."""

    __tablename__ = "trials"
    __table_args__ = (Index("ix_trials_number", "number", "until"), Index("ix_trials_subject", "subject", "at"))
    id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    subject: Mapped[str]
    level: Mapped[str]
    most: Mapped[int]
    games: Mapped[int]
    done: Mapped[bytes]
    found: Mapped[bytes]
    at: Mapped[float]
    until: Mapped[float]
    stopped: Mapped[bool] = mapped_column(server_default=false())
    problem: Mapped[str] = mapped_column(server_default="")


class TrialGamesRow(Base):
    """How many games bots have played for a player since a time, each as often as its level counts."""

    __tablename__ = "trial_games"
    __table_args__ = (Index("ix_trial_games_number", "number", "at"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(ForeignKey("players.number"))
    at: Mapped[float]
    games: Mapped[int]
