"""Make the table of the drafts of a set to which it can go back; the one before its last change moves there."""

import zlib

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Make the table, and move what was before the last change of each set."""
    steps = op.create_table(
        "card_set_steps",
        sa.Column("card_set", sa.String(), sa.ForeignKey("card_sets.id"), primary_key=True),
        sa.Column("step", sa.Integer(), primary_key=True),
        sa.Column("draft", sa.LargeBinary(), nullable=False),
    )
    op.add_column("card_sets", sa.Column("step", sa.Integer(), server_default="0", nullable=False))
    connection = op.get_bind()
    sets = sa.table("card_sets", sa.column("id"), sa.column("before"), sa.column("step"))
    for id_, before in connection.execute(sa.select(sets.c.id, sets.c.before).where(sets.c.before.is_not(None))).all():
        connection.execute(steps.insert().values(card_set=id_, step=0, draft=zlib.compress(before.encode())))
        connection.execute(sets.update().where(sets.c.id == id_).values(step=1))
    op.drop_column("card_sets", "before")


def downgrade() -> None:
    """Keep the step before the last change alone, and drop the table."""
    op.add_column("card_sets", sa.Column("before", sa.String()))
    op.drop_column("card_sets", "step")
    op.drop_table("card_set_steps")
