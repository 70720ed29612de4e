"""Keep tallies of players who have met, and let indexes hold all that lists of games need."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

TALLIED = """
    INSERT INTO tallies (who, opponent, game, bot, ahead, behind, games)
    SELECT one.who, other.who, one.game, other.bot,
        sum(CASE WHEN one.result != 'left' AND (other.result = 'left' OR one.rank < other.rank) THEN 1 ELSE 0 END),
        sum(CASE WHEN other.result != 'left' AND (one.result = 'left' OR other.rank < one.rank) THEN 1 ELSE 0 END),
        count(*)
    FROM played AS one JOIN played AS other
        ON other."table" = one."table" AND other.seat != one.seat AND other.who != one.who
    WHERE NOT one.uncounted
    GROUP BY one.who, other.who, one.game, other.bot
"""


def upgrade() -> None:
    """Add the table, fill it, and widen the indexes."""
    op.drop_index("ix_seats_number", "seats")
    op.create_index("ix_seats_number", "seats", ["number", "table"])
    op.drop_index("ix_played_who", "played")
    asked = ["who", "ended", "table", "seat", "result", "rank", "game", "rated", "private", "uncounted"]
    op.create_index("ix_played_who", "played", asked)
    op.create_index("ix_played_table", "played", ["table", "seat", "who", "bot", "result", "rank"])
    op.create_table(
        "tallies",
        sa.Column("who", sa.String(), primary_key=True),
        sa.Column("opponent", sa.String(), primary_key=True),
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("ahead", sa.Integer(), nullable=False),
        sa.Column("behind", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
    )
    op.execute(sa.text(TALLIED))


def downgrade() -> None:
    """Drop the table, and make the indexes as they were."""
    op.drop_table("tallies")
    op.drop_index("ix_played_table", "played")
    op.drop_index("ix_played_who", "played")
    op.create_index("ix_played_who", "played", ["who", "ended", "table"])
    op.drop_index("ix_seats_number", "seats")
    op.create_index("ix_seats_number", "seats", ["number"])
