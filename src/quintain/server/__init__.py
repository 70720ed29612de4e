"""The web server: people sit down at tables in their browsers, and each sees a private view of the match.

The order of the packages is `model`, `store`, `people`, `tables`, `pages`, `http`, `run`. Each imports only from
itself, from those below it and from the small tools in this folder.

Where to begin: `run/start.py` starts a server, and `run/app.py` puts it together. `http/table_routes.py` answers
requests about a table, `tables/acts.py` does what people ask for there, `tables/table.py` is one table as its log tells
it, and `store/store.py` keeps everything on disk.
"""
