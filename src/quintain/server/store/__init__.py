"""The database: its form and migrations, logs, lists, keys and backups."""

from quintain.lab.extras import need

need("alembic", "sqlalchemy", extra="server")
