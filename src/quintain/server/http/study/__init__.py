"""The routes of study: puzzles."""
