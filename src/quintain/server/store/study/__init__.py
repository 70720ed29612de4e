"""The rows of the database about study: who solved which puzzle, and what was judged in the background."""
