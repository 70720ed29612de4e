"""Add the tables by which the processes that serve one database know of each other."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("until", sa.Double(), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("table", sa.String(), primary_key=True),
        _process(),
    )
    op.create_table(
        "presence",
        sa.Column("table", sa.String(), primary_key=True),
        _process(primary_key=True),
        sa.Column("player", sa.String(), primary_key=True),
    )
    for name in ("leases", "presence"):
        op.create_index(f"ix_{name}_process", name, ["process"])


def downgrade() -> None:
    """Drop the tables."""
    for name in ("presence", "leases", "processes"):
        op.drop_table(name)


def _process(primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(
        "process",
        sa.String(),
        sa.ForeignKey("processes.id", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )
