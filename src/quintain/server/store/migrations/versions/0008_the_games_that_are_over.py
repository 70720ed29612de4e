"""List the seats of finished games, so that players find the games they have played; tables may be rated."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the list, and fill it from the logs of the games that are over."""
    op.add_column("tables", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    played = op.create_table(
        "played",
        sa.Column("table", sa.String(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
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
    )
    op.create_index("ix_played_who", "played", ["who", "ended", "table"])
    op.create_index("ix_played_game", "played", ["game", "ended"])
    connection = op.get_bind()
    over = connection.execute(
        sa.text(
            "SELECT tables.id, tables.game, tables.private, entries.text, entries.at FROM tables "
            "JOIN entries ON entries.\"table\" = tables.id AND entries.kind = 'over'"
        )
    ).all()
    seated = sa.text('SELECT seat, number, bot, stand_in FROM seats WHERE "table" = :id ORDER BY seat')
    for id_, game, private, text, at in over:
        seats = connection.execute(seated, {"id": id_}).all()
        op.bulk_insert(played, list(_played(id_, game, private, json.loads(text), at, seats)))


def downgrade() -> None:
    """Drop the list."""
    op.drop_table("played")
    op.drop_column("tables", "rated")


def _played(
    id_: str, game: str, private: bool, record: dict[str, Any], at: float, seats: Sequence[sa.Row[Any]]
) -> Iterator[dict[str, object]]:
    """Yield the rows of a finished game."""
    ranks, scores = record["result"]["ranks"], record["result"]["scores"]
    resigned = {act["seat"] for act in record["moves"] if act["kind"] == "resign"}
    first = ranks.count(min(ranks))
    for row in seats:
        seat, number, bot, stand_in = tuple(row)
        result = "lost" if ranks[seat] > min(ranks) else "won" if first == 1 else "drawn"
        yield {
            "table": id_,
            "seat": seat,
            "who": str(bot if number is None else number),
            "bot": number is None,
            "game": game,
            "ended": at,
            "result": "left" if stand_in or seat in resigned else result,
            "rank": ranks[seat],
            "score": scores[seat] if scores else None,
            "moves": sum(act["kind"] == "move" for act in record["moves"]),
            "rated": False,
            "private": bool(private),
        }
