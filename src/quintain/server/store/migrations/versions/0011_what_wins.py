"""WinCount how often seats, openings, moves and choices of options won."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from quintain.server.store.win_counts import WinCount, counted

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the table, and fill it from the logs of the games that are over, by the rules of today."""
    counts = op.create_table(
        "counts",
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("seats", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("bot", sa.Boolean(), primary_key=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Double(), nullable=False),
    )
    games, won = Counter[tuple[object, ...]](), defaultdict[tuple[object, ...], float](float)
    for each in _finished(op.get_bind()):
        for *key, number, wins in each:
            games[tuple(key)] += number
            won[tuple(key)] += wins
    names = ("game", "seats", "kind", "key", "bot")
    rows = [{**dict(zip(names, key, strict=True)), "games": games[key], "won": won[key]} for key in games]
    op.bulk_insert(counts, rows)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("counts")


def _finished(connection: sa.Connection) -> Iterator[list[WinCount]]:
    """Yield the counts of each finished game; of none that was known before, or that somebody left early."""
    entry = sa.text('SELECT text FROM entries WHERE "table" = :id AND kind = :kind')
    sat = sa.text('SELECT bot, result FROM played WHERE "table" = :id ORDER BY seat')
    for (id_,) in connection.execute(sa.text("SELECT id FROM tables WHERE status = 'over'")).all():
        agreed = json.loads(connection.execute(entry, {"id": id_, "kind": "made"}).scalar_one())
        seats = connection.execute(sat, {"id": id_}).all()
        is_known = agreed.get("lesson") is not None or agreed.get("played_on")
        if seats and not is_known and "left" not in {result for _, result in seats}:
            over = connection.execute(entry, {"id": id_, "kind": "over"}).scalar_one()
            yield counted(json.loads(over), [bool(bot) for bot, _ in seats])
