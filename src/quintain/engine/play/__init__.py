"""Played games: matches, undo, saves and records, commitments, lessons and stories."""
