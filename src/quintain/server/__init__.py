"""The web server: people at a table, each with a private view of one match."""
