"""Make all tables: the form of a database before the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = None
TABLES = (
    "house",
    "health",
    "keys",
    "players",
    "devices",
    "device_links",
    "entries",
    "tables",
    "seats",
    "played",
    "ratings",
    "counts",
    "tallies",
    "invitations",
    "talk",
    "processes",
    "leases",
    "presence",
)


def upgrade() -> None:
    """Make the tables, and the row that counts restored backups."""
    _make_the_server()
    _make_players()
    _make_devices()
    _make_logs()
    _make_lists()
    _make_seats()
    _make_finished_games()
    _make_sums()
    _make_meetings()
    _make_processes()
    op.bulk_insert(sa.table("house", sa.column("id"), sa.column("generation")), [{"id": 1, "generation": 0}])


def downgrade() -> None:
    """Drop all tables."""
    for name in reversed(TABLES):
        op.drop_table(name)


def _make_the_server() -> None:
    """Make the generation of the database, the row of the health check, and the keys."""
    op.create_table(
        "house",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "health",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("written", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "keys",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("public", sa.String(), nullable=True),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )


def _make_players() -> None:
    """Make the players."""
    op.create_table(
        "players",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("named", sa.Double(), nullable=False),
        sa.Column("session", sa.Integer(), server_default="0", nullable=False),
        sa.Column("recovery", sa.String(), nullable=True),
        sa.Column("recovery_shown", sa.Double(), nullable=True),
        sa.Column("gone", sa.Double(), nullable=True),
        sa.Column("muted", sa.Double(), nullable=True),
        sa.Column("muted_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
    )
    op.create_index("ix_players_recovery", "players", ["recovery"], unique=True)
    op.create_index("ix_players_session", "players", ["session"])


def _make_devices() -> None:
    """Make the devices of players, and links that add one."""
    op.create_table(
        "devices",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.Column("address", sa.String(), server_default="", nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_devices_address", "devices", ["address"])
    op.create_index("ix_devices_ended", "devices", ["ended"])
    op.create_index("ix_devices_number", "devices", ["number"])
    op.create_table(
        "device_links",
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.PrimaryKeyConstraint("token"),
    )


def _make_logs() -> None:
    """Make the logs of tables."""
    op.create_table(
        "entries",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("table", "seq"),
        sqlite_with_rowid=False,
    )


def _make_lists() -> None:
    """Make the list of tables, which follows from the logs, as that of seats does."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("speed", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=True),
        sa.Column("rematch", sa.String(), nullable=True),
        sa.Column("lesson", sa.Integer(), nullable=True),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_tables_made", "tables", ["made"])
    op.create_index("ix_tables_status", "tables", ["status", "made"])


def _make_seats() -> None:
    """Make the list of seats."""
    op.create_table(
        "seats",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(), nullable=True),
        sa.Column("stand_in", sa.Boolean(), nullable=False),
        sa.Column("moved", sa.Integer(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("stranger", sa.String(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    op.create_index("ix_seats_number", "seats", ["number", "table"])


def _make_finished_games() -> None:
    """Make what follows from finished games: how each ended for its seats."""
    op.create_table(
        "played",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("alike", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("uncounted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("change", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "seat"),
    )
    op.create_index("ix_played_game", "played", ["game", "ended"])
    op.create_index("ix_played_table", "played", ["table", "seat", "who", "bot", "result", "rank"])
    op.create_index(
        "ix_played_who",
        "played",
        ["who", "ended", "table", "seat", "result", "rank", "game", "rated", "private", "uncounted"],
        unique=False,
    )


def _make_sums() -> None:
    """Make what finished games add up to: ratings, counts and tallies."""
    op.create_table(
        "ratings",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.PrimaryKeyConstraint("number", "game"),
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "mu"])
    op.create_table(
        "counts",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("game", "seats", "kind", "key", "bot"),
    )
    op.create_table(
        "tallies",
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("opponent", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("ahead", sa.Integer(), nullable=False),
        sa.Column("behind", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("who", "opponent", "game"),
    )


def _make_meetings() -> None:
    """Make invitations, and what is said at tables."""
    op.create_table(
        "invitations",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["by"], ["players.number"]),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.ForeignKeyConstraint(["table"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table", "number"),
    )
    op.create_index("ix_invitations_number", "invitations", ["number"])
    op.create_table(
        "talk",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["players.number"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_talk_number", "talk", ["number"])
    op.create_index("ix_talk_table", "talk", ["table", "id"])


def _make_processes() -> None:
    """Make the processes that share a database, their leases, and who is present."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "leases",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("process", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["process"], ["processes.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table"),
    )
    op.create_index("ix_leases_process", "leases", ["process"])
    op.create_table(
        "presence",
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("process", sa.String(), nullable=False),
        sa.Column("player", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["process"], ["processes.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table", "process", "player"),
    )
    op.create_index("ix_presence_process", "presence", ["process"])
