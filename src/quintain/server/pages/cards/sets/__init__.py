"""The sets of cards that players choose during a game: at a table, saved under names, and built."""
