"""The database: its form and migrations, logs, lists, keys and backups."""
