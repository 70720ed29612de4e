"""Make the tables of puzzles: what people answered, how good they are at them, and puzzles of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
NUMBER = "players.number"


def upgrade() -> None:
    """Make the tables."""
    _make_puzzles()
    _make_answers()
    _make_own_puzzles()


def downgrade() -> None:
    """Drop the tables."""
    for name in ("own_puzzles", "puzzle_answers", "solvers", "puzzles"):
        op.drop_table(name)


def _make_puzzles() -> None:
    op.create_table(
        "puzzles",
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("puzzle", sa.String(), primary_key=True),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("solvers", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("doubter", sa.Integer(), sa.ForeignKey(NUMBER)),
        sa.Column("doubted", sa.Double()),
        sa.Column("judged", sa.JSON()),
        sa.Column("withdrawn", sa.Double()),
    )
    op.create_index("ix_puzzles_doubter", "puzzles", ["doubter"])


def _make_answers() -> None:
    op.create_table(
        "solvers",
        sa.Column("number", sa.Integer(), sa.ForeignKey(NUMBER), primary_key=True),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("number", sa.Integer(), sa.ForeignKey(NUMBER), primary_key=True),
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("puzzle", sa.String(), primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("hinted", sa.Boolean(), nullable=False),
        sa.Column("action", sa.Integer()),
        sa.Column("solved", sa.Boolean()),
        sa.Column("day", sa.String()),
        sa.Column("before", sa.Integer()),
        sa.Column("after", sa.Integer()),
    )


def _make_own_puzzles() -> None:
    op.create_table(
        "own_puzzles",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey(NUMBER), nullable=False),
        sa.Column("table", sa.String(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("judged", sa.JSON()),
        sa.Column("hinted", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("action", sa.Integer()),
    )
    op.create_index("ix_own_puzzles_number", "own_puzzles", ["number", "made"])
