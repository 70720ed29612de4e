"""The web server: people sit down at tables in their browsers, and each sees a private view of the match.

Where to begin: `run.py` starts a server, `app.py` puts it together, `routes.py` answers requests, `tables.py` does what
people ask for, `table.py` holds one table in memory, and `store.py` keeps everything on disk.
"""
