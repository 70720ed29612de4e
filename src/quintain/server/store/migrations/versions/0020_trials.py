"""Make the tables of trials by bots: how far each is and what it has shown, and how many games players have had."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "trials",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("done", sa.LargeBinary(), nullable=False),
        sa.Column("found", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("stopped", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("problem", sa.String(), server_default="", nullable=False),
    )
    op.create_index("ix_trials_number", "trials", ["number", "until"])
    op.create_index("ix_trials_subject", "trials", ["subject", "at"])
    op.create_table(
        "trial_games",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("number", sa.Integer(), sa.ForeignKey("players.number"), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
    )
    op.create_index("ix_trial_games_number", "trial_games", ["number", "at"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("trial_games")
    op.drop_table("trials")
