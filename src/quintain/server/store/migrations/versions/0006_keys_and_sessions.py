"""Keep signing keys in a table of their own, so that they can be rotated, and number the sessions of players."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Move the key that signs cookies to the new table; the row of the house gets a generation in its place."""
    keys = op.create_table(
        "keys",
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("secret", sa.String(), nullable=False),
        sa.Column("public", sa.String(), nullable=True),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
    )
    secret = sa.column("key", sa.String())
    for old in op.get_bind().scalars(sa.select(secret).select_from(sa.table("house"))).all():
        op.bulk_insert(keys, [{"kind": "cookies", "secret": old, "made": time.time()}])
    op.drop_table("house")
    house = op.create_table(
        "house",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("generation", sa.Integer(), nullable=False, server_default="0"),
    )
    op.bulk_insert(house, [{"id": 1, "generation": 0}])
    op.add_column("players", sa.Column("session", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_players_session", "players", ["session"])


def downgrade() -> None:
    """Refuse: one key cannot stand for several, and ended sessions would hold again."""
    raise NotImplementedError("the keys cannot be turned back: use a backup from before")
